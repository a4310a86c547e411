// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collations of collections and of indexes. */
final class CollationsTest {
  private static final String BLIND = "{locale: 'en', strength: 1}";

  private final Store store = new Store();

  private static FindRequest find(String filter, String collation) {
    return FindRequest.matching(json(filter)).withCollation(json(collation));
  }

  @Test
  void a_collections_collation_holds_for_what_has_none_of_its_own() {
    store.create("{collation: " + BLIND + "}").insert("{_id: 'a', n: 'É'}", "{_id: 'B', n: 'f'}");
    assertThat(store.find("{n: 'e'}")).hasSize(1);
    assertThat(store.find(find("{n: 'e'}", "{locale: 'simple'}"))).isEmpty();
    assertThat(store.count("{n: {$lt: 'F'}}")).isEqualTo(1);
    assertThat(store.aggregate("{$match: {n: 'e'}}", "{$count: 'n'}"))
        .containsExactly("{\"n\": 1}");
    assertThat(
            store.find(
                FindRequest.all().withSort(json("{_id: -1}")).withProjection(json("{_id: 1}"))))
        .containsExactly("{\"_id\": \"B\"}", "{\"_id\": \"a\"}");
    assertThat(store.updateMany("{n: 'E'}", "{$set: {x: 1}}").n()).isEqualTo(1);
    assertThat(store.deleteMany("{n: 'E', x: 1}")).isEqualTo(1);
    assertThat(
            store.engine.snapshot().distinct(NS, "n", FindRequest.all(), store.engine.operation()))
        .containsExactly(new BsonString("f"));
  }

  @Test
  void ids_are_told_apart_by_the_collections_collation() {
    store.create("{collation: " + BLIND + "}").insert("{_id: 'a'}");
    refused(11000, () -> store.insert("{_id: 'A'}"));
    assertThat(store.engine.snapshot().findById(NS, new BsonString("Á"))).isNotNull();
    assertThat(store.plan("{_id: 'A'}")).contains("_id_");
    assertThat(store.find(find("{_id: 'A'}", "{locale: 'simple'}"))).isEmpty();
    assertThat(store.find(find("{_id: 'a'}", "{locale: 'simple'}"))).hasSize(1);
    store.check();
  }

  @Test
  void an_index_has_its_collections_collation_unless_it_says_otherwise() {
    store
        .create("{collation: " + BLIND + "}")
        .index("{n: 1}")
        .index("{m: 1}", "{collation: {locale: 'simple'}}");
    List<BsonDocument> indexes = store.engine.snapshot().indexes(NS);
    assertThat(indexes.get(0).getDocument("collation").getString("locale").getValue())
        .isEqualTo("en");
    assertThat(indexes.get(1).getDocument("collation").getInt32("strength").getValue())
        .isEqualTo(1);
    assertThat(indexes.get(1).getDocument("collation").getString("version").getValue())
        .isEqualTo("57.1");
    assertThat(indexes.get(2).containsKey("collation")).isFalse();
    refused(2, () -> store.index("{_id: 1}", "{collation: {locale: 'sv'}}"));
    refused(2, () -> store.index("{a: 1}", "{collation: {}}"));
    refused(14, () -> store.index("{a: 1}", "{collation: 'en'}"));
  }

