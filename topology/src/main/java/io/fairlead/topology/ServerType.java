// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

/** What a server said it is, in the words of the Server Discovery And Monitoring specification. */
public enum ServerType {
  UNKNOWN("Unknown"),
  STANDALONE("Standalone"),
  MONGOS("Mongos"),
  /** Not yet checked, but another member names it as primary. */
  POSSIBLE_PRIMARY("PossiblePrimary"),
  RS_PRIMARY("RSPrimary"),
  RS_SECONDARY("RSSecondary"),
  RS_ARBITER("RSArbiter"),
  /** A member that serves no reads: hidden, starting up or recovering. */
  RS_OTHER("RSOther"),
  /** A member without a configuration. */
  RS_GHOST("RSGhost"),
  LOAD_BALANCER("LoadBalancer");

  private final String specificationName;

  ServerType(String specificationName) {
    this.specificationName = specificationName;
  }

  /** The name that specification files and messages use, such as {@code RSPrimary}. */
  public String specificationName() {
    return specificationName;
  }

  /** Whether such a server holds documents that a client may read. */
  public boolean isDataBearing() {
    return switch (this) {
      case STANDALONE, MONGOS, RS_PRIMARY, RS_SECONDARY, LOAD_BALANCER -> true;
      case UNKNOWN, POSSIBLE_PRIMARY, RS_ARBITER, RS_OTHER, RS_GHOST -> false;
    };
  }

  /** Whether nothing is known about such a server, for lack of a good answer to hello. */
  public boolean isUnknown() {
    return this == UNKNOWN || this == POSSIBLE_PRIMARY;
  }

  @Override
  public String toString() {
    return specificationName;
  }
}
