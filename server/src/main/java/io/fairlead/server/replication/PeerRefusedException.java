// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

/** A member answered a command with an error. The connection is in order. */
final class PeerRefusedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final int code;

  PeerRefusedException(int code, String message) {
    super(message);
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Whether it says that the member neither leads nor follows at the moment. */
  boolean leadershipIsChanging() {
    return switch (code) {
      case 91, 189, 10107, 11600, 11602, 13435, 13436 -> true;
      default -> false;
    };
  }
}
