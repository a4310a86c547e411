// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

/** What kind of deployment a client faces, in the words of the specification. */
public enum TopologyType {
  UNKNOWN("Unknown"),
  SINGLE("Single"),
  SHARDED("Sharded"),
  REPLICA_SET_NO_PRIMARY("ReplicaSetNoPrimary"),
  REPLICA_SET_WITH_PRIMARY("ReplicaSetWithPrimary"),
  LOAD_BALANCED("LoadBalanced");

  private final String specificationName;

  TopologyType(String specificationName) {
    this.specificationName = specificationName;
  }

  /** The name that specification files and messages use, such as {@code ReplicaSetNoPrimary}. */
  public String specificationName() {
    return specificationName;
  }

  public boolean isReplicaSet() {
    return this == REPLICA_SET_NO_PRIMARY || this == REPLICA_SET_WITH_PRIMARY;
  }

  @Override
  public String toString() {
    return specificationName;
  }
}
