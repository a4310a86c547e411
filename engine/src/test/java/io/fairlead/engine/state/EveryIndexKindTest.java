// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.value.StringOrder;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same documents in a collection with random indexes of every kind and in one without any:
 * every question and every write has the same answer on both. A failure prints its seed.
 */
final class EveryIndexKindTest {
  private static final Namespace PLAIN = Namespace.of("db", "plain");
  private static final BsonDocument LOWER = json("{locale: 'en', strength: 2}");
  private static final List<String> INDEXES =
      List.of(
          "{a: 'hashed'}",
          "{'b.x': 'hashed'}",
          "{c: 1, a: 'hashed'}",
          "{a: 'hashed', c: -1}",
          "{'$**': 1}",
          "{'b.$**': 1}",
          "{'$**': -1} {wildcardProjection: {a: 1, 'b.x': 1}}",
          "{'$**': 1} {wildcardProjection: {a: 0, t: 0}}",
          "{'$**': 1} {collation: {locale: 'en', strength: 2}}",
          "{c: 1, 'b.$**': 1}",
          "{'b.$**': 1, c: -1}",
          "{c: 1, '$**': 1} {wildcardProjection: {c: 0, _id: 0}}",
          "{'$**': 1} {partialFilterExpression: {c: {$exists: true}}}",
          "{t: 'text'}",
          "{c: 1, t: 'text'}",
          "{t: 'text', c: 1}",
          "{'$**': 'text'}",
          "{t: 'text', 'b.x': 'text'} {weights: {t: 3}}",
          "{p: '2dsphere'}",
          "{p: '2dsphere', c: 1}",
          "{c: -1, p: '2dsphere'}",
          "{p: '2dsphere', a: 1} {partialFilterExpression: {c: {$gt: 1}}}",
          "{p: '2dsphere', q: '2dsphere'}",
          "{q: '2d'}",
          "{q: '2d', c: 1}",
          "{a: 1} {collation: {locale: 'en', strength: 2}}",
          "{c: 1, a: -1} {collation: {locale: 'en', strength: 2}}",
          "{a: 1, c: 1} {collation: {locale: 'en', strength: 2}, sparse: true}",
          "{t: 1} {collation: {locale: 'en', strength: 2}}",
          "{'b.x': 1, t: 1}",
          "{a: 1} {partialFilterExpression: {c: {$gt: 1}}}",
          "{a: 1, c: 1} {partialFilterExpression: {a: {$exists: true}}}",
          "{c: 1} {partialFilterExpression: {a: {$type: 'string'}}}",
          "{c: 1} {partialFilterExpression: {$or: [{a: {$lt: 'b'}}, {c: {$in: [1, 2, null]}}]}}",
          "{a: 1} {partialFilterExpression: {a: {$gt: 'B'}}, collation: {locale: 'en', strength:"
              + " 2}}",
          "{a: -1} {partialFilterExpression: {c: null}}",
          "{a: -1} {partialFilterExpression: {b: {$lte: {x: 2}}}}",
          "{a: 1} {sparse: true}",
          "{a: 1, c: -1} {sparse: true}",
          "{'b.x': 1} {sparse: true}",
          "{'a.0': 1, c: 1}",
          "{'b.x': 1, 'b.y': -1}",
          "{c: 1, 'b.x': 1, 'b.y': 1}");
  private static final List<String> PATHS =
      List.of("a", "a", "b", "b.x", "b.y", "c", "c", "t", "a.0", "b.0.x", "p", "q", "_id", "b.x.x");

