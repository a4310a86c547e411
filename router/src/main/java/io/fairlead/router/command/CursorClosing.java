// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.router.cursor.OpenCursor;

/** Closes cursors that nobody has used for long. */
public final class CursorClosing {

  private CursorClosing() {}

  public static void close(Parts parts, OpenCursor cursor) {
    CursorCommands.close(parts, cursor);
  }
}
