// SPDX-License-Identifier: Apache-2.0
/** Aggregation expressions. Start at {@link io.fairlead.engine.expression.Expression}. */
@NullMarked
package io.fairlead.engine.expression;

import org.jspecify.annotations.NullMarked;
