// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.catalog.DatabaseInfo;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.RawClient;
import io.fairlead.server.TestSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

final class InitialSyncTest {
  private static final Namespace ORDERS = Namespace.of("shop", "orders");
  private static final Namespace OWN = Namespace.of("local", "own");

  private static Engine holding(Consumer<WriteTransaction> content) {
    Engine engine = Engine.open(EngineOptions.defaults());
    engine.write(
        WriteContext.unreplicated(),
        transaction -> {
          content.accept(transaction);
          return true;
        });
    return engine;
  }

  private static void everyKindOfCollection(WriteTransaction transaction) {
    for (int id = 0; id < 500; id++) {
      transaction.insert(ORDERS, BsonDocument.parse("{_id: " + id + ", n: " + id % 7 + "}"));
    }
    transaction.createIndexes(
        ORDERS, List.of(new IndexSpec(BsonDocument.parse("{key: {n: 1, _id: -1}, name: 'by n'}"))));
    create(transaction, "recent", "{capped: true, size: 4096, max: 3}");
    create(transaction, "clustered", "{clusteredIndex: {key: {_id: 1}, unique: true}}");
    create(transaction, "sevens", "{viewOn: 'orders', pipeline: [{$match: {n: 0}}]}");
    create(transaction, "weather", "{timeseries: {timeField: 't', metaField: 'at'}}");
    transaction.insert(
        Namespace.of("shop", "weather"), BsonDocument.parse("{t: {$date: 0}, at: 'ams', c: 7}"));
    for (int id = 0; id < 5; id++) {
      transaction.insert(Namespace.of("shop", "recent"), BsonDocument.parse("{_id: " + id + "}"));
      transaction.insert(
          Namespace.of("shop", "clustered"), BsonDocument.parse("{_id: " + id + "}"));
    }
  }

  private static void create(WriteTransaction transaction, String name, String options) {
    transaction.createCollection(
        Namespace.of("shop", name), CollectionOptions.of(BsonDocument.parse(options)));
  }

  /** Everything that is replicated, as text. */
  private static Map<String, Object> replicated(Engine engine) {
    Snapshot snapshot = engine.snapshot();
    Map<String, Object> all = new TreeMap<>();
    for (DatabaseInfo database : snapshot.databases()) {
      if (!database.name().equals("local")) {
        for (CollectionInfo info : snapshot.collections(database.name())) {
          List<String> content = new ArrayList<>();
          content.add(info.options().declared().toJson());
          if (!info.options().declared().containsKey("viewOn")) {
            content.add(snapshot.indexes(info.namespace()).toString());
          }
          content.addAll(documents(engine, snapshot, info.namespace()));
          all.put(info.namespace().toString(), content);
        }
      }
    }
    return all;
  }

  private static List<String> documents(Engine engine, Snapshot snapshot, Namespace namespace) {
    List<String> documents = new ArrayList<>();
    try (DocumentCursor cursor = snapshot.find(namespace, FindRequest.all(), engine.operation())) {
      for (RawBsonDocument next = cursor.next(); next != null; next = cursor.next()) {
        documents.add(next.toJson());
      }
    }
    return documents;
  }

  @Test
  void a_copy_has_every_collection_with_its_options_indexes_and_documents() throws Exception {
    try (TestSet set =
        TestSet.start(
            2,
            member ->
                member == 0
                    ? holding(InitialSyncTest::everyKindOfCollection)
                    : Engine.open(EngineOptions.defaults()))) {
      Map<String, Object> original = replicated(set.member(0).engine());
      assertThat(original).containsKeys("shop.orders", "shop.weather", "shop.sevens");
      assertThat(replicated(set.member(1).engine())).isEqualTo(original);
    }
  }

  @Test
  void a_copy_takes_the_place_of_what_was_there_but_for_what_is_local() throws Exception {
    try (TestSet set =
            TestSet.start(
                2,
                member ->
                    holding(
                        transaction -> {
                          transaction.insert(
                              ORDERS, BsonDocument.parse("{_id: 'of " + member + "'}"));
                          transaction.insert(OWN, BsonDocument.parse("{_id: " + member + "}"));
                        }));
        RawClient primary = RawClient.of(set.member(0))) {
      primary.run("shop", "{insert: 'orders', documents: [{_id: 1}], writeConcern: {w: 2}}");
      Engine copy = set.member(1).engine();
      assertThat(documents(copy, copy.snapshot(), ORDERS))
          .containsExactly("{\"_id\": \"of 0\"}", "{\"_id\": 1}");
      assertThat(documents(copy, copy.snapshot(), OWN)).containsExactly("{\"_id\": 1}");
    }
  }
}