  @Test
  void an_index_answers_about_strings_only_where_the_collations_agree() {
    store
        .index("{n: 1}", "{collation: " + BLIND + "}")
        .insert("{n: 'É'}", "{n: 'e'}", "{n: 3}", "{n: 'f'}");
    assertThat(store.plan(find("{n: 'e'}", BLIND))).contains("n_1");
    assertThat(store.find(find("{n: 'e'}", BLIND))).hasSize(2);
    assertThat(store.plan(find("{n: 'e'}", "{locale: 'en', strength: 2}"))).contains("COLLSCAN");
    assertThat(store.plan("{n: 'e'}")).contains("COLLSCAN");
    assertThat(store.find("{n: 'e'}")).hasSize(1);
    assertThat(store.plan("{n: 3}")).contains("n_1");
    assertThat(store.plan(find("{n: /^e/}", BLIND))).doesNotContain("FETCH IXSCAN:n_1 ");
    assertThat(store.find(find("{n: /^e/}", BLIND))).hasSize(1);
    FindRequest sorted = find("{}", BLIND).withSort(json("{n: 1}"));
    assertThat(store.plan(sorted)).contains("n_1").doesNotContain("SORT");
    assertThat(store.plan(FindRequest.all().withSort(json("{n: 1}")))).contains("SORT");
    assertThat(store.plan(find("{n: 'e'}", BLIND).withHint(new BsonString("n_1")))).contains("n_1");
  }

  @Test
  void indexes_with_different_collations_stand_beside_each_other() {
    store.index("{n: 1}").index("{n: 1}", "{name: 'blind', collation: " + BLIND + "}");
    store.insert("{n: 'e'}", "{n: 'E'}");
    assertThat(store.plan("{n: 'e'}")).contains("n_1");
    assertThat(store.plan(find("{n: 'e'}", BLIND))).contains("blind");
    refused(85, () -> store.index("{n: 1}", "{name: 'again', collation: " + BLIND + "}"));
    refused(86, () -> store.index("{n: 1}", "{collation: " + BLIND + "}"));
  }

  @Test
  void a_unique_index_is_unique_by_its_collation() {
    store.index("{n: 1}", "{unique: true, collation: " + BLIND + "}").insert("{n: 'e'}");
    refused(11000, () -> store.insert("{n: 'É'}"));
    store.insert("{n: 'f'}");
    store.check();
  }

  @Test
  void a_validator_compares_by_the_collections_collation() {
    store.create("{collation: " + BLIND + ", validator: {n: 'e'}}").insert("{n: 'É'}");
    refused(121, () -> store.insert("{n: 'f'}"));
  }

  @Test
  void a_view_has_a_collation_of_its_own() {
    Namespace view = Namespace.of("db", "v");
    store.insert("{_id: 1, n: 'É'}", "{_id: 2, n: 'f'}");
    create(view, "{viewOn: 'c', pipeline: [], collation: " + BLIND + "}");
    assertThat(all(view, FindRequest.matching(json("{n: 'e'}")))).hasSize(1);
    refused(167, () -> all(view, find("{n: 'e'}", "{locale: 'sv'}")));
    refused(167, () -> all(view, find("{n: 'e'}", "{locale: 'simple'}")));
    assertThat(all(view, find("{n: 'e'}", BLIND))).hasSize(1);
    refused(167, () -> create(Namespace.of("db", "w"), "{viewOn: 'v'}"));
    create(Namespace.of("db", "w"), "{viewOn: 'v', collation: " + BLIND + "}");
  }

  @Test
  void a_lookup_compares_by_the_collation_of_the_aggregation() {
    store.create("{collation: " + BLIND + "}").insert("{_id: 'a'}");
    Namespace other = Namespace.of("db", "d");
    create(other, "{}");
    store.engine.write(WriteContext.plain(), w -> w.insert(other, json("{_id: 'Á'}")));
    store.engine.write(WriteContext.plain(), w -> w.insert(other, json("{_id: 'b'}")));
    String lookup = "{$lookup: {from: 'd', localField: '_id', foreignField: '_id', as: 'd'}}";
    assertThat(store.aggregate(lookup, "{$project: {n: {$size: '$d'}, _id: 0}}"))
        .containsExactly("{\"n\": 1}");
    AggregateRequest simple =
        new AggregateRequest(
            List.of(json(lookup), json("{$project: {n: {$size: '$d'}, _id: 0}}")),
            null,
            json("{locale: 'simple'}"),
            null);
    assertThat(Store.texts(store.engine.snapshot().aggregate(NS, simple, store.engine.operation())))
        .containsExactly("{\"n\": 0}");
  }

