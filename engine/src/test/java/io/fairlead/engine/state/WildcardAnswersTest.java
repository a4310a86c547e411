// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.value.BsonOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random wildcard indexes, alone and compound: none changes an answer, a count or an order. Without
 * arrays, which leave more to the index alone, and with them.
 */
final class WildcardAnswersTest {
  private static final List<List<String>> INDEXES =
      List.of(
          List.of("{'$**': 1}"),
          List.of("{'$**': -1}"),
          List.of("{'p.$**': 1}"),
          List.of("{'q.a.$**': 1}"),
          List.of("{'$**': 1}", "{wildcardProjection: {p: 1, 'q.a': 1}}"),
          List.of("{'$**': 1}", "{wildcardProjection: {p: 0, 'q.a': 0}}"),
          List.of("{'$**': 1}", "{wildcardProjection: {_id: 1, q: 1}}"),
          List.of("{'$**': 1}", "{wildcardProjection: {_id: 1, q: 0}}"),
          List.of("{'$**': 1}", "{partialFilterExpression: {p: {$gt: 1}}}"),
          List.of("{k: 1, 'q.$**': 1}"),
          List.of("{'q.$**': 1, k: -1}"),
          List.of("{k: 1, '$**': 1, p: 1}", "{wildcardProjection: {q: 1, r: 1}}"));

  private boolean arrays;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void a_wildcard_index_never_changes_an_answer(long seed) {
    Random random = new Random(seed);
    arrays = seed % 2 == 0;
    Store indexed = new Store();
    List<List<String>> indexes = new ArrayList<>(INDEXES);
    Collections.shuffle(indexes, random);
    for (int i = 0; i < 2; i++) {
      List<String> index = indexes.get(i);
      List<String> options = new ArrayList<>(index.subList(1, index.size()));
      options.add("{name: 'i" + i + "'}");
      indexed.index(index.getFirst(), options.toArray(String[]::new));
    }
    Store plain = new Store();
    for (int i = 0; i < 120; i++) {
      BsonDocument document = document(random, i);
      indexed.insert(document);
      plain.insert(document);
      if (i % 10 == 0) {
        String filter = "{" + condition(random) + "}";
        String update =
            "{$set: {" + pick(random, List.of("p", "r")) + ": " + value(random, 2) + "}}";
        indexed.updateMany(filter, update);
        plain.updateMany(filter, update);
      }
    }
    indexed.check();
    for (int i = 0; i < 250; i++) {
      compare(indexed, plain, seed, random);
    }
  }

  private void compare(Store indexed, Store plain, long seed, Random random) {
    List<String> parts = new ArrayList<>();
    for (int n = random.nextInt(3); n >= 0; n--) {
      parts.add("{" + condition(random) + "}");
    }
    String filter =
        (random.nextInt(5) == 0 ? "{$or: [" : "{$and: [") + String.join(", ", parts) + "]}";
    FindRequest request =
        FindRequest.matching(json(filter))
            .withSort(json(pick(random, List.of("{_id: 1}", "{p: 1, _id: 1}", "{k: 1, _id: -1}"))));
    if (random.nextBoolean()) {
      request = request.withProjection(json("{p: 1, k: 1}")).withLimit(1 + random.nextInt(9));
    }
    String what = "seed " + seed + ": " + filter + ", " + indexed.plan(request);
    assertThat(indexed.find(request)).as(what).isEqualTo(plain.find(request));
    assertThat(indexed.count(filter)).as(what).isEqualTo(plain.count(filter));
    if (!arrays) {
      ordered(indexed, plain, filter, pick(random, List.of("p", "q.a", "k")), random.nextBoolean());
    }
  }

