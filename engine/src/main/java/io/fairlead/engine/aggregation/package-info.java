// SPDX-License-Identifier: Apache-2.0
/** Pipelines, one file per stage. Start at {@link io.fairlead.engine.aggregation.Pipeline}. */
@NullMarked
package io.fairlead.engine.aggregation;

import org.jspecify.annotations.NullMarked;
