// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The greatest operation time and cluster time of several replies, for the one reply that is made
 * of them. Any thread may call.
 */
final class ClusterTimes {

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable BsonTimestamp operationTime;
  private @Nullable BsonDocument clusterTime;

  void observe(BsonDocument reply) {
    BsonValue operation = reply.get("operationTime");
    BsonValue cluster = reply.get("$clusterTime");
    lock.lock();
    try {
      if (operation instanceof BsonTimestamp time
          && (operationTime == null || time.compareTo(operationTime) > 0)) {
        operationTime = time;
      }
      if (cluster instanceof BsonDocument document
          && document.get("clusterTime") instanceof BsonTimestamp time
          && (clusterTime == null || time.compareTo(clusterTime.getTimestamp("clusterTime")) > 0)) {
        clusterTime = document;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The greatest cluster time, as it travels; null when no reply had one. */
  @Nullable BsonDocument clusterTime() {
    lock.lock();
    try {
      return clusterTime;
    } finally {
      lock.unlock();
    }
  }

  BsonDocument addTo(BsonDocument reply) {
    lock.lock();
    try {
      if (operationTime != null && !reply.containsKey("operationTime")) {
        reply.append("operationTime", operationTime);
      }
      if (clusterTime != null && !reply.containsKey("$clusterTime")) {
        reply.append("$clusterTime", clusterTime);
      }
      return reply;
    } finally {
      lock.unlock();
    }
  }
}