  @Test
  void a_clustered_collection_orders_its_records_by_its_collation() {
    store
        .create("{clusteredIndex: {key: {_id: 1}, unique: true}, collation: " + BLIND + "}")
        .insert("{_id: 'b'}", "{_id: 'A'}", "{_id: 'c'}");
    refused(11000, () -> store.insert("{_id: 'a'}"));
    assertThat(store.find("{_id: {$lte: 'B'}}")).hasSize(2);
    assertThat(store.find(find("{_id: {$lte: 'B'}}", "{locale: 'simple'}"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void indexes_change_no_answer(long seed) {
    Random random = new Random(seed);
    List<String> collations =
        List.of(
            BLIND,
            "{locale: 'en', strength: 2}",
            "{locale: 'sv'}",
            "{locale: 'simple'}",
            "{locale: 'en', numericOrdering: true}");
    Store plain = new Store();
    for (int i = 0; i < 60; i++) {
      String document = "{_id: " + i + ", a: " + value(random) + ", b: " + word(random) + "}";
      plain.insert(document);
      store.insert(document);
    }
    store
        .index("{a: 1}")
        .index(
            "{a: -1, b: 1}", "{name: 'x', collation: " + collations.get(random.nextInt(3)) + "}");
    store.index("{b: 1}", "{collation: " + BLIND + ", partialFilterExpression: {a: {$gt: 'b'}}}");
    for (int i = 0; i < 150; i++) {
      String operator = List.of("$eq", "$gt", "$lte", "$in").get(random.nextInt(4));
      String operand =
          operator.equals("$in") ? "[" + value(random) + ", " + value(random) + "]" : value(random);
      String filter =
          "{a: {"
              + operator
              + ": "
              + operand
              + "}"
              + (random.nextBoolean() ? ", b: " + value(random) : "")
              + "}";
      FindRequest request = find(filter, collations.get(random.nextInt(collations.size())));
      if (random.nextBoolean()) {
        request = request.withSort(json("{a: " + (random.nextBoolean() ? 1 : -1) + ", _id: 1}"));
      }
      List<String> expected = new ArrayList<>(plain.find(request));
      List<String> found = new ArrayList<>(store.find(request));
      if (request.sort().isEmpty()) {
        expected.sort(null);
        found.sort(null);
      }
      assertThat(found).as("seed " + seed + ": " + request).isEqualTo(expected);
    }
  }

  private static String value(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Integer.toString(random.nextInt(3));
      case 1 -> "[" + word(random) + ", " + random.nextInt(2) + "]";
      case 2 -> "{x: " + word(random) + "}";
      case 3 -> "null";
      default -> word(random);
    };
  }

  private static String word(Random random) {
    return "'"
        + List.of("a", "A", "ä", "b", "B", "z", "Z", "a10", "a9", "é").get(random.nextInt(10))
        + "'";
  }

  @Test
  void statements_may_have_a_collation() {
    store.insert("{n: 'É'}", "{n: 'f'}");
    UpdateRequest update = UpdateRequest.many(json("{n: 'e'}"), json("{$set: {x: 1}}"));
    assertThat(store.update(update).n()).isZero();
    assertThat(store.update(update.withCollation(json(BLIND))).n()).isEqualTo(1);
    long deleted =
        store
            .engine
            .write(
                WriteContext.plain(),
                w ->
                    w.delete(
                        NS, new DeleteRequest(json("{n: 'E'}"), true, null, json(BLIND), null)))
            .deleted();
    assertThat(deleted).isEqualTo(1);
  }

  private void create(Namespace name, String options) {
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          writes.createCollection(name, CollectionOptions.of(json(options)));
          return true;
        });
  }

  private List<String> all(Namespace name, FindRequest request) {
    return Store.texts(store.engine.snapshot().find(name, request, store.engine.operation()));
  }

  private static void refused(
      int code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }
}
