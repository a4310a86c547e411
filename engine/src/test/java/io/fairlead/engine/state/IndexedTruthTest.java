// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.query.NaiveMatcher;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random documents, writes and questions on collections with random indexes of every kind: answers
 * equal those of a naive interpreter, and the indexes those built anew. A failure prints its seed.
 */
final class IndexedTruthTest {
  private static final List<String> INDEXES =
      List.of(
          "{key: {a: 1}, name: 'a'}",
          "{key: {b: -1}, name: 'b'}",
          "{key: {a: 1, b: -1}, name: 'ab'}",
          "{key: {'a.b': 1}, name: 'a.b'}",
          "{key: {'a.b': 1, c: 1}, name: 'a.b_c'}",
          "{key: {'b.0': 1}, name: 'b.0'}",
          "{key: {c: 1}, name: 'sparse', sparse: true}",
          "{key: {c: 1, a: 1}, name: 'sparse2', sparse: true}",
          "{key: {a: 1}, name: 'partial', partialFilterExpression: {a: {$gt: 1}}}",
          "{key: {b: 1}, name: 'partial2', partialFilterExpression: {c: {$exists: true}}}",
          "{key: {c: -1}, name: 'hidden', hidden: true}",
          "{key: {u: 1}, name: 'unique', unique: true, sparse: true}",
          "{key: {u: 1, c: 1}, name: 'unique2', unique: true}");
  private static final List<String> PATHS = List.of("a", "b", "c", "a.b", "b.0", "_id", "u");

  private final Store store = new Store();
  private SplittableRandom random = new SplittableRandom(0);
  private int nextId;
  private int nextUnique;

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void answers_equal_those_of_a_naive_interpreter(long seed) {
    random = new SplittableRandom(seed);
    for (String index : INDEXES) {
      if (random.nextInt(3) == 0) {
        tolerant(() -> store.indexDeclared(json(index)));
      }
    }
    for (int round = 0; round < 25; round++) {
      for (int i = 0; i < 6; i++) {
        write(seed);
      }
      if (round == 12) {
        // what is built over documents equals what grew with them
        tolerant(() -> store.indexDeclared(json(one(INDEXES))));
      }
      store.check();
      List<BsonDocument> all = documents(FindRequest.all().withHint(json("{$natural: 1}")));
      for (int i = 0; i < 12; i++) {
        ask(seed, all);
      }
    }
  }

