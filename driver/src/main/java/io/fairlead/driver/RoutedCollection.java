// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver;

import com.mongodb.client.MongoCollection;
import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A collection whose reads carry Fairlead's additions to the read preference. Immutable, like every
 * collection.
 */
public interface RoutedCollection<T> extends MongoCollection<T> {
  /**
   * This collection with another latency window for its reads.
   *
   * @param window how much slower than the fastest suitable server another may be; null: that of
   *     client or router
   */
  RoutedCollection<T> latencyWindow(@Nullable LatencyWindow window);

  /**
   * This collection with another limit on the ping of servers that it reads from.
   *
   * @param limit positive; null: that of client or router
   */
  RoutedCollection<T> maxPing(@Nullable Duration limit);
}
