// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random indexes, each with a collation of its own, and random queries with others: no index
 * changes an answer, be it for bounds, for order, for covering or for counting.
 */
final class CollatedIndexesTest {
  private static final List<String> COLLATIONS =
      List.of(
          "{locale: 'simple'}",
          "{locale: 'en', strength: 1}",
          "{locale: 'en', strength: 2}",
          "{locale: 'en'}",
          "{locale: 'en', numericOrdering: true}",
          "{locale: 'fr', strength: 2, caseLevel: true}");

  private static final List<String> KEYS =
      List.of(
          "{a: 1}",
          "{a: -1}",
          "{b: 1}",
          "{a: 1, b: -1}",
          "{b: 1, a: 1}",
          "{'c.d': 1}",
          "{a: 1, 'c.d': 1}",
          "{a: 'hashed'}",
          "{'$**': 1}",
          "{'c.$**': 1}",
          "{b: 1, 'c.$**': 1}");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void an_index_of_any_collation_never_changes_an_answer(long seed) {
    Random random = new Random(seed);
    String collectionDefault = random.nextBoolean() ? pick(random, COLLATIONS) : null;
    String options = collectionDefault == null ? "{}" : "{collation: " + collectionDefault + "}";
    Store indexed = new Store().create(options);
    Store plain = new Store().create(options);
    int made = 0;
    for (String key : KEYS) {
      if (random.nextInt(3) > 0) {
        List<String> more = new ArrayList<>(List.of("{name: 'i" + made++ + "'}"));
        boolean special = key.contains("hashed") || key.contains("$**");
        if (random.nextInt(4) > 0) {
          more.add("{collation: " + pick(random, COLLATIONS) + "}");
        }
        if (!special && random.nextInt(4) == 0) {
          more.add(
              random.nextBoolean()
                  ? "{partialFilterExpression: {a: {$gt: 'b'}}}"
                  : "{partialFilterExpression: {b: {$exists: true}}}");
        }
        indexed.index(key, more.toArray(String[]::new));
      }
    }
    for (int round = 0; round < 60; round++) {
      write(indexed, plain, random, round);
      for (int i = 0; i < 12; i++) {
        compare(indexed, plain, seed, random);
      }
    }
    indexed.check();
  }

  private static void write(Store indexed, Store plain, Random random, int round) {
    if (random.nextInt(4) > 0) {
      String document = document(random, round);
      boolean stored = tolerant(() -> indexed.insert(document));
      if (stored) {
        plain.insert(document);
      }
      return;
    }
    UpdateRequest update =
        UpdateRequest.many(
                json("{" + condition(random) + "}"),
                json("{$set: {" + pick(random, List.of("a", "b")) + ": " + scalar(random) + "}}"))
            .withCollation(json(pick(random, COLLATIONS)));
    assertThat(indexed.update(update)).isEqualTo(plain.update(update));
  }

  private static boolean tolerant(Runnable write) {
    try {
      write.run();
      return true;
    } catch (EngineException e) {
      // Arrays in a hashed index, or parallel ones.
      assertThat(e.code()).isIn(16766, 171);
      return false;
    }
  }

