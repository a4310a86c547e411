// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

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
 * Random documents, indexes, writes and queries: an index never changes an answer, and is always
 * true.
 */
final class RandomQueriesTest {
  private static final String[] INDEXES = {
    "{a: 1}",
    "{b: -1}",
    "{a: 1, b: 1}",
    "{b: 1, a: -1}",
    "{'c.d': 1}",
    "{a: 1, 'c.d': -1}",
    "{'c.d': 1, 'c.e': 1}",
    "{c: 1}"
  };

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void an_index_never_changes_an_answer(long seed) {
    Random random = new Random(seed);
    Store store = new Store();
    for (String index : INDEXES) {
      if (random.nextBoolean()) {
        store.index(index, random.nextInt(4) == 0 ? "{sparse: true}" : "{}");
      }
    }
    int next = 0;
    for (int round = 0; round < 150; round++) {
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          String document = document(random, next++);
          tolerant(() -> store.insert(document));
        }
        case 3 ->
            tolerant(
                () ->
                    store.update(
                        UpdateRequest.many(
                            json(filter(random)),
                            json(
                                "{$set: {"
                                    + List.of("a", "b", "c").get(random.nextInt(3))
                                    + ": "
                                    + value(random, 2)
                                    + "}}"))));
        case 4 ->
            store.updateOne(
                filter(random), "{$unset: {" + (random.nextBoolean() ? "a" : "c") + ": 1}}");
        default -> {
          if (random.nextInt(4) == 0) {
            store.deleteMany(filter(random));
          }
        }
      }
      if (round % 10 == 9) {
        for (int i = 0; i < 20; i++) {
          compare(store, seed, random);
        }
      }
    }
    store.check();
  }

  private static void compare(Store store, long seed, Random random) {
    String filter = filter(random);
    String sort =
        switch (random.nextInt(5)) {
          case 0 -> "{a: 1, _id: 1}";
          case 1 -> "{b: -1, _id: 1}";
          case 2 -> "{'c.d': 1, _id: -1}";
          case 3 -> "{a: -1, _id: 1}";
          default -> "{_id: 1}";
        };
    FindRequest request = FindRequest.matching(json(filter)).withSort(json(sort));
    if (random.nextBoolean()) {
      request = request.withLimit(1 + random.nextInt(5)).withSkip(random.nextInt(4));
    }
    FindRequest plain = request.withHint(json("{$natural: 1}"));
    String what = "seed " + seed + ": " + filter + " by " + sort + " with " + store.plan(request);
    assertThat(store.find(request)).as(what).isEqualTo(store.find(plain));
    assertThat(store.engine.snapshot().count(NS, request, store.engine.operation()))
        .as(what)
        .isEqualTo(store.find(plain).size());
    String path = List.of("a", "b", "c", "c.d", "c.e").get(random.nextInt(5));
    FindRequest distinct = FindRequest.matching(json(random.nextInt(3) == 0 ? "{}" : filter));
    assertThat(store.engine.snapshot().distinct(NS, path, distinct, store.engine.operation()))
        .as(path + " of " + what)
        .containsExactlyInAnyOrderElementsOf(
            store
                .engine
                .snapshot()
                .distinct(
                    NS, path, distinct.withHint(json("{$natural: 1}")), store.engine.operation()));
  }

  private static void tolerant(Runnable write) {
    try {
      write.run();
    } catch (EngineException e) {
      // Parallel arrays are part of the game.
      assertThat(e.code()).isEqualTo(171);
    }
  }

  private static String document(Random random, int id) {
    BsonDocument document = new BsonDocument("_id", new org.bson.BsonInt32(id));
    for (String field : List.of("a", "b", "c")) {
      if (random.nextInt(5) > 0) {
        document.putAll(json("{" + field + ": " + value(random, 2) + "}"));
      }
    }
    return document.toJson();
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 14 : 9)) {
      case 0 -> "null";
      case 1 -> "'" + "xyz".substring(random.nextInt(3)) + "'";
      case 2 -> String.valueOf(random.nextInt(4) + 0.5);
      case 3 -> "{$numberLong: '" + random.nextInt(4) + "'}";
      case 4, 5, 6 -> String.valueOf(random.nextInt(5));
      case 7 -> "true";
      case 8 -> "{$date: " + random.nextInt(3) + "}";
      case 9, 10 -> "{d: " + value(random, depth - 1) + ", e: " + value(random, depth - 1) + "}";
      case 11 -> "[]";
      default -> {
        List<String> elements = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
          elements.add(value(random, depth - 1));
        }
        yield "[" + String.join(", ", elements) + "]";
      }
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
      default -> "{$and: [" + String.join(", ", parts) + "]}";
    };
  }

  private static String condition(Random random) {
    String path = List.of("a", "b", "c", "c.d", "c.e", "_id").get(random.nextInt(6));
    String quoted = "'" + path + "': ";
    return switch (random.nextInt(10)) {
      case 0, 1 -> quoted + value(random, 1);
      case 2 -> quoted + "{$gt: " + value(random, 0) + "}";
      case 3 -> quoted + "{$lte: " + value(random, 1) + "}";
      case 4 -> quoted + "{$gte: " + random.nextInt(3) + ", $lt: " + (2 + random.nextInt(3)) + "}";
      case 5 -> quoted + "{$in: [" + value(random, 1) + ", " + value(random, 0) + "]}";
      case 6 -> quoted + "{$exists: " + random.nextBoolean() + "}";
      case 7 -> quoted + "{$ne: " + value(random, 0) + "}";
      case 8 ->
          quoted
              + "{$elemMatch: {"
              + (random.nextBoolean() ? "d: " + value(random, 0) : "$gt: 1, $lt: 4")
              + "}}";
      default -> quoted + "/^" + "xyz".charAt(random.nextInt(3)) + "/";
    };
  }
}
