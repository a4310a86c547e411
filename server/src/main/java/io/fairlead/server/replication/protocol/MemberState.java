// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

/** What a member of a replica set is doing, with MongoDB's numbers and names. */
public enum MemberState {
  STARTUP(0),
  PRIMARY(1),
  SECONDARY(2),
  RECOVERING(3),
  STARTUP2(5),
  UNKNOWN(6),
  ARBITER(7),
  DOWN(8),
  ROLLBACK(9),
  REMOVED(10);

  private final int number;

  MemberState(int number) {
    this.number = number;
  }

  /** The number in heartbeats and in {@code replSetGetStatus}. */
  public int number() {
    return number;
  }

  /** Whether clients may read from a member in this state. */
  public boolean isReadable() {
    return this == PRIMARY || this == SECONDARY;
  }

  /** The state with that number; {@link #UNKNOWN} for one that is not known here. */
  public static MemberState of(int number) {
    for (MemberState state : values()) {
      if (state.number == number) {
        return state;
      }
    }
    return UNKNOWN;
  }
}
