// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How this server takes part in a replica set.
 *
 * @param setName the set's name; a peer of another set is refused
 * @param self {@code host:port} of this member as the set's configuration names it
 * @param initialConfig used where the data holds no configuration yet, instead of waiting for
 *     {@code replSetInitiate}; every member must be given the same. Null waits
 * @param firstPrimary whether this member stands for election at once when it starts with {@code
 *     initialConfig}
 * @param peers how other members are reached
 * @param oplogBytesMax size of the log beyond which the oldest entries are dropped; at least 1 MiB
 * @param peerTimeout after which a command to another member has failed
 */
public record ReplicationSettings(
    String setName,
    String self,
    @Nullable ReplicaSetConfig initialConfig,
    boolean firstPrimary,
    PeerDialer peers,
    long oplogBytesMax,
    Duration peerTimeout) {

  public ReplicationSettings {
    if (oplogBytesMax < 1 << 20) {
      throw new IllegalArgumentException(
          "the log must hold at least 1 MiB, was " + oplogBytesMax + " bytes");
    }
    if (peerTimeout.isNegative() || peerTimeout.isZero()) {
      throw new IllegalArgumentException("the peer timeout must be positive, was " + peerTimeout);
    }
  }
}
