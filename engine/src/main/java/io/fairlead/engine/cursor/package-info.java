// SPDX-License-Identifier: Apache-2.0
/**
 * What a reader asks for and what it gets: {@link io.fairlead.engine.cursor.FindRequest} and its
 * kin go in, a {@link io.fairlead.engine.cursor.DocumentCursor} comes out.
 */
@NullMarked
package io.fairlead.engine.cursor;

import org.jspecify.annotations.NullMarked;
