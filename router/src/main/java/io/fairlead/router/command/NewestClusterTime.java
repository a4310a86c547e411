// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The greatest cluster time that any shard has answered with, which a router tells with every reply
 * of its own. Any thread may call.
 */
final class NewestClusterTime {

  private final AtomicReference<@Nullable BsonDocument> newest = new AtomicReference<>();

  /**
   * Adds it to a reply that is made here, unless that already has the time of the shards that were
   * asked for it.
   *
   * @param told the greatest time of these shards; null when none was asked
   */
  BsonDocument addTo(BsonDocument reply, @Nullable BsonDocument told) {
    if (told != null) {
      newest.accumulateAndGet(told, NewestClusterTime::later);
      return reply;
    }
    BsonDocument known = newest.get();
    boolean passedOn = reply instanceof RawBsonDocument;
    return known == null || passedOn || reply.containsKey("$clusterTime")
        ? reply
        : reply.append("$clusterTime", known);
  }

  private static @Nullable BsonDocument later(
      @Nullable BsonDocument known, @Nullable BsonDocument told) {
    if (known == null || told == null) {
      return told;
    }
    return told.getTimestamp("clusterTime").compareTo(known.getTimestamp("clusterTime")) > 0
        ? told
        : known;
  }
}
