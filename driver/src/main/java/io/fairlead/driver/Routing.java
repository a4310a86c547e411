// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver;

import com.mongodb.client.MongoCollection;

/**
 * Fairlead's additions to a read preference, for the reads of one collection: how near a server
 * must be, and how fast at least. They choose the server here, and travel to a router in the read's
 * own {@code $readPreference}.
 *
 * <pre>{@code
 * MongoCollection<Document> near = Routing.on(orders.withReadPreference(nearest()))
 *     .latencyWindow(new LatencyWindow.Absolute(Duration.ofMillis(5)))
 *     .maxPing(Duration.ofMillis(30));
 * }</pre>
 */
public final class Routing {
  private Routing() {}

  /**
   * The collection, as one that can be told how to route its reads.
   *
   * @throws IllegalArgumentException if it is not of a client that {@link FairleadClients} made
   */
  public static <T> RoutedCollection<T> on(MongoCollection<T> collection) {
    if (collection instanceof RoutedCollection<T> ours) {
      return ours;
    }
    throw new IllegalArgumentException(
        "not a collection of a client of FairleadClients.create: "
            + collection.getClass().getName());
  }
}
