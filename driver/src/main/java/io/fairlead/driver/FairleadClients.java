// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientException;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.cluster.RoutingView;
import io.fairlead.driver.client.FairleadClient;

/**
 * Makes clients: the public {@link MongoClient} over Fairlead's routing. A setting that Fairlead
 * does not do is refused here, with a {@link MongoClientException} that names it.
 *
 * <pre>{@code
 * try (MongoClient client = FairleadClients.create("mongodb://localhost:27017")) {
 *   client.getDatabase("shop").getCollection("orders").insertOne(new Document("total", 12));
 * }
 * }</pre>
 */
public final class FairleadClients {
  private FairleadClients() {}

  /** A client of the deployment at {@code mongodb://localhost}. */
  public static MongoClient create() {
    return create(new ConnectionString("mongodb://localhost"));
  }

  /**
   * A client of the deployment that a connection string describes.
   *
   * @param connectionString as the official driver takes it
   * @throws MongoClientException if it asks for what is not supported
   */
  public static MongoClient create(String connectionString) {
    return create(new ConnectionString(connectionString));
  }

  /**
   * A client of the deployment that a connection string describes.
   *
   * @throws MongoClientException if it asks for what is not supported
   */
  public static MongoClient create(ConnectionString connectionString) {
    return create(connectionString, RoutingOptions.defaults());
  }

  /**
   * A client that routes in its own way.
   *
   * @param connectionString as the official driver takes it
   * @param routing how this client routes beyond what the string can say
   * @throws MongoClientException if it asks for what is not supported
   */
  public static MongoClient create(String connectionString, RoutingOptions routing) {
    return create(new ConnectionString(connectionString), routing);
  }

  /**
   * A client that routes in its own way.
   *
   * @param routing how this client routes beyond what the string can say
   * @throws MongoClientException if it asks for what is not supported
   */
  public static MongoClient create(ConnectionString connectionString, RoutingOptions routing) {
    return create(
        MongoClientSettings.builder().applyConnectionString(connectionString).build(), routing);
  }

  /**
   * A client with the official driver's settings.
   *
   * @throws MongoClientException if a setting asks for what is not supported
   */
  public static MongoClient create(MongoClientSettings settings) {
    return create(settings, RoutingOptions.defaults());
  }

  /**
   * A client with the official driver's settings that routes in its own way.
   *
   * @param routing how this client routes beyond what the official settings say
   * @throws MongoClientException if a setting asks for what is not supported
   */
  public static MongoClient create(MongoClientSettings settings, RoutingOptions routing) {
    return FairleadClient.start(ClusterSettings.from(settings, routing));
  }

  /**
   * What a client's routing sees and did: pings, windows, attempts, ejections.
   *
   * @throws IllegalArgumentException if the client is not one of Fairlead's
   */
  public static RoutingView routing(MongoClient client) {
    return cluster(client).routing();
  }

  /**
   * Changes a running client's routing from its next operation on.
   *
   * @throws IllegalArgumentException if the client is not one of Fairlead's
   */
  public static void configureRouting(MongoClient client, RoutingOptions routing) {
    cluster(client).configureRouting(routing);
  }

  /**
   * The routing core under a client, for whoever wants to ask it more: its topology, or why it
   * would choose a server.
   *
   * @throws IllegalArgumentException if the client is not one of Fairlead's
   */
  public static Cluster cluster(MongoClient client) {
    if (client instanceof FairleadClient ours) {
      return ours.cluster();
    }
    throw new IllegalArgumentException(
        "not a client of FairleadClients.create: " + client.getClass().getName());
  }
}
