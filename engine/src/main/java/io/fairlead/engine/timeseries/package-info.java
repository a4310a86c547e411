// SPDX-License-Identifier: Apache-2.0
/**
 * Time-series collections. Measurements lie in buckets, documents of {@code system.buckets.…}
 * ({@link io.fairlead.engine.timeseries.Buckets}); what users see is a view that unpacks them.
 * Filters, updates and index keys on measurements are turned into such on buckets ({@link
 * io.fairlead.engine.timeseries.BucketFilter}, {@link io.fairlead.engine.timeseries.MetaNames}).
 */
@NullMarked
package io.fairlead.engine.timeseries;

import org.jspecify.annotations.NullMarked;
