// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.compatibility.Compatibility;
import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random commands, sensible and not, are done or refused with a code of their own: no internal
 * error, no closed connection. A failure prints its seed and the command.
 */
final class RandomCommandsTest {
  private static final List<String> FIELDS = List.of("a", "b", "a.b", "l", "l.0", "l.x", "_id", "");
  private static final List<String> TEXTS =
      List.of("$a", "$$ROOT", "$l.x", "a", "x", "c", "", "day", "$$nope", "a_1", "%Y", "1");

  /** At least one command of so many is done: nothing is learnt where all are refused. */
  private static final int SENSIBLE_SHARE = 10;

  private static Server server;
  private static RawClient client;
  private SplittableRandom random = new SplittableRandom(0);

  @BeforeAll
  static void start() throws Exception {
    server = Server.start(ServerSettings.standalone(0));
    client = RawClient.of(server);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void a_command_is_done_or_refused_by_name(long seed) throws Exception {
    random = new SplittableRandom(seed);
    client.run("random", "{dropDatabase: 1}");
    Map<String, Integer> asked = new TreeMap<>();
    Map<String, Integer> done = new TreeMap<>();
    for (int i = 0; i < 400; i++) {
      BsonDocument command = command();
      String what = "seed " + seed + ", command " + i + ": " + command.toJson();
      BsonDocument reply = client.run("random", command);
      asked.merge(command.getFirstKey(), 1, Integer::sum);
      // of the two statements of an update, one at least
      if (RawClient.isOk(reply) && reply.getArray("writeErrors", new BsonArray()).size() < 2) {
        done.merge(command.getFirstKey(), 1, Integer::sum);
      }
      if (!RawClient.isOk(reply)) {
        assertThat(RawClient.code(reply)).as("%s: %s", what, reply).isNotIn(1, 8);
        assertThat(reply.getString("errmsg").getValue()).as(what).isNotBlank();
      }
      if (reply.containsKey("writeErrors")) {
        for (BsonValue error : reply.getArray("writeErrors")) {
          assertThat(error.asDocument().getInt32("code").getValue())
              .as("%s: %s", what, reply)
              .isNotIn(1, 8);
        }
      }
    }
    asked.forEach(
        (name, times) ->
            assertThat(done.getOrDefault(name, 0))
                .as("seed %d: of %d times %s, done", seed, times, name)
                .isGreaterThanOrEqualTo(times / SENSIBLE_SHARE));
    // what is there can be read still
    assertThat(RawClient.isOk(client.run("random", "{find: 'c'}"))).isTrue();
  }

  private BsonDocument command() {
    BsonDocument command =
        switch (random.nextInt(15)) {
          case 0, 1 ->
              named("insert")
                  .append("documents", new BsonArray(List.of(document(3), document(2))))
                  .append("ordered", BsonBoolean.valueOf(random.nextBoolean()));
          case 2, 3 ->
              named("update")
                  .append("updates", new BsonArray(List.of(update(), update())))
                  .append("ordered", BsonBoolean.FALSE);
          case 4 ->
              named("delete")
                  .append(
                      "deletes",
                      new BsonArray(
                          List.of(
                              new BsonDocument("q", filter(2))
                                  .append("limit", new BsonInt32(random.nextInt(2))))));
          case 5 ->
              named("findAndModify")
                  .append("query", filter(2))
                  .append("update", modification())
                  .append("sort", sort())
                  .append("fields", projection())
                  .append("new", BsonBoolean.valueOf(random.nextBoolean()))
                  .append("upsert", BsonBoolean.valueOf(random.nextBoolean()));
          case 14 ->
              named("findAndModify")
                  .append("query", filter(2))
                  .append("remove", BsonBoolean.TRUE)
                  .append("new", BsonBoolean.valueOf(random.nextInt(4) == 0))
                  .append("sort", sort());
          case 6, 7 ->
              named("find")
                  .append("filter", filter(2))
                  .append("sort", sort())
                  .append("projection", projection())
                  .append("limit", new BsonInt32(random.nextInt(4)))
                  .append("skip", new BsonInt32(random.nextInt(3)));
          case 8, 9 -> {
            BsonArray stages = new BsonArray();
            for (int i = random.nextInt(3); i >= 0; i--) {
              stages.add(random.nextBoolean() ? sensibleStage() : stage());
            }
            yield named("aggregate")
                .append("pipeline", stages)
                .append("cursor", new BsonDocument());
          }
          case 10 -> named("count").append("query", filter(2));
          case 11 ->
              named("distinct")
                  .append("key", new BsonString(one(FIELDS)))
                  .append("query", filter(1));
          case 12 ->
              named("createIndexes")
                  .append(
                      "indexes",
                      new BsonArray(
                          List.of(
                              new BsonDocument(
                                      "key",
                                      new BsonDocument(
                                          one(FIELDS), new BsonInt32(random.nextInt(3) - 1)))
                                  .append("name", new BsonString("i" + random.nextInt(9)))
                                  .append("sparse", BsonBoolean.valueOf(random.nextBoolean())))));
          default ->
              new BsonDocument(
                      "explain", named("find").append("filter", filter(2)).append("sort", sort()))
                  .append("verbosity", new BsonString("executionStats"));
        };
    if (random.nextInt(8) == 0) {
      // one argument of another kind
      List<String> names = List.copyOf(command.keySet());
      command.put(one(names.subList(Math.min(1, names.size() - 1), names.size())), value(2));
    }
    return command;
  }

  private static BsonDocument named(String command) {
    return new BsonDocument(command, new BsonString("c"));
  }

  private BsonDocument update() {
    return new BsonDocument("q", filter(2))
        .append("u", modification())
        .append("multi", BsonBoolean.valueOf(random.nextInt(3) == 0))
        .append("upsert", BsonBoolean.valueOf(random.nextInt(3) == 0));
  }

  private BsonValue modification() {
    return switch (random.nextInt(8)) {
      case 5, 6, 7 -> sensibleModification();
      case 0 -> document(2);
      case 1 -> new BsonArray(List.of(stage()));
      default ->
          new BsonDocument(
              name(Compatibility.Kind.UPDATE), new BsonDocument(one(FIELDS), value(2)));
    };
  }

  private BsonDocument sensibleFilter() {
    return BsonDocument.parse(
        one(
            List.of(
                "{}",
                "{_id: " + random.nextInt(40) + "}",
                "{a: {$gte: 0}}",
                "{l: {$exists: true}}",
                "{$or: [{a: 1}, {b: {$type: 'string'}}]}",
                "{$expr: {$ne: ['$a', '$b']}}",
                "{b: {$in: [1, 'x', null]}}",
                "{l: {$elemMatch: {$gt: 1}}}")));
  }

  /** Which most documents can take. */
  private BsonValue sensibleModification() {
    return BsonDocument.parse(
        one(
            List.of(
                "{$set: {n: " + random.nextInt(9) + "}}",
                "{$set: {'a': 'x'}, $unset: {b: 1}}",
                "{$unset: {'l.x': 1}}",
                "{$inc: {n: 1}}",
                "{$min: {n: 3}, $max: {m: 4}}",
                "{$rename: {b: 'renamed'}}",
                "{$currentDate: {d: true}}",
                "{$setOnInsert: {a: 1}}",
                "{a: " + random.nextInt(4) + ", l: [1, {x: 2}]}",
                "{$push: {p: {$each: [3, 1], $sort: 1, $slice: 4}}}",
                "{$addToSet: {p: 1}}")));
  }

  private BsonDocument sensibleStage() {
    return BsonDocument.parse(
        one(
            List.of(
                "{$match: {a: {$gte: " + random.nextInt(3) + "}}}",
                "{$project: {a: 1, t: {$type: '$l'}}}",
                "{$group: {_id: '$a', n: {$sum: 1}, all: {$push: '$b'}}}",
                "{$sort: {a: -1, _id: 1}}",
                "{$unwind: '$l'}",
                "{$set: {'l.x': '$a', s: {$ifNull: ['$b', 0]}}}",
                "{$lookup: {from: 'c', localField: 'a', foreignField: 'b', as: 'j'}}",
                "{$bucketAuto: {groupBy: '$_id', buckets: 3}}",
                "{$setWindowFields: {sortBy: {_id: 1}, output: {r: {$documentNumber: {}}}}}",
                "{$fill: {sortBy: {_id: 1}, output: {a: {method: 'locf'}}}}",
                "{$facet: {n: [{$count: 'n'}], f: [{$limit: 2}]}}",
                "{$sortByCount: '$b'}")));
  }

  private BsonDocument sort() {
    return random.nextInt(3) == 0
        ? new BsonDocument()
        : new BsonDocument(one(FIELDS), new BsonInt32(random.nextInt(8) == 0 ? 5 : 1))
            .append("_id", new BsonInt32(-1));
  }

  private BsonDocument projection() {
    return switch (random.nextInt(4)) {
      case 0 -> new BsonDocument(one(FIELDS), new BsonInt32(random.nextInt(2)));
      case 1 -> new BsonDocument(one(FIELDS), expression(2));
      case 2 -> new BsonDocument("l.$", new BsonInt32(1));
      default -> new BsonDocument();
    };
  }

  private BsonDocument filter(int depth) {
    return switch (random.nextInt(14)) {
      case 7, 8, 9, 10, 11, 12, 13 -> sensibleFilter();
      case 0 -> new BsonDocument("$expr", expression(2));
      case 1 ->
          depth > 0
              ? new BsonDocument(
                  one(List.of("$and", "$or", "$nor")),
                  new BsonArray(List.of(filter(depth - 1), filter(depth - 1))))
              : new BsonDocument();
      case 2, 3 -> new BsonDocument(one(FIELDS), value(1));
      default ->
          new BsonDocument(one(FIELDS), new BsonDocument(name(Compatibility.Kind.QUERY), value(2)));
    };
  }

  private BsonDocument stage() {
    String name;
    do {
      name = name(Compatibility.Kind.STAGE);
      // what waits for changes is not asked here
    } while (name.startsWith("$changeStream"));
    BsonValue operand =
        switch (name) {
          case "$match" -> filter(2);
          case "$group" ->
              new BsonDocument("_id", expression(1))
                  .append(
                      "n", new BsonDocument(name(Compatibility.Kind.ACCUMULATOR), expression(1)));
          case "$project", "$addFields", "$set" -> new BsonDocument(one(FIELDS), expression(2));
          case "$sort" -> sort();
          case "$limit", "$skip" -> new BsonInt32(random.nextInt(4));
          case "$unwind", "$sortByCount" -> new BsonString(one(List.of("$l", "$a", "$l.x")));
          case "$lookup" ->
              BsonDocument.parse(
                  "{from: 'c', localField: 'a', foreignField: '" + one(FIELDS) + "', as: 'j'}");
          case "$out", "$merge" -> new BsonString("out" + random.nextInt(2));
          case "$unionWith" -> new BsonString("c");
          case "$facet" ->
              new BsonDocument("f", new BsonArray(List.of(new BsonDocument("$match", filter(1)))));
          default -> value(2);
        };
    return new BsonDocument(name, operand);
  }

  private String name(Compatibility.Kind kind) {
    List<String> names =
        Compatibility.entries().stream()
            .filter(entry -> entry.kind() == kind)
            .map(Compatibility.Entry::name)
            .toList();
    return one(names);
  }

  private BsonValue expression(int depth) {
    return random.nextInt(3) == 0 || depth == 0
        ? value(1)
        : new BsonDocument(
            name(Compatibility.Kind.EXPRESSION),
            random.nextBoolean()
                ? expression(depth - 1)
                : new BsonArray(List.of(expression(depth - 1), expression(depth - 1))));
  }

  private BsonDocument document(int depth) {
    BsonDocument document = new BsonDocument();
    if (random.nextInt(3) > 0) {
      document.put("_id", new BsonInt32(random.nextInt(40)));
    }
    for (String field : List.of("a", "b", "l")) {
      document.put(field, value(depth - 1));
    }
    return document;
  }

  private BsonValue value(int depth) {
    return switch (random.nextInt(depth > 0 ? 14 : 10)) {
      case 0 -> BsonNull.VALUE;
      case 1, 2, 3 -> new BsonInt32(random.nextInt(5) - 1);
      case 4 -> new BsonInt64(one(List.of(0L, 1L, Long.MAX_VALUE, Long.MIN_VALUE)));
      case 5 -> new BsonDouble(one(List.of(0.5, Double.NaN, 1e300, -0.0)));
      case 6, 7 -> new BsonString(one(TEXTS));
      case 8 -> BsonBoolean.valueOf(random.nextBoolean());
      case 9 -> new BsonRegularExpression(one(List.of("a", "^x", "(")), "i");
      case 10, 11 -> {
        BsonArray array = new BsonArray();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(depth - 1));
        }
        yield array;
      }
      default ->
          new BsonDocument(one(List.of("x", "b", "0", "input", "$each", "n")), value(depth - 1))
              .append(one(List.of("y", "in", "$slice", "as")), value(depth - 1));
    };
  }
}
