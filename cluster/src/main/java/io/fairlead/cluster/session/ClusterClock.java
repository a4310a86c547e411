// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.session;

import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The greatest {@code $clusterTime} seen, gossiped with every command of a client. It only moves
 * forward. Any thread may call.
 */
public final class ClusterClock {
  private final AtomicReference<@Nullable BsonDocument> greatest = new AtomicReference<>();

  /** The greatest {@code $clusterTime} document seen, with its signature; null before the first. */
  public @Nullable BsonDocument current() {
    return greatest.get();
  }

  /**
   * Moves forward to {@code clusterTime}; an older one, null, or one without a timestamp changes
   * nothing.
   *
   * @param clusterTime a {@code $clusterTime} document of a reply or of another client
   */
  public void advance(@Nullable BsonDocument clusterTime) {
    BsonTimestamp time = timeOf(clusterTime);
    if (clusterTime == null || time == null) {
      return;
    }
    while (true) {
      BsonDocument current = greatest.get();
      BsonTimestamp currentTime = timeOf(current);
      if (currentTime != null && currentTime.compareTo(time) >= 0) {
        return;
      }
      // a copy of our own: the reply it came from may be large and should not be kept alive by its
      // last field
      if (greatest.compareAndSet(current, clusterTime.clone())) {
        return;
      }
    }
  }

  /** The greater of two {@code $clusterTime} documents; null when both are absent. */
  public static @Nullable BsonDocument greater(
      @Nullable BsonDocument one, @Nullable BsonDocument other) {
    BsonTimestamp oneTime = timeOf(one);
    BsonTimestamp otherTime = timeOf(other);
    if (oneTime == null) {
      return otherTime == null ? null : other;
    }
    return otherTime == null || oneTime.compareTo(otherTime) >= 0 ? one : other;
  }

  private static @Nullable BsonTimestamp timeOf(@Nullable BsonDocument clusterTime) {
    BsonValue time = clusterTime == null ? null : clusterTime.get("clusterTime");
    return time != null && time.isTimestamp() ? time.asTimestamp() : null;
  }
}
