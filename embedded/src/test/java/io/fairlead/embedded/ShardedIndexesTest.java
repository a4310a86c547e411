// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.geojson.Point;
import com.mongodb.client.model.geojson.Position;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Indexes of special kinds over two shards, and what reads through them in an order of its own. */
final class ShardedIndexesTest {
  private static final int DOCUMENTS = 60;

  private static EmbeddedCluster cluster;
  private static MongoClient client;
  private static MongoCollection<Document> collection;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.sharded(2, 1).routers(1).start();
    client = ReplicaSetTest.connect(cluster.routers().get(0).connectionString());
    client
        .getDatabase("admin")
        .runCommand(
            new Document("shardCollection", "places.c")
                .append("key", new Document("_id", "hashed")));
    collection = client.getDatabase("places").getCollection("c");
    List<Document> all = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      all.add(
          new Document("_id", i)
              .append("at", new Point(new Position(0, (i * 37) % DOCUMENTS)))
              .append("t", "tea ".repeat(1 + i % 4) + (i % 2 == 0 ? "cup" : ""))
              .append("k", i % 3));
    }
    collection.insertMany(all);
    collection.createIndexes(
        List.of(
            new IndexModel(Indexes.geo2dsphere("at")),
            new IndexModel(Indexes.text("t")),
            new IndexModel(Indexes.hashed("k")),
            new IndexModel(Indexes.ascending("$**"))));
  }

  @AfterAll
  static void stop() {
    client.close();
    cluster.close();
  }

  private static List<Integer> ids(Iterable<Document> documents) {
    List<Integer> ids = new ArrayList<>();
    documents.forEach(document -> ids.add(document.getInteger("_id")));
    return ids;
  }

  private static List<Integer> byLatitude() {
    List<Integer> ids = new ArrayList<>();
    for (int latitude = 0; latitude < DOCUMENTS; latitude++) {
      for (int i = 0; i < DOCUMENTS; i++) {
        if ((i * 37) % DOCUMENTS == latitude) {
          ids.add(i);
        }
      }
    }
    return ids;
  }

  @Test
  void what_is_near_comes_nearest_first_from_all_shards() {
    Bson near = Filters.near("at", new Point(new Position(0, 0)), null, null);
    assertThat(ids(collection.find(near))).isEqualTo(byLatitude());
    assertThat(ids(collection.find(near).projection(Projections.include("k")).skip(5).limit(7)))
        .isEqualTo(byLatitude().subList(5, 12));
    assertThat(ids(collection.find(near).sort(Sorts.descending("_id")).limit(3)))
        .containsExactly(DOCUMENTS - 1, DOCUMENTS - 2, DOCUMENTS - 3);
    List<Document> staged =
        collection
            .aggregate(
                List.of(
                    Aggregates.geoNear(new Point(new Position(0, 0)), "d.metres"),
                    Aggregates.limit(10),
                    Aggregates.project(Projections.include("k"))))
            .into(new ArrayList<>());
    assertThat(ids(staged)).isEqualTo(byLatitude().subList(0, 10));
  }

  @Test
  void words_are_found_on_all_shards_and_the_best_come_first() {
    Bson tea = Filters.text("tea");
    assertThat(collection.countDocuments(tea)).isEqualTo(DOCUMENTS);
    List<Document> best =
        collection
            .find(tea)
            .projection(
                Projections.fields(Projections.include("t"), Projections.metaTextScore("s")))
            .sort(Sorts.metaTextScore("s"))
            .into(new ArrayList<>());
    assertThat(best).hasSize(DOCUMENTS);
    for (int i = 1; i < best.size(); i++) {
      assertThat(best.get(i).getDouble("s")).isLessThanOrEqualTo(best.get(i - 1).getDouble("s"));
    }
    assertThat(best.getFirst()).containsOnlyKeys("_id", "t", "s");
    assertThat(collection.find(tea).sort(Sorts.metaTextScore("s")).limit(4).first())
        .containsOnlyKeys("_id", "at", "t", "k");
    List<Document> staged =
        collection
            .aggregate(
                List.of(
                    Aggregates.match(tea),
                    new Document(
                        "$addFields", new Document("s", new Document("$meta", "textScore"))),
                    Aggregates.sort(Sorts.descending("s")),
                    Aggregates.limit(1)))
            .into(new ArrayList<>());
    assertThat(staged.getFirst().getDouble("s")).isEqualTo(best.getFirst().getDouble("s"));
    assertThatExceptionOfType(MongoException.class)
        .isThrownBy(
            () ->
                collection
                    .aggregate(
                        List.of(Aggregates.match(tea), Aggregates.sort(Sorts.metaTextScore("s"))))
                    .first())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(115));
  }

  @Test
  void options_of_a_find_reach_the_shards_or_are_refused_by_name() {
    assertThat(
            ids(
                collection
                    .find()
                    .min(new Document("_id", 10))
                    .max(new Document("_id", 20))
                    .hint(Indexes.ascending("_id"))
                    .sort(Sorts.ascending("_id"))))
        .containsExactly(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    assertThat(collection.find(Filters.eq("k", 1)).hintString("k_hashed")).hasSize(20);
    assertThat(collection.find().showRecordId(true).first()).containsKey("$recordId");
    assertThat(collection.find(Filters.eq("k", 2)).hintString("$**_1").returnKey(true).first())
        .isEqualTo(new Document("$_path", "k").append("k", 2));
    assertThatExceptionOfType(MongoException.class)
        .isThrownBy(() -> collection.find().returnKey(true).sort(Sorts.ascending("k")).first())
        .satisfies(e -> assertThat(e.getCode()).isEqualTo(115));
  }
}
