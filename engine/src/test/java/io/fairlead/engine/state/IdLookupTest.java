// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction.UpdateOutcome;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A filter that is an {@code _id} and nothing else says what it would say with a plan. */
final class IdLookupTest {
  private static final List<String> IDS =
      List.of(
          "1",
          "{$numberDouble: '2.0'}",
          "{$numberLong: '3'}",
          "{$numberDecimal: '4.0'}",
          "{$numberDouble: 'NaN'}",
          "-0.0",
          "'a'",
          "''",
          "'A'",
          "null",
          "true",
          "{}",
          "{a: 1}",
          "{a: 1, b: 2}",
          "{b: 2, a: 1}",
          "{a: {$numberLong: '2'}}",
          "{a: [1, 2]}",
          "{$oid: '0123456789abcdef01234567'}",
          "{$date: {$numberLong: '5'}}",
          "{$timestamp: {t: 5, i: 1}}",
          "{$binary: {base64: 'AQID', subType: '00'}}",
          "{$uuid: '01234567-0123-4123-8123-0123456789ab'}",
          "{$minKey: 1}",
          "{$maxKey: 1}",
          "{$ref: 'c', $id: 1}");

  static List<String> filters() {
    List<String> filters = new ArrayList<>();
    IDS.forEach(id -> filters.add("{_id: " + id + "}"));
    for (String other :
        List.of(
            "{$numberInt: '2'}",
            "{$numberDouble: '3.0'}",
            "{$numberLong: '4'}",
            "{$numberDecimal: '1'}",
            "{$numberDecimal: '2.000'}",
            "{$numberDecimal: 'NaN'}",
            "0",
            "1.5",
            "'b'",
            "false",
            "[1]",
            "[]",
            "{a: {$numberDouble: '1.0'}}",
            "{a: 2}",
            "{a: {$gt: 0}}",
            "{$gt: 2}",
            "{$eq: 1}",
            "{$eq: 1, $gt: 0}",
            "{$eq: {a: 1}}",
            "{$eq: {$gt: 1}}",
            "{$eq: [1]}",
            "{$eq: null}",
            "{$eq: {$regularExpression: {pattern: 'a', options: ''}}}",
            "{$gte: 'a'}",
            "{$in: [1, 'a']}",
            "{$type: 'string'}",
            "{$exists: true}",
            "{$regularExpression: {pattern: 'a', options: ''}}",
            "{$id: 1, $ref: 'c'}")) {
      filters.add("{_id: " + other + "}");
    }
    filters.add("{}");
    filters.add("{_id: 1, n: 0}");
    filters.add("{n: 0, _id: 1}");
    filters.add("{_id: 1, n: 7}");
    filters.add("{'_id.a': 1}");
    filters.add("{'': null}");
    filters.add("{a: null}");
    filters.add("{_id: {'': null}}");
    filters.add("{_i: 1}");
    filters.add("{_idd: 1}");
    return filters;
  }

  private static Store store() {
    Store store = new Store();
    for (int i = 0; i < IDS.size(); i++) {
      store.insert(json("{_id: " + IDS.get(i) + "}").append("n", new BsonInt32(i)));
    }
    return store;
  }

