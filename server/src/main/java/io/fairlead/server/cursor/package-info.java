// SPDX-License-Identifier: Apache-2.0
/**
 * Cursors that stay open between commands. {@link io.fairlead.server.cursor.Cursors} keeps them,
 * {@link io.fairlead.server.cursor.ServerCursor} is one, {@link io.fairlead.server.cursor.Batch} is
 * what one command takes of it, and {@link io.fairlead.server.cursor.CursorCommands} are {@code
 * getMore} and {@code killCursors}.
 */
@NullMarked
package io.fairlead.server.cursor;

import org.jspecify.annotations.NullMarked;
