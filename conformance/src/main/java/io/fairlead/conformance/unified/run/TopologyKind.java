// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

/** The deployments that tests may run on. */
public enum TopologyKind {
  SINGLE("single"),
  REPLICA_SET("replicaset"),
  SHARDED("sharded");

  private final String formatName;

  TopologyKind(String formatName) {
    this.formatName = formatName;
  }

  /** Its name in {@code runOnRequirements}. */
  public String formatName() {
    return formatName;
  }
}
