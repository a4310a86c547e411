// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

/** What else is true of a command. */
public enum Trait {
  /** Only against the database {@code admin}; elsewhere refused with Unauthorized (13). */
  ADMIN_ONLY,
  /** Understands {@code writeConcern}; elsewhere it is refused with InvalidOptions (72). */
  WRITES,
  /** Understands {@code readConcern} of every level that the server has. */
  READS,
  /** Belongs to the stable API, version 1: allowed with {@code apiStrict: true}. */
  API_V1,
  /** Deprecated in the stable API, version 1: refused with {@code apiDeprecationErrors: true}. */
  API_V1_DEPRECATED,
  /** May carry {@code txnNumber} outside of a transaction. */
  RETRYABLE,
  /** May be a statement of a multi-document transaction. */
  TRANSACTION,
  /** Ends a multi-document transaction rather than being a statement of it. */
  ENDS_TRANSACTION,
  /** Takes fields that it does not know without complaint, as MongoDB's does. */
  LENIENT,
  /** Only between members and routers of one deployment; not listed for others to use. */
  INTERNAL
}