  @ParameterizedTest
  @MethodSource("filters")
  void a_find_gives_what_a_scan_gives(String text) {
    Store store = store();
    BsonDocument filter = json(text);
    List<String> scanned = store.find(FindRequest.matching(filter).withHint(json("{$natural: 1}")));
    assertThat(store.find(FindRequest.matching(filter)))
        .containsExactlyInAnyOrderElementsOf(scanned);
    assertThat(store.find(FindRequest.matching(RawBytes.raw(filter))))
        .as("as bytes")
        .containsExactlyInAnyOrderElementsOf(scanned);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void writes_meet_what_a_scan_meets(String text) {
    BsonDocument filter = json(text);
    BsonDocument update = json("{$set: {met: true}}");
    Store scanned = store();
    UpdateOutcome wanted =
        scanned.update(UpdateRequest.many(filter, update).withHint(json("{$natural: 1}")));
    for (BsonDocument given : List.of(filter, RawBytes.raw(filter))) {
      Store store = store();
      assertThat(store.update(UpdateRequest.many(given, update))).isEqualTo(wanted);
      assertThat(store.find("{}")).isEqualTo(scanned.find("{}"));
      assertThat(
              store
                  .engine
                  .write(
                      WriteContext.plain(), writes -> writes.delete(NS, DeleteRequest.many(given)))
                  .deleted())
          .isEqualTo(wanted.matched());
      assertThat(store.find("{}")).isEqualTo(scanned.find("{met: null}"));
      store.check();
    }
  }

  @Test
  void an_upsert_that_meets_nothing_inserts_that_id() {
    Store store = store();
    UpdateOutcome outcome =
        store.update(UpdateRequest.one(json("{_id: 77}"), json("{$set: {a: 1}}")).withUpsert(true));
    assertThat(outcome.matched()).isZero();
    assertThat(outcome.upsertedId()).isEqualTo(new BsonInt32(77));
    assertThat(store.find("{_id: 77}")).containsExactly("{\"_id\": 77, \"a\": 1}");
  }

  @Test
  void a_position_is_refused_where_the_filter_walked_through_no_array() {
    Store store = new Store().insert("{_id: 1, a: [1]}");
    assertThatThrownBy(() -> store.updateOne("{_id: 1}", "{$set: {'a.$': 5}}"))
        .isInstanceOfSatisfying(
            EngineException.class, refused -> assertThat(refused.code()).isEqualTo(2));
  }

  @Test
  void find_and_modify_gives_the_document_and_what_its_projection_shows() {
    Store store = store();
    var found =
        store.findAndModify(
            FindAndModifyRequest.update(json("{_id: 'a'}"), json("{$inc: {n: 100}}"))
                .withReturnNew(true));
    assertThat(found.value().orElseThrow().toJson()).isEqualTo("{\"_id\": \"a\", \"n\": 106}");
    var projected =
        store.findAndModify(
            FindAndModifyRequest.update(json("{_id: 'a'}"), json("{$inc: {n: 1}}"))
                .withProjection(json("{n: 1, _id: 0}")));
    assertThat(projected.value().orElseThrow().toJson()).isEqualTo("{\"n\": 106}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"collection", "request"})
  void a_collation_finds_the_ids_that_are_equal_under_it(String of) {
    BsonDocument collation = json("{locale: 'en', strength: 2}");
    Store store = new Store();
    FindRequest request = FindRequest.matching(json("{_id: 'A'}"));
    if (of.equals("collection")) {
      store.create("{collation: {locale: 'en', strength: 2}}");
    } else {
      request = request.withCollation(collation);
    }
    store.insert("{_id: 'a'}");
    assertThat(store.find(request)).containsExactly("{\"_id\": \"a\"}");
    UpdateRequest update = UpdateRequest.one(json("{_id: 'A'}"), json("{$set: {x: 1}}"));
    assertThat(
            store
                .update(of.equals("collection") ? update : update.withCollation(collation))
                .matched())
        .isEqualTo(1);
  }

  @Test
  void a_clustered_collection_finds_by_its_records() {
    Store store = new Store().create("{clusteredIndex: {key: {_id: 1}, unique: true}}");
    store.insert("{_id: 1}", "{_id: 2}");
    assertThat(store.find("{_id: 2}")).containsExactly("{\"_id\": 2}");
    assertThat(store.updateOne("{_id: 2}", "{$set: {x: 1}}").modified()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{_id: {$foo: 1}}",
        "{_id: {$gt: 1, foo: 2}}",
        "{_id: {$regex: 5}}",
        "{_id: {$in: 1}}",
        "{_id: {$undefined: true}}",
        "{$foo: 1}"
      })
  void a_filter_that_is_wrong_is_refused(String filter) {
    Store store = store();
    for (BsonDocument given : List.of(json(filter), RawBytes.raw(json(filter)))) {
      assertThatThrownBy(() -> store.find(FindRequest.matching(given)))
          .isInstanceOf(EngineException.class);
      assertThatThrownBy(() -> store.update(UpdateRequest.one(given, json("{$set: {a: 1}}"))))
          .isInstanceOf(EngineException.class);
    }
  }

  @Test
  void each_lookup_counts_as_a_use_of_the_index() {
    Store store = store();
    long before = uses(store);
    store.find("{_id: 1}");
    store.updateOne("{_id: 1}", "{$set: {a: 1}}");
    store.deleteMany("{_id: 1}");
    assertThat(uses(store) - before).isEqualTo(3);
  }

  private static long uses(Store store) {
    return store.engine.snapshot().indexAccesses(NS).getFirst().operations();
  }
}
