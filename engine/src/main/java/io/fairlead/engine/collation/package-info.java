// SPDX-License-Identifier: Apache-2.0
/**
 * How strings are compared when an operation has a collation. Start at {@link
 * io.fairlead.engine.collation.Collation}.
 */
@NullMarked
package io.fairlead.engine.collation;

import org.jspecify.annotations.NullMarked;
