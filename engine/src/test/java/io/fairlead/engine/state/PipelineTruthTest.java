// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.key.KeyWriter;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random pipelines give the same, whether a find answers their beginning, every stage runs by
 * itself, or the documents lie on three shards. A failure prints its seed.
 */
final class PipelineTruthTest {
  private static final int SHARDS = 3;

  /** Lets everything pass, and nothing be moved across it. */
  private static final BsonDocument BARRIER = json("{$redact: '$$KEEP'}");

  private final Store store = new Store();
  private SplittableRandom random = new SplittableRandom(0);
  private int answered;
  private int unwound;

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void a_pipeline_gives_the_same_whoever_runs_which_part(long seed) {
    random = new SplittableRandom(seed);
    List<String> indexes = List.of("{a: 1}", "{a: -1, b: 1}", "{c: 1}", "{'d.x': 1}");
    for (int i = 0; i < 2; i++) {
      store.index(one(indexes));
    }
    int documents = 20 + random.nextInt(30);
    for (int id = 0; id < documents; id++) {
      BsonDocument document = document(id);
      store.insert(document);
      Namespace shard = shard(random.nextInt(SHARDS));
      store.engine.write(WriteContext.plain(), writes -> writes.insert(shard, document));
    }
    for (int i = 0; i < 150; i++) {
      ask(seed);
    }
    assertThat(answered).as("seed %d: of 150 pipelines, answered", seed).isGreaterThan(75);
  }

  private static Namespace shard(int number) {
    return Namespace.of("db", "shard" + number);
  }