  private final Store store = new Store();
  private SplittableRandom random = new SplittableRandom(0);
  private int nextId;
  private int accepted;
  private int asked;

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean rarely() {
    return random.nextInt(4) == 0;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void an_index_of_any_kind_changes_no_answer(long seed) {
    random = new SplittableRandom(seed);
    for (int round = 0; round < 12; round++) {
      for (int i = 0; i < 12; i++) {
        BsonDocument document = document();
        tolerant(() -> store.insert(document));
      }
      if (round % 3 == 0) {
        declareIndexes();
      }
      copy();
      for (int i = 0; i < 6; i++) {
        write(seed);
      }
      store.check();
      for (int i = 0; i < 30; i++) {
        ask(seed);
      }
    }
    assertThat(accepted)
        .as("seed %d: questions answered of %d", seed, asked)
        .isGreaterThan(asked / 2);
  }

  /** Other indexes than before: four at random. */
  private void declareIndexes() {
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          for (BsonDocument index : store.engine.snapshot().indexes(NS)) {
            String name = index.getString("name").getValue();
            if (!name.equals("_id_")) {
              writes.dropIndexes(NS, new BsonString(name));
            }
          }
          return true;
        });
    for (int i = 0; i < 4; i++) {
      String declared = one(INDEXES);
      int options = declared.indexOf("} {") + 1;
      String name = "{name: 'i" + i + "'}";
      tolerant(
          () -> {
            if (options == 0) {
              store.index(declared, name);
            } else {
              store.index(declared.substring(0, options), declared.substring(options), name);
            }
          });
    }
  }

  private void copy() {
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          writes.delete(PLAIN, DeleteRequest.many(json("{}")));
          for (BsonDocument document :
              read(NS, FindRequest.all().withHint(json("{$natural: 1}")))) {
            writes.insert(PLAIN, document);
          }
          return true;
        });
  }

  private static void tolerant(Runnable write) {
    try {
      write.run();
    } catch (EngineException e) {
      // Arrays that are parallel, hashed or beside texts, what is no geometry, and indexes that
      // exclude another.
      assertThat(e.code())
          .as(e.message())
          .isIn(
              171, 201, 28, 16766, 16755, 13026, 13027, 13068, 16804, 85, 86, 67, 16746, 17261,
              17262, 2);
    }
  }

  private void write(long seed) {
    BsonDocument filter = filter(1);
    BsonDocument collation = rarely() ? LOWER : null;
    String what = "seed " + seed + ": " + filter.toJson() + " " + collation;
    BsonDocument sort = json("{_id: 1}");
    switch (random.nextInt(5)) {
      case 0 -> {
        BsonDocument update = update();
        both(
            what + " " + update,
            where ->
                store
                    .engine
                    .write(
                        WriteContext.plain(),
                        writes ->
                            writes.update(
                                where, UpdateRequest.many(filter, update).withCollation(collation)))
                    .matched());
      }
      case 1 -> {
        BsonDocument update = update();
        both(
            what + " " + update,
            where ->
                store
                    .engine
                    .write(
                        WriteContext.plain(),
                        writes ->
                            writes.update(
                                where,
                                UpdateRequest.one(filter, update)
                                    .withSort(sort)
                                    .withCollation(collation)))
                    .matched());
      }
      case 2 -> {
        if (read(PLAIN, FindRequest.matching(filter).withCollation(collation)).size() < 15) {
          both(
              what + " delete",
              where ->
                  store
                      .engine
                      .write(
                          WriteContext.plain(),
                          writes ->
                              writes.delete(
                                  where, new DeleteRequest(filter, true, null, collation, null)))
                      .deleted());
        }
      }
      case 3 -> {
        BsonDocument update = update();
        both(
            what + " findAndModify " + update,
            where -> {
              Optional<BsonDocument> value =
                  store
                      .engine
                      .write(
                          WriteContext.plain(),
                          writes ->
                              writes.findAndModify(
                                  where,
                                  new FindAndModifyRequest(
                                      filter,
                                      sort,
                                      update,
                                      false,
                                      false,
                                      json("{_id: 1}"),
                                      List.of(),
                                      null,
                                      collation,
                                      null)))
                      .value();
              return value.map(each -> each.getInt32("_id").getValue()).orElse(-1);
            });
      }
      default -> {
        BsonDocument replacement = document();
        replacement.remove("_id");
        both(
            what + " " + replacement,
            where ->
                store
                    .engine
                    .write(
                        WriteContext.plain(),
                        writes ->
                            writes.update(
                                where,
                                UpdateRequest.one(filter, replacement)
                                    .withSort(sort)
                                    .withCollation(collation)))
                    .matched());
      }
    }
  }

  /** The same write on both collections; where an index refuses it, on neither. */
  private void both(String what, ToLongFunction<Namespace> write) {
    long[] done = new long[1];
    boolean[] refused = {true};
    tolerant(
        () -> {
          done[0] = write.applyAsLong(NS);
          refused[0] = false;
        });
    if (refused[0]) {
      copy();
      return;
    }
    assertThat(done[0]).as(what).isEqualTo(write.applyAsLong(PLAIN));
    BsonDocument sort = json("{_id: 1}");
    assertThat(texts(read(NS, FindRequest.all().withSort(sort))))
        .as(what)
        .isEqualTo(texts(read(PLAIN, FindRequest.all().withSort(sort))));
  }

  private void ask(long seed) {
    BsonDocument filter = filter(2);
    BsonDocument collation = rarely() ? LOWER : null;
    FindRequest request = FindRequest.matching(filter).withCollation(collation);
    String what = "seed " + seed + ": " + filter.toJson() + " " + collation;
    asked++;
    List<BsonDocument> wanted;
    try {
      wanted = read(PLAIN, request);
    } catch (EngineException refused) {
      assertThat(refused.code()).as("%s: %s", what, refused.message()).isIn(2, 9, 16804, 51075);
      return;
    }
    accepted++;
    what += " with " + store.plan(request);
    assertThat(ids(read(NS, request))).as(what).isEqualTo(ids(wanted));
    assertThat(count(NS, request)).as(what).isEqualTo(wanted.size());
    FindRequest part = request.withSkip(random.nextInt(3)).withLimit(random.nextInt(6));
    assertThat(count(NS, part)).as("%s: counted in part", what).isEqualTo(count(PLAIN, part));
    sorted(what, request);
    hinted(what, request, ids(wanted));
    distinct(what, request);
    grouped(what, filter, collation);
    joined(what, collation);
    if (collation == null) {
      searched(what, filter, wanted);
      near(what, filter, wanted);
    }
  }

  private void sorted(String what, FindRequest request) {
    BsonDocument sort = new BsonDocument(one(PATHS), new BsonInt32(random.nextBoolean() ? 1 : -1));
    if (random.nextBoolean()) {
      sort.putIfAbsent(one(PATHS), new BsonInt32(random.nextBoolean() ? 1 : -1));
    }
    sort.putIfAbsent("_id", new BsonInt32(1));
    FindRequest ordered =
        request
            .withSort(sort)
            .withSkip(random.nextInt(3))
            .withLimit(random.nextInt(7))
            .withProjection(
                json(
                    one(
                        List.of(
                            "{}",
                            "{a: 1}",
                            "{a: 1, c: 1, _id: 0}",
                            "{'b.x': 1}",
                            "{b: {y: 1}, c: 1}",
                            "{a: 0}",
                            "{c: 1, d: '$a'}",
                            "{a: {$slice: 1}}"))));
    List<String> wanted;
    try {
      wanted = texts(read(PLAIN, ordered));
    } catch (EngineException parallel) {
      assertThat(parallel.code()).as("%s: %s", what, parallel.message()).isIn(2);
      return;
    }
    assertThat(texts(read(NS, ordered)))
        .as("%s by %s: %s", what, ordered, store.plan(ordered))
        .isEqualTo(wanted);
  }

  /** An index that has not every document may hide some when it is forced; no index invents any. */
  private void hinted(String what, FindRequest request, List<Integer> wanted) {
    List<BsonDocument> indexes = store.engine.snapshot().indexes(NS);
    BsonDocument index = one(indexes);
    FindRequest forced = request.withHint(index.getString("name"));
    List<Integer> found;
    try {
      found = ids(read(NS, forced));
    } catch (EngineException unable) {
      assertThat(unable.code()).as("%s: %s", what, unable.message()).isEqualTo(291);
      return;
    }
    boolean whole = !index.containsKey("sparse") && !index.containsKey("partialFilterExpression");
    if (whole) {
      assertThat(found).as("%s, forced by %s", what, index).isEqualTo(wanted);
    } else {
      assertThat(wanted).as("%s, forced by %s", what, index).containsAll(found);
    }
    assertThat(count(NS, forced)).as("%s, counted by %s", what, index).isEqualTo(found.size());
  }

  private void distinct(String what, FindRequest request) {
    String path = one(PATHS);
    StringOrder strings = request.collation() == null ? null : Collation.of(request.collation());
    assertThat(distinct(NS, path, request, strings))
        .as("%s: distinct %s", what, path)
        .isEqualTo(distinct(PLAIN, path, request, strings));
  }

  private Set<String> distinct(
      Namespace where, String path, FindRequest request, @Nullable StringOrder strings) {
    TreeSet<String> keys = new TreeSet<>();
    for (BsonValue value :
        store.engine.snapshot().distinct(where, path, request, store.engine.operation())) {
      byte[] key = new KeyWriter(strings).value(value).toBytes();
      assertThat(keys.add(HexFormat.of().formatHex(key))).as("%s is there once", value).isTrue();
    }
    return keys;
  }

  private void grouped(String what, BsonDocument filter, @Nullable BsonDocument collation) {
    String path = one(PATHS);
    List<BsonDocument> pipeline =
        List.of(
            new BsonDocument("$match", filter),
            json(
                one(
                    List.of(
                        "{$group: {_id: '$" + path + "', n: {$sum: 1}, c: {$max: '$c'}}}",
                        "{$group: {_id: '$" + path + "'}}",
                        "{$group: {_id: null, n: {$sum: 1}}}",
                        "{$sortByCount: '$" + path + "'}"))));
    assertThat(keys(aggregate(NS, pipeline, collation)))
        .as("%s: %s", what, pipeline)
        .isEqualTo(keys(aggregate(PLAIN, pipeline, collation)));
  }

  /** Groups are named by one of several equal values, which may be another by another plan. */
  private static List<String> keys(List<BsonDocument> groups) {
    return groups.stream()
        .map(
            group ->
                HexFormat.of().formatHex(new KeyWriter(Collation.of(LOWER)).value(group).toBytes()))
        .sorted()
        .toList();
  }

  private void joined(String what, @Nullable BsonDocument collation) {
    if (!rarely()) {
      return;
    }
    String local = one(PATHS);
    String foreign = one(PATHS);
    List<List<BsonDocument>> joins = new ArrayList<>();
    for (String from : List.of("c", "plain")) {
      List<BsonDocument> pipeline =
          List.of(
              json("{$match: {_id: {$lt: 20}}}"),
              json(
                  "{$lookup: {from: '"
                      + from
                      + "', localField: '"
                      + local
                      + "', foreignField: '"
                      + foreign
                      + "', as: 'j', pipeline: [{$sort: {_id: 1}}, {$project: {_id: 1}}]}}"),
              json("{$sort: {_id: 1}}"),
              json("{$project: {j: 1}}"));
      joins.add(aggregate(PLAIN, pipeline, collation));
    }
    assertThat(texts(joins.getFirst()))
        .as("%s: %s joined with %s", what, local, foreign)
        .isEqualTo(texts(joins.getLast()));
  }

  /** What a search finds under a filter is what both find. */
  private void searched(String what, BsonDocument filter, List<BsonDocument> wanted) {
    BsonDocument search =
        json(
            "{$text: {$search: '"
                + one(List.of("sea", "ship sea", "harbour -sea", "Ships"))
                + "'}}");
    List<Integer> alone;
    try {
      alone = ids(read(NS, FindRequest.matching(search)));
    } catch (EngineException noIndex) {
      assertThat(noIndex.code()).as("%s: %s", what, noIndex.message()).isIn(27, 291);
      return;
    }
    BsonDocument both = new BsonDocument("$and", new BsonArray(List.of(search, filter)));
    assertThat(ids(read(NS, FindRequest.matching(both))))
        .as("%s and %s", what, search)
        .isEqualTo(ids(wanted).stream().filter(alone::contains).toList());
  }

  /** What is near under a filter is what lies in the circle and matches. */
  private void near(String what, BsonDocument filter, List<BsonDocument> wanted) {
    int x = random.nextInt(9);
    BsonDocument near =
        json(
            "{p: {$nearSphere: {$geometry: {type: 'Point', coordinates: ["
                + x
                + ", 2]}, $maxDistance: 400000}}}");
    List<Integer> alone;
    try {
      alone = ids(read(NS, FindRequest.matching(near)));
    } catch (EngineException noIndex) {
      assertThat(noIndex.code()).as("%s: %s", what, noIndex.message()).isIn(27, 291);
      return;
    }
    if (filter.toString().contains("$geo")) {
      return;
    }
    BsonDocument both = near.clone();
    both.append("$and", new BsonArray(List.of(filter)));
    assertThat(ids(read(NS, FindRequest.matching(both))))
        .as("%s and %s", what, near)
        .isEqualTo(ids(wanted).stream().filter(alone::contains).toList());
  }

  private long count(Namespace where, FindRequest request) {
    return store.engine.snapshot().count(where, request, store.engine.operation());
  }

  private List<BsonDocument> read(Namespace where, FindRequest request) {
    return read(store.engine.snapshot().find(where, request, store.engine.operation()));
  }

  private List<BsonDocument> aggregate(
      Namespace where, List<BsonDocument> pipeline, @Nullable BsonDocument collation) {
    return read(
        store
            .engine
            .snapshot()
            .aggregate(
                where,
                new AggregateRequest(pipeline, null, collation, null),
                store.engine.operation()));
  }

  private static List<BsonDocument> read(DocumentCursor cursor) {
    List<BsonDocument> found = new ArrayList<>();
    try (cursor) {
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
    put(document, "a", random.nextInt(5) == 0 ? list() : scalar());
    put(document, "b", random.nextInt(3) == 0 ? list() : nested(1));
    put(document, "c", random.nextInt(6) == 0 ? list() : scalar());
    put(document, "t", text());
    put(document, "p", geometry());
    put(document, "q", random.nextInt(6) == 0 ? parse("[[1, 2], [3, 4]]") : pair());
    return document;
  }

  private void put(BsonDocument document, String field, BsonValue value) {
    if (!rarely()) {
      document.put(field, value);
    }
  }

  private static BsonValue parse(String value) {
    return Objects.requireNonNull(json("{v: " + value + "}").get("v"));
  }

  private BsonValue scalar() {
    return parse(
        one(
            List.of(
                "null",
                "0",
                "1",
                "2",
                "3",
                "1.0",
                "-0.0",
                "1.5",
                "NaN",
                "{$numberLong: '2'}",
                "{$numberDecimal: '2.0'}",
                "{$numberDecimal: '1.10'}",
                "'a'",
                "'A'",
                "'b'",
                "'B'",
                "'á'",
                "''",
                "true",
                "false",
                "{$date: 1}",
                "{$oid: '507f1f77bcf86cd799439011'}",
                "{$minKey: 1}",
                "{$maxKey: 1}",
                "{$timestamp: {t: 1, i: 1}}",
                "{$binary: {base64: 'AQI=', subType: '00'}}",
                "{$regularExpression: {pattern: 'a', options: ''}}")));
  }

  private BsonValue list() {
    BsonArray list = new BsonArray();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(
          switch (random.nextInt(5)) {
            case 0 -> nested(0);
            case 1 -> new BsonArray(List.of(scalar()));
            default -> scalar();
          });
    }
    return list;
  }

  private BsonValue nested(int depth) {
    return switch (random.nextInt(6)) {
      case 0 -> scalar();
      case 1 -> new BsonDocument();
      default -> {
        BsonDocument nested = new BsonDocument();
        if (random.nextInt(3) > 0) {
          nested.put("x", depth > 0 && rarely() ? (rarely() ? list() : nested(0)) : scalar());
        }
        if (random.nextBoolean()) {
          nested.put("y", depth > 0 && rarely() ? list() : scalar());
        }
        yield nested;
      }
    };
  }

  private BsonValue text() {
    return parse(
        one(
            List.of(
                "'The ships of the sea'",
                "'sea'",
                "'a SHIP'",
                "'harbour'",
                "''",
                "'harbour at sea'",
                "['ship', 'sea']",
                "7",
                "null",
                "{v: 'sea'}")));
  }

  private BsonValue pair() {
    return new BsonArray(
        List.of(new BsonInt32(random.nextInt(9)), new BsonInt32(random.nextInt(5))));
  }

  private BsonValue geometry() {
    int x = random.nextInt(9);
    int y = random.nextInt(5);
    return parse(
        switch (random.nextInt(9)) {
          case 0 -> "null";
          case 1 -> "[" + x + ", " + y + "]";
          case 2 -> "{type: 'LineString', coordinates: [[" + x + ", " + y + "], [4, 4.5]]}";
          case 3 ->
              String.format(
                  Locale.ROOT,
                  "{type: 'Polygon', coordinates: [[[%d,%d],[%d,%d],[%d,%d],[%d,%d]]]}",
                  x,
                  y,
                  x + 2,
                  y,
                  x + 2,
                  y + 2,
                  x,
                  y);
          case 4 ->
              "[{type: 'Point', coordinates: ["
                  + x
                  + ", "
                  + y
                  + "]}, {type: 'Point', coordinates: [0, 0]}]";
          default -> "{type: 'Point', coordinates: [" + x + ", " + y + "]}";
        });
  }

  private BsonDocument update() {
    String field = one(List.of("a", "b", "c", "b.x", "t"));
    return switch (random.nextInt(7)) {
      case 0, 1 -> operator("$set", field, rarely() ? list() : scalar());
      case 2 -> operator("$unset", field, new BsonInt32(1));
      case 3 -> operator("$set", "p", geometry());
      case 4 -> operator("$set", "q", pair());
      case 5 -> operator("$set", "b", nested(1));
      default -> operator("$set", "n", new BsonInt32(random.nextInt(5)));
    };
  }

  private static BsonDocument operator(String operator, String path, BsonValue operand) {
    return new BsonDocument(operator, new BsonDocument(path, operand));
  }

  private BsonDocument filter(int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      BsonArray clauses = new BsonArray();
      for (int i = random.nextInt(3); i >= 0; i--) {
        clauses.add(filter(depth - 1));
      }
      return new BsonDocument(one(List.of("$and", "$or", "$or", "$nor")), clauses);
    }
    BsonDocument filter = new BsonDocument();
    for (int i = random.nextInt(2); i >= 0; i--) {
      switch (random.nextInt(7)) {
        case 0 -> filter.put("p", region());
        case 1 -> filter.put("q", plane());
        case 2 ->
            filter.put(
                one(List.of("a", "b")),
                new BsonDocument(
                    "$elemMatch",
                    new BsonDocument(one(List.of("x", "y")), condition())
                        .append(one(List.of("x", "y")), condition())));
        default -> filter.put(one(PATHS), condition());
      }
    }
    return filter;
  }

  private BsonDocument region() {
    int x = random.nextInt(9);
    return json(
        one(
            List.of(
                "{$geoWithin: {$centerSphere: [[" + x + ", 2], 0.05]}}",
                "{$geoIntersects: {$geometry: {type: 'Point', coordinates: [" + x + ", 2]}}}",
                "{$geoWithin: {$geometry: {type: 'Polygon', coordinates:"
                    + " [[[1, 1], [8, 1], [8, 4], [1, 4], [1, 1]]]}}}",
                "{$geoIntersects: {$geometry: {type: 'Polygon', coordinates:"
                    + " [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}}}")));
  }

  private BsonDocument plane() {
    return json(
        one(
            List.of(
                "{$geoWithin: {$box: [[1, 1], [5, 3]]}}",
                "{$geoWithin: {$center: [[4, 2], 2]}}",
                "{$geoWithin: {$polygon: [[0, 0], [6, 0], [3, 4]]}}",
                "{$geoWithin: {$centerSphere: [[4, 2], 0.03]}}")));
  }

  private BsonValue operand() {
    return switch (random.nextInt(8)) {
      case 0 -> list();
      case 1 -> comparable(nested(1));
      default -> ordered();
    };
  }

  private BsonValue ordered() {
    return comparable(scalar());
  }

  /** No pattern, which can only be looked for. */
  private static BsonValue comparable(BsonValue value) {
    return value.isRegularExpression() ? new BsonInt32(1) : value;
  }

  private BsonValue condition() {
    List<String> comparisons = List.of("$eq", "$gt", "$gte", "$lt", "$lte", "$ne");
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> new BsonDocument("$eq", random.nextInt(8) == 0 ? scalar() : operand());
      case 3 -> json("{$exists: " + random.nextBoolean() + "}");
      case 4 -> json("{$size: " + random.nextInt(3) + "}");
      case 5 -> {
        BsonArray values = new BsonArray();
        for (int i = random.nextInt(4); i > 0; i--) {
          values.add(random.nextInt(8) == 0 ? scalar() : operand());
        }
        yield new BsonDocument(one(List.of("$in", "$in", "$nin", "$all")), values);
      }
      case 6 ->
          new BsonDocument(
              "$elemMatch",
              new BsonDocument(one(comparisons), operand()).append(one(comparisons), operand()));
      case 7 -> new BsonDocument("$not", new BsonDocument(one(comparisons), operand()));
      case 8 -> {
        BsonDocument range = new BsonDocument("$gte", ordered());
        yield range.append("$lt", ordered());
      }
      case 9 -> json("{$regex: '" + one(List.of("^a", "^", "B", "^s", "^har")) + "'}");
      case 10 ->
          json("{$type: '" + one(List.of("string", "number", "null", "array", "object")) + "'}");
      case 11 -> json("{$mod: [2, " + random.nextInt(2) + "]}");
      default -> new BsonDocument(one(comparisons), operand());
    };
  }
}
