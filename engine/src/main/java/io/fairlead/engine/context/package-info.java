// SPDX-License-Identifier: Apache-2.0
/**
 * What every evaluation of one operation shares: time, variables, interruption. Start at {@link
 * io.fairlead.engine.context.OperationContext}.
 */
@NullMarked
package io.fairlead.engine.context;

import org.jspecify.annotations.NullMarked;
