// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/**
 * Writers who go on while the set loses its primary: nothing acknowledged is lost, nothing is done
 * twice, nothing fails.
 */
final class FailoverTest {
  private static final int WRITERS = 4;

  @Test
  void nothing_is_lost_doubled_or_failed_when_the_primary_is_killed() throws InterruptedException {
    proveThat(set -> set.primary().kill());
  }

  @Test
  void nothing_is_lost_doubled_or_failed_when_the_primary_steps_down() throws InterruptedException {
    proveThat(set -> set.primary().stepDown());
  }

  @Test
  void nothing_is_lost_doubled_or_failed_when_the_primary_is_killed_and_comes_back()
      throws InterruptedException {
    proveThat(
        set -> {
          EmbeddedMember primary = set.primary();
          primary.kill();
          set.awaitPrimary(Duration.ofSeconds(10));
          primary.restart();
        });
  }

  private static void proveThat(Consumer<EmbeddedReplicaSet> trouble) throws InterruptedException {
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = ReplicaSetTest.connect(cluster.connectionString())) {
      MongoCollection<Document> inserted = ReplicaSetTest.majority(client, "inserted");
      MongoCollection<Document> counted = ReplicaSetTest.majority(client, "counted");
      for (int writer = 0; writer < WRITERS; writer++) {
        counted.insertOne(new Document("_id", writer).append("n", 0));
      }
      Set<String> acknowledged = ConcurrentHashMap.newKeySet();
      Map<Integer, Integer> increments = new ConcurrentHashMap<>();
      List<MongoException> failures = new CopyOnWriteArrayList<>();
      AtomicBoolean stop = new AtomicBoolean();
      CountDownLatch under = new CountDownLatch(WRITERS * 10);
      List<Thread> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int id = writer;
        writers.add(
            Thread.ofVirtual()
                .name("writer-" + id)
                .start(
                    () -> {
                      for (int i = 0; !stop.get(); i++) {
                        try {
                          inserted.insertOne(new Document("_id", id + "-" + i));
                          acknowledged.add(id + "-" + i);
                          counted.updateOne(Filters.eq("_id", id), Updates.inc("n", 1));
                          increments.merge(id, 1, Integer::sum);
                          under.countDown();
                        } catch (MongoException failure) {
                          failures.add(failure);
                        }
                      }
                    }));
      }
      assertThat(under.await(20, TimeUnit.SECONDS)).as("writers write").isTrue();
      int before = acknowledged.size();
      trouble.accept(cluster.replicaSet());
      ReplicaSetTest.await(() -> acknowledged.size() > before + WRITERS * 10, "writers go on");
      stop.set(true);
      for (Thread writer : writers) {
        assertThat(writer.join(Duration.ofSeconds(20))).isTrue();
      }
      assertThat(failures).isEmpty();
      List<String> found =
          inserted.find().map(document -> document.getString("_id")).into(new ArrayList<>());
      assertThat(found).containsExactlyInAnyOrderElementsOf(acknowledged);
      counted
          .withWriteConcern(WriteConcern.W1)
          .find()
          .forEach(
              document ->
                  assertThat(document.getInteger("n"))
                      .as("increments of writer " + document.get("_id"))
                      .isEqualTo(increments.get(document.getInteger("_id"))));
    }
  }
}
