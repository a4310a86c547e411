// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * How new a server's view of itself is. Versions of one process are ordered by their counter;
 * versions of two processes are not comparable, and the one heard last is then taken for the newer.
 */
public record TopologyVersion(ObjectId processId, long counter) {

  /**
   * Reads the {@code topologyVersion} of a reply, whatever number type its counter has; null if
   * there is none.
   */
  public static @Nullable TopologyVersion in(BsonDocument reply) {
    BsonValue value = reply.get("topologyVersion");
    if (value == null || !value.isDocument()) {
      return null;
    }
    BsonValue process = value.asDocument().get("processId");
    BsonValue counter = value.asDocument().get("counter");
    if (process == null || !process.isObjectId() || counter == null || !counter.isNumber()) {
      return null;
    }
    return new TopologyVersion(process.asObjectId().getValue(), counter.asNumber().longValue());
  }

  /** Whether both are of one process and {@code this} is newer than {@code other}. */
  public boolean isNewerThan(@Nullable TopologyVersion other) {
    return other != null && processId.equals(other.processId) && counter > other.counter;
  }

  /** Whether both are of one process and {@code this} is as new as {@code other} or newer. */
  public boolean isAtLeast(@Nullable TopologyVersion other) {
    return other != null && processId.equals(other.processId) && counter >= other.counter;
  }

  public BsonDocument toDocument() {
    return new BsonDocument("processId", new org.bson.BsonObjectId(processId))
        .append("counter", new org.bson.BsonInt64(counter));
  }
}
