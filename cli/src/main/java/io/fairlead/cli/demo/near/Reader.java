// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.near;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.TagSet;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import io.fairlead.cli.demo.Stage;
import io.fairlead.cli.demo.traffic.Side;
import io.fairlead.driver.RoutedCollection;
import io.fairlead.driver.Routing;
import io.fairlead.embedded.EmbeddedMember;
import io.fairlead.topology.readpreference.ReadPreference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;

/**
 * Reads one document in the wished way, through one driver and the routers, and counts who served.
 */
final class Reader implements AutoCloseable {

  private static final int THREADS = 4;

  private final Side side;
  private final MongoClient client;
  private final List<EmbeddedMember> members;

  Reader(Side side, Stage stage, List<EmbeddedMember> members) {
    this.side = side;
    this.members = members;
    this.client =
        side.connect(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(stage.cluster().connectionString()))
                .build());
  }

  /** Reads so often, and returns how many of the reads each member served. */
  List<Long> served(ReadPreference preference, int reads) throws InterruptedException {
    List<Long> before = counts();
    Consumer<Integer> read = reading(preference);
    List<Future<?>> workers = new ArrayList<>();
    try (ExecutorService pool =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("demo-reader-", 0).factory())) {
      for (int thread = 0; thread < THREADS; thread++) {
        workers.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < reads / THREADS; i++) {
                    read.accept(i);
                  }
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a read failed: " + e.getMessage(), e);
    }
    List<Long> after = counts();
    List<Long> served = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      served.add(after.get(i) - before.get(i));
    }
    return served;
  }

  @Override
  public void close() {
    client.close();
  }

  private List<Long> counts() {
    return members.stream().map(member -> member.commandsServed("find")).toList();
  }

  /**
   * Our driver carries window and maxPing itself; a foreign one sends them in the {@code
   * $readPreference} of a command it was given whole.
   */
  private Consumer<Integer> reading(ReadPreference preference) {
    boolean extended = preference.latencyWindow() != null || preference.maxPing() != null;
    if (!side.isOurs() && extended) {
      BsonDocument find =
          new BsonDocument("find", new BsonString(NearScenario.COLLECTION))
              .append("filter", new BsonDocument("_id", new BsonInt32(1)))
              .append("$readPreference", preference.toDocument());
      return number -> client.getDatabase(NearScenario.DATABASE).runCommand(find);
    }
    MongoCollection<Document> plain =
        client
            .getDatabase(NearScenario.DATABASE)
            .getCollection(NearScenario.COLLECTION)
            .withReadPreference(nearest(preference.tagSets()));
    MongoCollection<Document> collection = extended ? routed(plain, preference) : plain;
    return number -> collection.find(Filters.eq("_id", 1)).first();
  }

  private static MongoCollection<Document> routed(
      MongoCollection<Document> collection, ReadPreference preference) {
    RoutedCollection<Document> routed = Routing.on(collection);
    if (preference.latencyWindow() != null) {
      routed = routed.latencyWindow(preference.latencyWindow());
    }
    return preference.maxPing() == null ? routed : routed.maxPing(preference.maxPing());
  }

  private static com.mongodb.ReadPreference nearest(List<Map<String, String>> tagSets) {
    return com.mongodb.ReadPreference.nearest(
        tagSets.stream()
            .map(
                tags ->
                    new TagSet(
                        tags.entrySet().stream()
                            .map(tag -> new com.mongodb.Tag(tag.getKey(), tag.getValue()))
                            .toList()))
            .toList());
  }
}
