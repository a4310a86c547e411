// SPDX-License-Identifier: Apache-2.0
/** Errors with MongoDB's codes. Start at {@link io.fairlead.engine.error.EngineException}. */
@NullMarked
package io.fairlead.engine.error;

import org.jspecify.annotations.NullMarked;
