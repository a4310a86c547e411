// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

/** Numbers of MongoDB's wire protocol. */
final class Protocol {

  static final int OP_REPLY = 1;
  static final int OP_QUERY = 2004;
  static final int OP_COMPRESSED = 2012;
  static final int OP_MSG = 2013;

  static final int HEADER_BYTES = 16;

  /**
   * The largest document that travels: what a collection stores, 16 MiB, and 16 KiB for the command
   * around it.
   */
  static final int DOCUMENT_BYTES_MAX = 16 * 1024 * 1024 + 16 * 1024;

  /**
   * How deep documents may nest here; the stores behind refuse less (200) with an error that leaves
   * the connection alone.
   */
  static final int NESTING_MAX = 512;

  static final int QUERY_SECONDARY_OK = 4;
  static final int REPLY_AWAIT_CAPABLE = 8;

  private Protocol() {}
}