  /** By one path alone, for which a wildcard index may be read in its order. */
  private static void ordered(
      Store indexed, Store plain, String filter, String path, boolean descending) {
    FindRequest request =
        FindRequest.matching(json(filter))
            .withSort(json("{'" + path + "': " + (descending ? -1 : 1) + "}"));
    String what = filter + " by " + path + ", " + indexed.plan(request);
    List<String> found = indexed.find(request);
    assertThat(found).as(what).containsExactlyInAnyOrderElementsOf(plain.find(request));
    BsonValue before = null;
    for (String text : found) {
      BsonValue here = valueAt(BsonDocument.parse(text), path);
      if (before != null) {
        int order = BsonOrder.SIMPLE.compare(before, here);
        assertThat(descending ? -order : order).as(what).isLessThanOrEqualTo(0);
      }
      before = here;
    }
  }

  private static BsonValue valueAt(BsonDocument document, String path) {
    BsonValue value = document;
    for (String name : path.split("\\.", -1)) {
      value =
          value instanceof BsonDocument outer ? outer.get(name, BsonNull.VALUE) : BsonNull.VALUE;
    }
    return value;
  }

  private BsonDocument document(Random random, int id) {
    BsonDocument document = new BsonDocument("_id", new BsonInt32(id));
    document.append("k", new BsonInt32(random.nextInt(3)));
    document.append("p", json("{v: " + scalar(random) + "}").get("v"));
    for (String field : List.of("q", "r")) {
      if (random.nextInt(6) > 0) {
        document.putAll(json("{" + field + ": " + value(random, 3) + "}"));
      }
    }
    if (random.nextInt(8) == 0) {
      // A name with a dot is no path, whatever the index may call it.
      document.append(pick(random, List.of("q.a", "r.a")), new BsonInt32(random.nextInt(3)));
    }
    return document;
  }

  private String condition(Random random) {
    String path =
        pick(
            random,
            List.of("p", "q", "q.a", "q.b", "q.a.b", "q.0", "q.a.0", "r", "r.a", "k", "_id"));
    return "'"
        + path
        + "': "
        + switch (random.nextInt(14)) {
          case 0, 1, 2 -> value(random, 2);
          case 3 -> "{$gt: " + value(random, 1) + "}";
          case 4 -> "{$lte: " + scalar(random) + "}";
          case 5 -> "{$in: [" + scalar(random) + ", " + value(random, 1) + "]}";
          case 6 -> "{$gte: 1, $lt: 3}";
          case 7 -> "{$elemMatch: {a: " + scalar(random) + "}}";
          case 8 -> "{$elemMatch: {$gt: 0, $lt: 3}}";
          case 9 -> "{$exists: " + random.nextBoolean() + "}";
          case 10 -> "{$ne: " + value(random, 1) + "}";
          case 11 -> "{$not: {$gt: " + scalar(random) + "}}";
          case 12 ->
              pick(random, List.of("null", "{}", "[]", "{$gt: {$minKey: 1}}", "{$type: 'int'}"));
          default -> "{$all: [" + scalar(random) + ", " + scalar(random) + "]}";
        };
  }

  private String value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? (arrays ? 11 : 8) : 5)) {
      case 0, 1, 2, 3, 4 -> scalar(random);
      case 5 -> random.nextBoolean() ? "{}" : "{'x.y': " + scalar(random) + "}";
      case 6, 7 ->
          "{"
              + pick(random, List.of("a", "b", "'0'"))
              + ": "
              + value(random, depth - 1)
              + ", c: "
              + value(random, depth - 1)
              + "}";
      case 8 -> "[]";
      case 9 -> "[" + value(random, depth - 1) + "]";
      default -> "[" + value(random, depth - 1) + ", " + value(random, depth - 1) + "]";
    };
  }

  private static String scalar(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> "null";
      case 1 -> "'" + "xyz".charAt(random.nextInt(3)) + "'";
      case 2 -> "true";
      case 3 -> pick(random, List.of("NaN", "{$numberLong: '2'}", "1.5"));
      default -> String.valueOf(random.nextInt(4));
    };
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
