// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

/** On which members of a replica set a command may run. A standalone runs everything. */
public enum Placement {
  /** On any member in any state: {@code hello}, {@code ping}, {@code replSetGetStatus}. */
  EVERY_MEMBER,
  /** A read: on the primary, and on a secondary if the read preference allows it. */
  READ,
  /** Only on a writable primary. */
  PRIMARY_ONLY
}