  private void write(long seed) {
    switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> {
        BsonDocument document = document();
        tolerant(() -> store.insert(document));
      }
      case 4 -> tolerant(() -> store.update(UpdateRequest.many(filter(1), update())));
      case 5 -> tolerant(() -> store.update(UpdateRequest.one(filter(1), update())));
      case 6 -> {
        BsonDocument filter = new BsonDocument("_id", new BsonInt32(random.nextInt(nextId + 1)));
        BsonDocument replacement = document();
        replacement.remove("_id");
        tolerant(() -> store.update(UpdateRequest.one(filter, replacement)));
      }
      default -> {
        BsonDocument filter = filter(1);
        List<BsonDocument> before = documents(FindRequest.matching(filter));
        store.engine.write(
            WriteContext.plain(), writes -> writes.delete(NS, DeleteRequest.one(filter)));
        assertThat(documents(FindRequest.matching(filter)))
            .as("seed %d: deleting one of %s", seed, filter)
            .hasSize(Math.max(0, before.size() - 1));
      }
    }
  }

  private static void tolerant(Runnable write) {
    try {
      write.run();
    } catch (EngineException e) {
      // Parallel arrays, duplicates, paths through scalars and positions are part of the game.
      assertThat(e.code()).as(e.message()).isIn(171, 11000, 28, 2, 14, 85, 86);
    }
  }

  private void ask(long seed, List<BsonDocument> all) {
    BsonDocument filter = filter(2);
    List<BsonDocument> wanted =
        all.stream().filter(each -> NaiveMatcher.matches(filter, each)).toList();
    FindRequest request = FindRequest.matching(filter);
    String what = "seed " + seed + ": " + filter.toJson() + " with " + store.plan(request);
    List<BsonDocument> found = documents(request);
    assertThat(ids(found)).as("%s: %s", what, difference(found, wanted)).isEqualTo(ids(wanted));
    assertThat(store.count(filter.toJson())).as(what).isEqualTo(wanted.size());
    sorted(what, filter, wanted);
    distinct(what, filter, wanted);
    aggregated(what, filter, wanted.size());
    BsonDocument projection =
        json(
            one(List.of("{a: 1}", "{a: 1, b: 1, _id: 0}", "{'a.b': 1, c: 1}", "{a: 0}", "{c: 0}")));
    assertThat(texts(documents(request.withProjection(projection).withSort(json("{_id: 1}")))))
        .as("%s, projected by %s", what, projection)
        .isEqualTo(
            texts(
                documents(
                    request
                        .withProjection(projection)
                        .withSort(json("{_id: 1}"))
                        .withHint(json("{$natural: 1}")))));
  }

  /** The documents that only one of the two has. */
  private static List<String> difference(List<BsonDocument> found, List<BsonDocument> wanted) {
    List<String> either = new ArrayList<>(texts(found));
    texts(wanted).stream().filter(each -> !either.remove(each)).toList().forEach(either::add);
    return either;
  }

  private void sorted(String what, BsonDocument filter, List<BsonDocument> wanted) {
    String path = one(PATHS);
    boolean ascending = random.nextBoolean();
    int skip = random.nextInt(3);
    int limit = 1 + random.nextInt(6);
    BsonDocument sort = json("{'" + path + "': " + (ascending ? 1 : -1) + "}");
    sort.putIfAbsent("_id", new BsonInt32(1));
    Comparator<BsonDocument> order =
        Comparator.comparing(each -> sortKey(each, path, ascending), BsonOrder.SIMPLE::compare);
    if (!ascending) {
      order = order.reversed();
    }
    List<String> expected =
        wanted.stream()
            .sorted(order.thenComparing(each -> each.get("_id"), BsonOrder.SIMPLE::compare))
            .skip(skip)
            .limit(limit)
            .map(BsonDocument::toJson)
            .toList();
    FindRequest request =
        FindRequest.matching(filter).withSort(sort).withSkip(skip).withLimit(limit);
    assertThat(texts(documents(request)))
        .as("%s by %s, skip %d, limit %d: %s", what, sort, skip, limit, store.plan(request))
        .isEqualTo(expected);
  }

  /** The least or greatest of the values that a path reaches; an empty array is before null. */
  private static BsonValue sortKey(BsonDocument document, String path, boolean least) {
    List<BsonValue> values = new ArrayList<>();
    reach(document, path, values);
    BsonValue key = values.getFirst();
    for (BsonValue value : values) {
      int order = BsonOrder.SIMPLE.compare(value, key);
      if (least ? order < 0 : order > 0) {
        key = value;
      }
    }
    return key;
  }

  private static void reach(@Nullable BsonValue value, String path, List<BsonValue> into) {
    if (path.isEmpty()) {
      if (value instanceof BsonArray array) {
        into.addAll(array.isEmpty() ? List.of(new BsonUndefined()) : array);
      } else {
        into.add(value == null ? org.bson.BsonNull.VALUE : value);
      }
      return;
    }
    int dot = path.indexOf('.');
    String first = dot < 0 ? path : path.substring(0, dot);
    String rest = dot < 0 ? "" : path.substring(dot + 1);
    if (value instanceof BsonDocument document) {
      reach(document.get(first), rest, into);
    } else if (value instanceof BsonArray array) {
      boolean index = first.chars().allMatch(Character::isDigit);
      if (index && Integer.parseInt(first) < array.size()) {
        reach(array.get(Integer.parseInt(first)), rest, into);
      } else if (index && array.stream().noneMatch(BsonValue::isDocument)) {
        into.add(org.bson.BsonNull.VALUE);
      } else if (array.isEmpty()) {
        into.add(org.bson.BsonNull.VALUE);
      } else {
        for (BsonValue element : array) {
          reach(element.isDocument() ? element : null, path, into);
        }
      }
    } else {
      into.add(org.bson.BsonNull.VALUE);
    }
  }

  private void distinct(String what, BsonDocument filter, List<BsonDocument> wanted) {
    TreeSet<BsonValue> expected = new TreeSet<>(BsonOrder.SIMPLE::compare);
    for (BsonDocument each : wanted) {
      BsonValue value = each.get("a");
      if (value instanceof BsonArray array) {
        expected.addAll(array);
      } else if (value != null) {
        expected.add(value);
      }
    }
    List<BsonValue> found =
        store
            .engine
            .snapshot()
            .distinct(NS, "a", FindRequest.matching(filter), store.engine.operation())
            .stream()
            .sorted(BsonOrder.SIMPLE::compare)
            .toList();
    // By their order and not by equality: which of 1 and 1.0 is kept is the plan's business.
    assertThat(found)
        .as("%s: distinct %s and %s", what, found, expected)
        .usingElementComparator(BsonOrder.SIMPLE::compare)
        .containsExactlyElementsOf(expected);
  }

  private void aggregated(String what, BsonDocument filter, int wanted) {
    List<String> counted = store.aggregate("{$match: " + filter.toJson() + "}", "{$count: 'n'}");
    assertThat(counted)
        .as("%s: counted", what)
        .isEqualTo(wanted == 0 ? List.of() : List.of("{\"n\": " + wanted + "}"));
    List<String> sorted =
        store.aggregate("{$match: " + filter.toJson() + "}", "{$sort: {b: -1, _id: 1}}");
    assertThat(sorted)
        .as("%s: sorted", what)
        .isEqualTo(
            texts(
                documents(
                    FindRequest.matching(filter)
                        .withSort(json("{b: -1, _id: 1}"))
                        .withHint(json("{$natural: 1}")))));
  }

  private List<BsonDocument> documents(FindRequest request) {
    List<BsonDocument> found = new ArrayList<>();
    try (DocumentCursor cursor =
        store.engine.snapshot().find(NS, request, store.engine.operation())) {
      RawBsonDocument next;
      while ((next = cursor.next()) != null) {
        found.add(next.decode(new org.bson.codecs.BsonDocumentCodec()));
      }
    }
    return found;
  }

  private static List<String> texts(List<BsonDocument> documents) {
    return documents.stream().map(BsonDocument::toJson).toList();
  }

  private static List<Integer> ids(List<BsonDocument> documents) {
    return documents.stream().map(each -> each.getInt32("_id").getValue()).sorted().toList();
  }

  private BsonDocument document() {
    BsonDocument document = new BsonDocument("_id", new BsonInt32(nextId++));
    for (String field : List.of("a", "b", "c")) {
      if (random.nextInt(5) > 0) {
        document.put(field, value(2));
      }
    }
    document.put("u", new BsonInt32(random.nextInt(6) == 0 ? 0 : ++nextUnique));
    return document;
  }

  private BsonValue value(int depth) {
    return Objects.requireNonNull(
        json("{v: "
                + switch (random.nextInt(depth > 0 ? 14 : 8)) {
                  case 0 -> "null";
                  case 1 -> one(List.of("'x'", "'y'", "''"));
                  case 2 -> one(List.of("0.5", "1.0", "2.5", "NaN", "-0.0"));
                  case 3 -> "{$numberLong: '" + random.nextInt(4) + "'}";
                  case 4 -> "{$numberDecimal: '" + random.nextInt(4) + ".0'}";
                  case 5, 6 -> String.valueOf(random.nextInt(4));
                  case 7 -> one(List.of("true", "{$date: 1}", "{$minKey: 1}", "{$maxKey: 1}"));
                  case 8, 9 -> new BsonDocument("b", value(depth - 1)).toJson();
                  case 10 -> "{b: " + new BsonDocument("v", value(0)).toJson() + ", d: 1}";
                  case 11 -> "[]";
                  default -> {
                    BsonArray array = new BsonArray();
                    for (int i = random.nextInt(3); i >= 0; i--) {
                      array.add(value(depth - 1));
                    }
                    yield array.toString().isEmpty()
                        ? "[]"
                        : new BsonDocument("w", array)
                            .toJson()
                            .replaceFirst("^\\{\"w\": ", "")
                            .replaceFirst("\\}$", "");
                  }
                }
                + "}")
            .get("v"));
  }

  private BsonDocument update() {
    String field = one(List.of("a", "b", "c"));
    return switch (random.nextInt(8)) {
      case 0, 1 -> operator("$set", field, value(2));
      case 2 -> operator("$unset", field, new BsonInt32(1));
      case 3 -> operator("$push", field, value(1));
      case 4 -> operator("$addToSet", field, value(1));
      case 5 -> operator("$pull", field, value(0));
      case 6 -> operator("$inc", field, new BsonInt32(1));
      default -> operator("$set", "a.b", value(1));
    };
  }

  private static BsonDocument operator(String operator, String path, BsonValue operand) {
    return new BsonDocument(operator, new BsonDocument(path, operand));
  }

  private BsonDocument filter(int depth) {
    if (depth > 0 && random.nextInt(4) == 0) {
      BsonArray clauses = new BsonArray();
      for (int i = random.nextInt(2); i >= 0; i--) {
        clauses.add(filter(depth - 1));
      }
      return new BsonDocument(one(List.of("$and", "$or", "$nor")), clauses);
    }
    BsonDocument filter = new BsonDocument();
    for (int i = random.nextInt(2); i >= 0; i--) {
      filter.put(one(PATHS), condition());
    }
    return filter;
  }

  private BsonValue condition() {
    List<String> comparisons = List.of("$eq", "$gt", "$gte", "$lt", "$lte", "$ne");
    return switch (random.nextInt(9)) {
      case 0, 1 -> new BsonDocument("$eq", value(1));
      case 2 -> json("{$exists: " + random.nextBoolean() + "}");
      case 3 -> json("{$size: " + random.nextInt(3) + "}");
      case 4 ->
          new BsonDocument(
              one(List.of("$in", "$nin", "$all")), new BsonArray(List.of(value(1), value(0))));
      case 5 ->
          new BsonDocument(
              "$elemMatch", new BsonDocument(one(comparisons.subList(0, 5)), value(0)));
      case 6 -> new BsonDocument("$not", new BsonDocument(one(comparisons), value(0)));
      case 7 ->
          new BsonDocument("$gte", new BsonInt32(random.nextInt(3)))
              .append("$lt", new BsonInt32(2 + random.nextInt(3)));
      default -> new BsonDocument(one(comparisons), value(1));
    };
  }
}