  private void ask(long seed) {
    List<BsonDocument> pipeline = pipeline();
    BsonDocument collation = random.nextInt(5) == 0 ? json("{locale: 'en', strength: 2}") : null;
    String what = "seed " + seed + ": " + pipeline + " " + collation;
    List<BsonDocument> behind = new ArrayList<>(pipeline);
    behind.addFirst(BARRIER);
    List<String> wanted;
    try {
      wanted = run(NS, behind, collation);
    } catch (EngineException refused) {
      int code = refused.code();
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> run(NS, pipeline, collation))
          .as(what)
          .isInstanceOfSatisfying(
              EngineException.class, error -> assertThat(error.code()).as(what).isEqualTo(code));
      return;
    }
    answered++;
    assertThat(run(NS, pipeline, collation)).as("%s, planned", what).isEqualTo(wanted);
    assertThat(scattered(pipeline, collation)).as("%s, scattered", what).isEqualTo(wanted);
  }

  private List<String> scattered(List<BsonDocument> pipeline, @Nullable BsonDocument collation) {
    Pipeline.Split split = Pipeline.split(pipeline);
    BsonArray gathered = new BsonArray();
    for (int i = 0; i < SHARDS; i++) {
      gathered.addAll(read(shard(i), split.shardPart(), collation));
    }
    List<BsonDocument> merge = new ArrayList<>();
    merge.add(new BsonDocument("$documents", new BsonDocument("$literal", gathered)));
    if (!split.mergeSort().isEmpty()) {
      merge.add(new BsonDocument("$sort", split.mergeSort()));
    }
    merge.addAll(split.mergePart());
    return run(Namespace.of("db", ""), merge, collation);
  }

  private List<BsonDocument> read(
      Namespace where, List<BsonDocument> pipeline, @Nullable BsonDocument collation) {
    List<BsonDocument> found = new ArrayList<>();
    try (DocumentCursor cursor =
        store
            .engine
            .snapshot()
            .aggregate(
                where,
                new AggregateRequest(pipeline, null, collation, null),
                store.engine.operation())) {
      RawBsonDocument next;
      while ((next = cursor.next()) != null) {
        found.add(next.decode(new org.bson.codecs.BsonDocumentCodec()));
      }
    }
    return found;
  }

  /** The keys of the documents, since one of several equal values may stand for all. */
  private List<String> run(
      Namespace where, List<BsonDocument> pipeline, @Nullable BsonDocument collation) {
    List<String> keys = new ArrayList<>();
    for (BsonDocument document : read(where, pipeline, collation)) {
      byte[] key =
          new KeyWriter(collation == null ? null : Collation.of(collation))
              .value(document)
              .toBytes();
      keys.add(HexFormat.of().formatHex(key));
    }
    Collections.sort(keys);
    return keys;
  }

  private List<BsonDocument> pipeline() {
    List<BsonDocument> stages = new ArrayList<>();
    unwound = 0;
    for (int i = random.nextInt(3); i > 0; i--) {
      stages.add(single());
    }
    if (random.nextInt(3) > 0) {
      stages.addAll(whole());
    }
    for (int i = random.nextInt(2); i > 0; i--) {
      stages.add(single());
    }
    // groups are named by one of several equal values, so only their number is everybody's
    if (random.nextInt(4) == 0) {
      stages.add(json("{$count: 'n'}"));
    }
    return stages;
  }

  private String path() {
    return one(List.of("a", "b", "c", "d", "d.x", "l", "l.x", "_id", "nope"));
  }

  private BsonDocument single() {
    String path = path();
    String kept = path.equals("_id") ? "nope" : path;
    String place = ", includeArrayIndex: 'i" + unwound++ + "'}}";
    return json(
        one(
            List.of(
                "{$match: {'" + path + "': {$gte: " + random.nextInt(4) + "}}}",
                "{$match: {'" + path + "': null}}",
                "{$match: {a: 'x', '" + path + "': {$ne: 2}}}",
                "{$match: {$or: [{a: {$lt: 2}}, {'" + path + "': {$exists: true}}]}}",
                "{$match: {$expr: {$gt: ['$a', '$" + path + "']}}}",
                "{$project: {a: 1, b: '$" + path + "', c: 1}}",
                "{$project: {'" + (kept.equals("c") ? "d" : kept) + "': 0, c: 0}}",
                "{$set: {b: {$ifNull: ['$" + path + "', 7]}}}",
                "{$set: {'d.x': '$" + path + "'}}",
                "{$unset: ['" + kept + "']}",
                "{$unwind: {path: '$" + kept + "'" + place,
                "{$unwind: {path: '$l', preserveNullAndEmptyArrays: true" + place,
                "{$replaceWith: {_id: '$_id', a: '$" + path + "', l: '$l'}}")));
  }

  private List<BsonDocument> whole() {
    String path = path();
    // nothing has one place with another: which of two comes first would be nobody's either
    BsonDocument order = json("{'" + path + "': " + one(List.of("1", "-1")) + "}");
    order.putIfAbsent("_id", new BsonInt32(1));
    for (int i = 0; i < unwound; i++) {
      order.append("i" + i, new BsonInt32(1));
    }
    BsonDocument sort = new BsonDocument("$sort", order);
    return switch (random.nextInt(8)) {
      case 0 -> List.of(sort, json("{$skip: " + random.nextInt(4) + "}"));
      case 1 -> List.of(sort, json("{$limit: " + (1 + random.nextInt(6)) + "}"));
      case 2 ->
          List.of(
              sort,
              json("{$skip: " + random.nextInt(4) + "}"),
              json("{$limit: " + (1 + random.nextInt(6)) + "}"));
      case 3 -> List.of(json("{$count: 'n'}"));
      case 4 -> List.of(json("{$sortByCount: '$" + path + "'}"));
      case 5 ->
          List.of(
              sort,
              json("{$group: {_id: '$b', f: {$first: '$a'}, l: {$last: '$_id'}}}"),
              json("{$set: {f: {$type: '$f'}}}"));
      case 6 -> List.of(json("{$group: {_id: " + groupKey() + ", n: {$sum: 1}}}"));
      default -> {
        BsonDocument group = json("{_id: " + groupKey() + "}");
        List<String> accumulators =
            List.of(
                "{$sum: '$" + path + "'}",
                "{$avg: '$" + path() + "'}",
                "{$min: '$" + path() + "'}",
                "{$max: '$" + path() + "'}",
                "{$count: {}}",
                "{$sum: {$cond: [{$eq: ['$a', 1]}, 1, 0]}}",
                "{$addToSet: '$" + path() + "'}",
                "{$push: '$_id'}",
                "{$stdDevPop: {$size: {$ifNull: ['$nope', [1]]}}}",
                "{$maxN: {n: 2, input: '$c'}}");
        for (String field : List.of("n", "m", "o")) {
          group.append(field, json(one(accumulators)));
        }
        yield List.of(
            new BsonDocument("$group", group),
            // the order of what was gathered is nobody's
            json(
                "{$set: {n: "
                    + ordered("n")
                    + ", m: "
                    + ordered("m")
                    + ", o: "
                    + ordered("o")
                    + "}}"));
      }
    };
  }

  private static String ordered(String field) {
    return "{$cond: [{$isArray: '$"
        + field
        + "'}, {$sortArray: {input: '$"
        + field
        + "', sortBy: 1}}, '$"
        + field
        + "']}";
  }

  private String groupKey() {
    return one(
        List.of(
            "'$a'",
            "'$c'",
            "'$d.x'",
            "null",
            "1",
            "{x: '$a', y: '$c'}",
            "{$type: '$b'}",
            "'$l'",
            "{$ifNull: ['$a', null]}"));
  }

  private BsonDocument document(int id) {
    BsonDocument document = json("{_id: " + id + "}");
    for (String field : List.of("a", "b", "c")) {
      if (random.nextInt(5) > 0) {
        document.put(field, scalar());
      }
    }
    if (random.nextInt(3) > 0) {
      document.put("d", random.nextInt(4) == 0 ? scalar() : new BsonDocument("x", scalar()));
    }
    if (random.nextInt(3) > 0) {
      BsonArray list = new BsonArray();
      for (int i = random.nextInt(4); i > 0; i--) {
        list.add(random.nextInt(3) == 0 ? new BsonDocument("x", scalar()) : scalar());
      }
      document.put("l", list);
    }
    return document;
  }

  /** Numbers whose sums are exact in any order. */
  private BsonValue scalar() {
    return java.util.Objects.requireNonNull(
        json("{v: "
                + one(
                    List.of(
                        "null",
                        "0",
                        "1",
                        "2",
                        "3",
                        "1.0",
                        "0.5",
                        "2.25",
                        "{$numberLong: '2'}",
                        "{$numberDecimal: '2.0'}",
                        "'x'",
                        "'X'",
                        "'y'",
                        "true",
                        "{$date: 5}",
                        "2147483647",
                        "-1"))
                + "}")
            .get("v"));
  }
}
