// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

final class DocumentWritesTest {
  private final Store store = new Store();

  @Test
  void an_inserted_document_is_found() {
    store.insert("{_id: 1, a: 'x'}");
    assertThat(store.find("{a: 'x'}")).containsExactly("{\"_id\": 1, \"a\": \"x\"}");
    assertThat(store.engine.snapshot().findById(NS, new BsonInt32(1))).isNotNull();
    assertThat(store.engine.snapshot().size(NS)).isEqualTo(1);
  }

  @Test
  void a_document_without_an_id_gets_one_in_front() {
    store.insert("{a: 1}");
    BsonDocument found = json(store.find("{}").getFirst());
    assertThat(found.keySet()).containsExactly("_id", "a");
    assertThat(found.get("_id")).isInstanceOf(BsonObjectId.class);
  }

  @Test
  void an_id_is_moved_to_the_front() {
    store.insert("{a: 1, _id: 7, b: 2}");
    assertThat(store.find("{}")).containsExactly("{\"_id\": 7, \"a\": 1, \"b\": 2}");
  }

  @Test
  void an_id_cannot_be_an_array_a_pattern_or_undefined() {
    refused(2, () -> store.insert("{_id: [1]}"));
    refused(2, () -> store.insert("{_id: /a/}"));
    refused(2, () -> store.insert("{_id: {$undefined: true}}"));
    refused(
        52,
        () ->
            store.engine.write(
                WriteContext.plain(),
                w ->
                    w.insert(
                        NS, new BsonDocument("_id", new BsonDocument("$x", new BsonInt32(1))))));
    assertThat(store.count("{}")).isZero();
  }

