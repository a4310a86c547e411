// SPDX-License-Identifier: Apache-2.0
/**
 * Documents that expire: {@link io.fairlead.server.ttl.TtlMonitor} deletes them on the primary, by
 * ordinary replicated deletes.
 */
@NullMarked
package io.fairlead.server.ttl;

import org.jspecify.annotations.NullMarked;