  private static void compare(Store indexed, Store plain, long seed, Random random) {
    String filter = filter(random);
    String sort =
        pick(
            random,
            List.of(
                "{_id: 1}",
                "{a: 1, _id: 1}",
                "{a: -1, _id: 1}",
                "{b: 1, _id: 1}",
                "{a: 1, b: -1, _id: 1}",
                "{'c.d': 1, _id: 1}",
                "{}"));
    FindRequest request = FindRequest.matching(json(filter)).withSort(json(sort));
    String collation = random.nextInt(3) > 0 ? pick(random, COLLATIONS) : null;
    if (collation != null) {
      request = request.withCollation(json(collation));
    }
    if (random.nextBoolean()) {
      request =
          request.withProjection(
              json(pick(random, List.of("{a: 1, _id: 0}", "{a: 1, b: 1, _id: 0}", "{'c.d': 1}"))));
    }
    if (!sort.equals("{}") && random.nextBoolean()) {
      request = request.withLimit(1 + random.nextInt(5)).withSkip(random.nextInt(3));
    }
    String what =
        "seed %d: %s by %s, %s, plan %s"
            .formatted(seed, filter, sort, collation, indexed.plan(request));
    List<String> expected = plain.find(request);
    if (sort.equals("{}")) {
      assertThat(indexed.find(request)).as(what).containsExactlyInAnyOrderElementsOf(expected);
    } else {
      assertThat(indexed.find(request)).as(what).isEqualTo(expected);
    }
    assertThat(indexed.engine.snapshot().count(NS, request, indexed.engine.operation()))
        .as(what)
        .isEqualTo(expected.size());
    String path = pick(random, List.of("a", "b", "c.d"));
    FindRequest distinct = FindRequest.matching(json(filter)).withCollation(request.collation());
    assertThat(indexed.engine.snapshot().distinct(NS, path, distinct, indexed.engine.operation()))
        .as(what)
        .hasSameSizeAs(
            plain.engine.snapshot().distinct(NS, path, distinct, plain.engine.operation()));
    AggregateRequest groups =
        new AggregateRequest(
            List.of(
                json("{$match: " + filter + "}"),
                json("{$group: {_id: '$" + path + "', n: {$sum: 1}}}"),
                json("{$group: {_id: '$n', groups: {$sum: 1}}}"),
                json("{$sort: {_id: 1}}")),
            null,
            request.collation(),
            null);
    assertThat(aggregate(indexed, groups)).as(what).isEqualTo(aggregate(plain, groups));
  }

  private static List<String> aggregate(Store store, AggregateRequest request) {
    return Store.texts(store.engine.snapshot().aggregate(NS, request, store.engine.operation()));
  }

  private static String document(Random random, int id) {
    BsonDocument document = new BsonDocument("_id", new org.bson.BsonInt32(id));
    for (String field : List.of("a", "b")) {
      if (random.nextInt(6) > 0) {
        String value = field.equals("b") ? scalar(random) : value(random);
        document.putAll(json("{" + field + ": " + value + "}"));
      }
    }
    if (random.nextInt(6) > 0) {
      document.putAll(
          json(
              "{c: "
                  + (random.nextInt(4) == 0 ? value(random) : "{d: " + value(random) + "}")
                  + "}"));
    }
    return document.toJson();
  }

  private static String value(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> "[" + scalar(random) + ", " + scalar(random) + "]";
      case 1 -> "{d: " + scalar(random) + "}";
      default -> scalar(random);
    };
  }

  private static String scalar(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> "null";
      case 1 -> "true";
      case 2, 3 -> String.valueOf(random.nextInt(3));
      default ->
          "'"
              + pick(
                  random, List.of("a", "A", "á", "b", "B", "10", "9", "résumé", "Resume", "", "-"))
              + "'";
    };
  }

  private static String filter(Random random) {
    List<String> parts = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      parts.add("{" + condition(random) + "}");
    }
    return switch (random.nextInt(6)) {
      case 0 -> "{$or: [" + String.join(", ", parts) + "]}";
      case 1 -> "{}";
      case 2 -> "{$nor: [" + String.join(", ", parts) + "]}";
      default -> "{$and: [" + String.join(", ", parts) + "]}";
    };
  }

  private static String condition(Random random) {
    String path = "'" + pick(random, List.of("a", "b", "c.d", "c", "_id")) + "': ";
    return path
        + switch (random.nextInt(12)) {
          case 0, 1, 2 -> value(random);
          case 3 -> "{$gt: " + value(random) + "}";
          case 4 -> "{$lte: " + scalar(random) + "}";
          case 5 -> "{$gte: " + scalar(random) + ", $lt: " + scalar(random) + "}";
          case 6 -> "{$in: [" + value(random) + ", " + scalar(random) + "]}";
          case 7 -> "{$in: [/^a/, " + scalar(random) + "]}";
          case 8 -> "{$exists: " + random.nextBoolean() + "}";
          case 9 -> "{$ne: " + scalar(random) + "}";
          case 10 -> "/^" + pick(random, List.of("a", "A", "r", "R")) + "/";
          default -> "{$elemMatch: {$gte: " + scalar(random) + "}}";
        };
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}