  @Test
  void a_second_document_of_an_id_is_refused_with_its_key() {
    store.insert("{_id: {a: 1}}");
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> store.insert("{_id: {a: 1}, b: 2}"))
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(11000);
              assertThat(e.getMessage())
                  .isEqualTo(
                      "E11000 duplicate key error collection: db.c index: _id_ dup key: { _id: { a:"
                          + " 1 } }");
              assertThat(e.details())
                  .isEqualTo(json("{keyPattern: {_id: 1}, keyValue: {_id: {a: 1}}}"));
            });
  }

  @Test
  void numbers_of_different_kinds_are_one_id() {
    store.insert("{_id: 1}");
    refused(11000, () -> store.insert("{_id: {$numberLong: '1'}}"));
    refused(11000, () -> store.insert("{_id: 1.0}"));
    refused(11000, () -> store.insert("{_id: {$numberDecimal: '1.0'}}"));
    store.insert("{_id: '1'}");
    assertThat(store.count("{}")).isEqualTo(2);
  }

  @Test
  void a_document_larger_than_16_mebibytes_is_refused() {
    refused(
        2,
        () ->
            store.engine.write(
                WriteContext.plain(),
                writes ->
                    writes.insert(
                        NS, new BsonDocument("a", new BsonBinary(new byte[16 * 1024 * 1024])))));
    store.insert("{_id: 1, a: '" + "x".repeat(8 * 1024 * 1024) + "'}");
    refused(
        17419,
        () -> store.updateOne("{_id: 1}", "{$set: {b: '" + "y".repeat(8 * 1024 * 1024) + "'}}"));
    assertThat(store.count("{b: {$exists: true}}")).isZero();
    refused(
        17420,
        () ->
            store.update(
                UpdateRequest.one(
                        json("{_id: 2}"),
                        new BsonDocument("a", new BsonBinary(new byte[16 * 1024 * 1024])))
                    .withUpsert(true)));
  }

  @Test
  void an_update_counts_what_matched_and_what_it_changed() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 1}", "{_id: 3, a: 2}");
    var both = store.updateMany("{a: 1}", "{$set: {b: 5}}");
    assertThat(both.matched()).isEqualTo(2);
    assertThat(both.modified()).isEqualTo(2);
    var again = store.updateMany("{a: {$gte: 1}}", "{$set: {b: 5}}");
    assertThat(again.matched()).isEqualTo(3);
    assertThat(again.modified()).isEqualTo(1);
    assertThat(store.updateOne("{a: 9}", "{$set: {b: 5}}").n()).isZero();
  }

  @Test
  void an_upsert_inserts_when_nothing_matches() {
    var outcome =
        store.update(
            UpdateRequest.one(
                    json("{_id: 'k', s: 1}"), json("{$set: {a: 2}, $setOnInsert: {b: 3}}"))
                .withUpsert(true));
    assertThat(outcome.n()).isEqualTo(1);
    assertThat(outcome.modified()).isZero();
    assertThat(outcome.upsertedId()).isEqualTo(new BsonString("k"));
    assertThat(json(store.find("{}").getFirst())).isEqualTo(json("{_id: 'k', s: 1, a: 2, b: 3}"));
    store.update(
        UpdateRequest.one(json("{_id: 'k'}"), json("{$set: {a: 4}, $setOnInsert: {b: 9}}"))
            .withUpsert(true));
    assertThat(json(store.find("{}").getFirst())).isEqualTo(json("{_id: 'k', s: 1, a: 4, b: 3}"));
  }

  @Test
  void two_upserts_of_one_id_at_the_same_time_both_take_effect() throws Exception {
    for (int round = 0; round < 200; round++) {
      String filter = "{_id: " + round + "}";
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (String update : List.of("{$set: {a: 1}}", "{$addToSet: {b: 1}}")) {
        threads.add(
            Thread.ofVirtual()
                .name("upsert")
                .start(
                    () -> {
                      try {
                        start.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                      store.update(UpdateRequest.one(json(filter), json(update)).withUpsert(true));
                    }));
      }
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertThat(store.count("{a: 1, b: [1]}")).isEqualTo(200);
  }

  @Test
  void a_replacement_keeps_the_id_and_is_not_for_many() {
    store.insert("{_id: 1, a: 1}");
    assertThat(store.updateOne("{a: 1}", "{b: 2}").modified()).isEqualTo(1);
    assertThat(store.find("{}")).containsExactly("{\"_id\": 1, \"b\": 2}");
    refused(9, () -> store.updateMany("{}", "{c: 2}"));
  }

  @Test
  void a_delete_takes_all_or_the_first() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 1}", "{_id: 3, a: 2}");
    assertThat(store.deleteMany("{a: 1}")).isEqualTo(2);
    assertThat(store.find("{}")).hasSize(1);
    store.check();
  }

  @Test
  void find_and_modify_shows_the_document_before_or_after() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 5}");
    var before =
        store.findAndModify(
            FindAndModifyRequest.update(json("{}"), json("{$inc: {a: 1}}"))
                .withSort(json("{a: -1}")));
    assertThat(before.value()).hasValue(json("{_id: 2, a: 5}"));
    var after =
        store.findAndModify(
            FindAndModifyRequest.update(json("{_id: 2}"), json("{$inc: {a: 1}}"))
                .withReturnNew(true)
                .withProjection(json("{_id: 0}")));
    assertThat(after.value()).hasValue(json("{a: 7}"));
    var none =
        store.findAndModify(
            FindAndModifyRequest.update(json("{_id: 9}"), json("{$set: {a: 1}}")).withUpsert(true));
    assertThat(none.value()).isEmpty();
    assertThat(none.matched()).isFalse();
    assertThat(none.upsertedId()).isEqualTo(new BsonInt32(9));
    var removed = store.findAndModify(FindAndModifyRequest.remove(json("{_id: 9}")));
    assertThat(removed.value()).hasValue(json("{_id: 9, a: 1}"));
    assertThat(store.count("{_id: 9}")).isZero();
  }

  @Test
  void a_capped_collection_forgets_its_oldest_documents() {
    store.create("{capped: true, size: 100000, max: 3}");
    store.insert("{_id: 1}", "{_id: 2}", "{_id: 3}", "{_id: 4}", "{_id: 5}");
    assertThat(store.find("{}")).containsExactly("{\"_id\": 3}", "{\"_id\": 4}", "{\"_id\": 5}");
    assertThat(store.find(FindRequest.all().withSort(json("{$natural: -1}"))))
        .containsExactly("{\"_id\": 5}", "{\"_id\": 4}", "{\"_id\": 3}");
    store.check();
  }

  @Test
  void a_validator_refuses_what_does_not_match() {
    store.create("{validator: {a: {$type: 'string'}}}");
    store.insert("{_id: 1, a: 'x'}");
    refused(121, () -> store.insert("{_id: 2, a: 3}"));
    refused(121, () -> store.updateOne("{_id: 1}", "{$set: {a: 3}}"));
    store.engine.write(
        WriteContext.plain().withBypassValidation(true),
        writes -> writes.insert(NS, json("{_id: 2, a: 3}")));
    assertThat(store.count("{}")).isEqualTo(2);
  }

  @Test
  void a_clustered_collection_is_ordered_by_its_ids() {
    store.create("{clusteredIndex: {key: {_id: 1}, unique: true}}");
    store.insert("{_id: 3}", "{_id: 1}", "{_id: 2}");
    refused(11000, () -> store.insert("{_id: 2}"));
    assertThat(store.find("{_id: {$gte: 2}}")).containsExactly("{\"_id\": 2}", "{\"_id\": 3}");
    assertThat(store.plan("{_id: {$gte: 2}}")).isEqualTo("CLUSTERED_IXSCAN");
    assertThat(store.updateOne("{_id: 1}", "{$set: {a: 1}}").modified()).isEqualTo(1);
    assertThat(store.deleteMany("{_id: {$lt: 3}}")).isEqualTo(2);
  }

  @Test
  void records_can_be_ordered_by_a_field_and_trimmed() {
    Namespace log = Namespace.of("local", "log");
    store.engine.write(
        WriteContext.unreplicated(),
        writes -> {
          writes.createCollection(log, CollectionOptions.none().withRecordKeyField("ts"));
          for (int i = 1; i <= 100; i++) {
            writes.insert(log, json("{ts: {$timestamp: {t: " + i + ", i: 1}}, n: " + i + "}"));
          }
          return writes.trimOldest(log, 50);
        });
    var snapshot = store.engine.snapshot();
    assertThat(snapshot.size(log)).isEqualTo(50);
    FindRequest newer =
        FindRequest.matching(json("{ts: {$gt: {$timestamp: {t: 97, i: 1}}}}"))
            .withProjection(json("{n: 1, _id: 0}"));
    assertThat(Store.texts(snapshot.find(log, newer, store.engine.operation())))
        .containsExactly("{\"n\": 98}", "{\"n\": 99}", "{\"n\": 100}");
    assertThat(
            Store.texts(
                snapshot.find(
                    log,
                    newer.withSort(json("{$natural: -1}")).withLimit(1),
                    store.engine.operation())))
        .containsExactly("{\"n\": 100}");
  }

  @Test
  void names_that_cannot_be_collections_are_refused() {
    for (String name : List.of("", ".a", "a$b", "system.nothing", "x".repeat(300))) {
      refused(
          73,
          () ->
              store.engine.write(
                  WriteContext.plain(),
                  writes -> writes.insert(Namespace.of("db", name), json("{}"))));
    }
    refused(
        73,
        () ->
            store
                .engine
                .snapshot()
                .find(Namespace.of("a b", "c"), FindRequest.all(), store.engine.operation()));
  }

  @Test
  void collections_are_created_renamed_and_dropped() {
    Namespace other = Namespace.of("db", "other");
    store.insert("{_id: 1}").create("{}");
    refused(48, () -> store.create("{capped: true, size: 1000}"));
    store.engine.write(WriteContext.plain(), w -> w.insert(other, json("{_id: 2}")));
    refused(48, () -> rename(NS, other, false));
    rename(NS, other, true);
    var snapshot = store.engine.snapshot();
    assertThat(snapshot.collections("db"))
        .singleElement()
        .satisfies(c -> assertThat(c.namespace()).isEqualTo(other));
    assertThat(snapshot.findById(other, new BsonInt32(1))).isNotNull();
    refused(26, () -> rename(NS, other, true));
    boolean first = store.engine.write(WriteContext.plain(), w -> w.dropCollection(other));
    assertThat(first).isTrue();
    boolean second = store.engine.write(WriteContext.plain(), w -> w.dropCollection(other));
    assertThat(second).isFalse();
    assertThat(store.engine.snapshot().databases()).isEmpty();
    refused(26, () -> store.engine.snapshot().indexes(other));
    store.insert("{_id: 1}");
    refused(
        13297,
        () ->
            store.engine.write(
                WriteContext.plain(), w -> w.insert(Namespace.of("DB", "c"), json("{}"))));
    boolean third = store.engine.write(WriteContext.plain(), w -> w.dropDatabase("db"));
    assertThat(third).isTrue();
  }

  private void rename(Namespace from, Namespace to, boolean dropTarget) {
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          writes.renameCollection(from, to, dropTarget);
          return true;
        });
  }

  @Test
  void a_statement_that_fails_leaves_nothing_and_the_write_goes_on() {
    store.index("{u: 1}", "{unique: true}").insert("{_id: 1, u: 1}");
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          writes.insert(NS, json("{_id: 2, u: 2}"));
          refused(11000, () -> writes.insert(NS, json("{_id: 3, u: 2}")));
          Namespace parallel = Namespace.of("db", "p");
          writes.createIndexes(parallel, List.of(IndexSpec.on(json("{a: 1, b: 1}"))));
          refused(171, () -> writes.insert(parallel, json("{a: [1], b: [2]}")));
          return writes.insert(NS, json("{_id: 4, u: 4}"));
        });
    assertThat(store.count("{}")).isEqualTo(3);
    store.check();
  }

  @Test
  void what_the_body_throws_undoes_everything() {
    store.insert("{_id: 1}");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                store.engine.write(
                    WriteContext.plain(),
                    writes -> {
                      writes.insert(NS, json("{_id: 2}"));
                      writes.insert(Namespace.of("db", "other"), json("{_id: 2}"));
                      throw new IllegalStateException("no");
                    }));
    assertThat(store.count("{}")).isEqualTo(1);
    assertThat(store.engine.snapshot().collections("db")).hasSize(1);
  }

  @Test
  void a_document_with_a_field_twice_is_not_changed_so_that_one_is_lost() {
    DocumentWriter twice = new DocumentWriter();
    twice.value("_id", new BsonInt32(1));
    twice.value("c", new BsonInt32(1));
    twice.value("c", new BsonInt32(2));
    store.index("{c: 1}").insert(twice.finish());
    refused(2, () -> store.updateOne("{_id: 1}", "{$set: {x: 1}}"));
    store.check();
    assertThat(store.count("{c: 1}")).isEqualTo(1);
    store.updateOne("{_id: 1}", "{c: 3}");
    store.check();
    assertThat(store.find("{c: 3}")).containsExactly("{\"_id\": 1, \"c\": 3}");
  }

  @Test
  void an_id_that_becomes_an_equal_number_of_another_kind_is_told_as_it_is() {
    store.insert("{_id: 1}", "{_id: 2}");
    store.updateOne("{_id: 1}", "{$set: {_id: 1.0}}");
    store.updateOne("{_id: 2}", "{_id: 2.0}");
    store.check();
    FindRequest covered =
        FindRequest.matching(json("{_id: {$gte: 0}}"))
            .withProjection(json("{_id: 1}"))
            .withHint(json("{_id: 1}"));
    assertThat(store.find(covered)).containsExactly("{\"_id\": 1.0}", "{\"_id\": 2.0}");
  }

  @Test
  void a_refused_insert_leaves_no_mark_on_an_index_for_the_next_statement() {
    store.index("{a: 1}").index("{u: 1}", "{unique: true}").insert("{_id: 1, a: 1, u: 1}");
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          refused(11000, () -> writes.insert(NS, json("{_id: 2, a: [1, 2], u: 1}")));
          return writes.update(NS, UpdateRequest.one(json("{_id: 1}"), json("{$set: {z: 1}}")));
        });
    store.check();
    assertThat(
            ((StoreSnapshot) store.engine.snapshot())
                .root()
                .collectionsOf("db")
                .getFirst()
                .indexes())
        .noneMatch(IndexState::isMultikey);
  }

  private static void refused(int code, ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
