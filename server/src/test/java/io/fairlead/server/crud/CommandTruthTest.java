// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as they come over the wire: what they reply, and with which codes they fail. */
final class CommandTruthTest {
  private static Server server;
  private static RawClient client;

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

  @BeforeEach
  void threeDocuments() throws Exception {
    run("{drop: 'c'}");
    run(
        "{insert: 'c', documents: [{_id: 1, a: 1, l: [1, 5]}, {_id: 2, a: 2, l: [5]}, {_id: 3, a:"
            + " 2}]}");
  }

  private static BsonDocument run(String command) throws Exception {
    return client.run("test", command);
  }

  private static BsonDocument run(BsonDocument command) throws Exception {
    return client.run("test", command);
  }

  private static List<BsonValue> find(String filter) throws Exception {
    BsonDocument reply = run("{find: 'c', filter: " + filter + ", sort: {_id: 1}}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    return reply.getDocument("cursor").getArray("firstBatch");
  }

  /** The code of a command that fails, or of the first write that does; 0 of one that is well. */
  private static int code(BsonDocument reply) {
    if (reply.containsKey("writeErrors")) {
      return reply.getArray("writeErrors").get(0).asDocument().getInt32("code").getValue();
    }
    return RawClient.isOk(reply) ? 0 : RawClient.code(reply);
  }

  @ParameterizedTest(name = "{0} answers {1} and {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "query: {_id: 1}, update: {$inc: {a: 5}} | {n: 1, updatedExisting: true} | {_id: 1, a: 1,"
            + " l: [1, 5]}",
        "query: {_id: 1}, update: {$inc: {a: 5}}, new: true, fields: {a: 1} | {n: 1,"
            + " updatedExisting: true} | {_id: 1, a: 6}",
        "query: {a: 2}, sort: {_id: -1}, update: {$set: {z: 1}}, fields: {_id: 1} | {n: 1,"
            + " updatedExisting: true} | {_id: 3}",
        "query: {a: 2}, sort: {_id: -1}, remove: true, fields: {_id: 1} | {n: 1} | {_id: 3}",
        "query: {a: 9}, remove: true | {n: 0} | null",
        "query: {a: 9}, update: {$set: {z: 1}} | {n: 0, updatedExisting: false} | null",
        "query: {_id: 9}, update: {$set: {z: 1}}, upsert: true | {n: 1, updatedExisting: false,"
            + " upserted: 9} | null",
        "query: {_id: 9}, update: {z: 1}, upsert: true, new: true | {n: 1, updatedExisting: false,"
            + " upserted: 9} | {_id: 9, z: 1}",
        "query: {_id: 9}, update: {$setOnInsert: {z: 1}}, upsert: true, new: true | {n: 1,"
            + " updatedExisting: false, upserted: 9} | {_id: 9, z: 1}",
        "query: {_id: 1}, update: [{$set: {a: {$add: ['$a', '$$d']}}}], let: {d: 7}, new: true,"
            + " fields: {a: 1} | {n: 1, updatedExisting: true} | {_id: 1, a: 8}",
        "query: {_id: 1}, update: {$set: {'l.$[e]': 0}}, arrayFilters: [{e: {$gt: 3}}], new: true,"
            + " fields: {l: 1} | {n: 1, updatedExisting: true} | {_id: 1, l: [1, 0]}",
        "query: {l: 5}, sort: {_id: 1}, update: {$set: {'l.$': 0}}, new: true, fields: {l: 1} | {n:"
            + " 1, updatedExisting: true} | {_id: 1, l: [1, 0]}",
        "query: {l: {$gt: 1}}, sort: {_id: 1}, update: {$set: {z: 1}}, fields: {'l.$': 1} | {n: 1,"
            + " updatedExisting: true} | {_id: 1, l: [5]}",
        "query: {_id: 1}, update: {a: 7}, new: true | {n: 1, updatedExisting: true} | {_id: 1, a:"
            + " 7}",
        "query: {_id: 1}, update: {$set: {a: 1}}, new: true, fields: {a: 1} | {n: 1,"
            + " updatedExisting: true} | {_id: 1, a: 1}",
        "query: {$expr: {$eq: ['$_id', '$$i']}}, let: {i: 2}, remove: true, fields: {_id: 1} | {n:"
            + " 1} | {_id: 2}",
      })
  void findAndModify_answers_in_all_its_forms(String arguments, String last, String value)
      throws Exception {
    BsonDocument reply = run("{findAndModify: 'c', " + arguments + "}");
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    assertThat(reply.getDocument("lastErrorObject")).isEqualTo(BsonDocument.parse(last));
    assertThat(new BsonDocument("v", reply.get("value")))
        .isEqualTo(BsonDocument.parse("{v: " + value + "}"));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        // findAndModify
        "{findAndModify: 'c', query: {}} | 9",
        "{findAndModify: 'c', remove: true, update: {a: 1}} | 9",
        "{findAndModify: 'c', remove: true, new: true} | 9",
        "{findAndModify: 'c', remove: true, upsert: true} | 9",
        "{findAndModify: 'c', query: {_id: 1}, update: {$set: {_id: 2}}} | 66",
        "{findAndModify: 'c', query: {_id: 1}, update: {_id: 2}} | 66",
        "{findAndModify: 'c', query: {$foo: 1}, remove: true} | 2",
        "{findAndModify: 'c', query: {_id: 1}, update: {$set: {'a.b': 1}}} | 28",
        "{findAndModify: 'c', query: {_id: 1}, update: {$set: {'l.$': 1}}} | 2",
        "{findAndModify: 'c', query: {_id: 1}, update: {$set: {z: 1}, $inc: {z: 1}}} | 40",
        "{findAndModify: 'c', query: {_id: 1}, update: {$set: {z: 1}}, fields: {a: 1, b: 0}} |"
            + " 31254",
        "{findAndModify: 'c', query: {_id: [1]}, update: {$set: {z: 1}}, upsert: true} | 53",
        "{findAndModify: 'c', query: {}, update: 5} | 9",
        "{findAndModify: 'c', query: {}, remove: true, foo: 1} | 40415",
        // a hint that there is not
        "{find: 'c', hint: 'nope'} | 2",
        "{find: 'c', hint: {z: 1}} | 2",
        "{count: 'c', hint: 'nope'} | 2",
        "{distinct: 'c', key: 'a', hint: 'nope'} | 2",
        "{aggregate: 'c', pipeline: [], cursor: {}, hint: 'nope'} | 2",
        "{update: 'c', updates: [{q: {}, u: {$set: {z: 1}}, hint: 'nope'}]} | 2",
        "{delete: 'c', deletes: [{q: {}, limit: 0, hint: 'nope'}]} | 2",
        "{findAndModify: 'c', query: {}, remove: true, hint: 'nope'} | 2",
        // statements
        "{update: 'c', updates: [{q: {}, u: {a: 1}, multi: true}]} | 9",
        "{update: 'c', updates: [{q: {}, u: {$foo: {a: 1}}}]} | 9",
        "{update: 'c', updates: [{q: {$foo: 1}, u: {$set: {a: 1}}}]} | 2",
        "{update: 'c', updates: [{q: {}, u: {$set: {a: 1}}, foo: 1}]} | 40415",
        "{update: 'c', updates: [{u: {$set: {a: 1}}}]} | 40414",
        "{update: 'c', updates: []} | 16",
        "{update: 'c', updates: 5} | 14",
        "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {'a.b': 1}}}]} | 28",
        "{update: 'c', updates: [{q: {_id: 1}, u: {$push: {a: 1}}}]} | 2",
        "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {l: 1}}}]} | 14",
        "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {_id: 5}}}]} | 66",
        "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: 1}, $unset: {'a.b': 1}}}]} | 40",
        "{update: 'c', updates: [{q: {}, u: {$set: {'l.$[i]': 1}}, arrayFilters: [{j: 1}]}]} | 2",
        "{update: 'c', updates: [{q: {}, u: {$set: {a: 1}}, arrayFilters: [{j: 1}]}]} | 9",
        "{delete: 'c', deletes: [{q: {}, limit: 2}]} | 9",
        "{delete: 'c', deletes: [{q: {}}]} | 40414",
        "{delete: 'c', deletes: []} | 16",
        "{insert: 'c', documents: []} | 16",
        "{insert: 'c', documents: [5]} | 14",
        "{insert: 'c'} | 40414",
        "{insert: 'c', documents: [{_id: 1}]} | 11000",
        "{insert: 'c', documents: [{_id: {$a: 1}}]} | 52",
        "{insert: '', documents: [{_id: 1}]} | 73",
        "{insert: 'a$b', documents: [{_id: 1}]} | 73",
        // reads
        "{find: 'c', filter: 5} | 14",
        "{find: 'c', limit: -1} | 51024",
        "{find: 'c', skip: -1} | 51024",
        "{find: 'c', limit: 'x'} | 14",
        "{find: 'c', allowDiskUse: 'x'} | 14",
        "{find: 'c', allowPartialResults: {}} | 14",
        "{aggregate: 'c', pipeline: [], cursor: {}, allowDiskUse: 'x'} | 14",
        "{explain: {nope: 1}} | 59",
        "{explain: {insert: 'c', documents: []}} | 59",
        "{find: 'c', batchSize: -1} | 51024",
        "{find: 'c', sort: {a: 2}} | 15975",
        "{find: 'c', sort: {a: 'x'}} | 15974",
        "{find: 'c', projection: {a: 1, b: 0}} | 31254",
        "{find: 'c', foo: 1} | 40415",
        "{find: 5} | 73",
        "{find: 'c', filter: {$expr: {$eq: ['$$nope', 1]}}} | 17276",
        "{find: 'c', let: {'1x': 1}} | 9",
        "{find: 'c', let: {x: '$a'}} | 4890500",
        "{find: 'c', let: {x: {$divide: [1, 0]}}} | 2",
        "{find: 'c', collation: {locale: 'xx-nope'}} | 2",
        "{distinct: 'c'} | 40414",
        "{distinct: 'c', key: 5} | 14",
        "{distinct: 'c', key: 'a', query: 5} | 14",
        "{count: 'c', query: 5} | 14",
        "{count: 'c', skip: -1} | 51024",
        "{aggregate: 'c', pipeline: [{$nope: 1}], cursor: {}} | 40324",
        "{aggregate: 'c', pipeline: []} | 9",
        "{aggregate: 'c', cursor: {}} | 40414",
        "{aggregate: 'c', pipeline: 5, cursor: {}} | 14",
        "{aggregate: 'c', pipeline: [5], cursor: {}} | 14",
        "{aggregate: 'c', pipeline: [{$project: {x: {$divide: ['$a', 0]}}}], cursor: {}} | 2",
        "{aggregate: 'c', pipeline: [{$match: {}}, {$collStats: {}}], cursor: {}} | 40602",
        "{aggregate: 'c', pipeline: [{$documents: [{a: 1}]}], cursor: {}} | 73",
        "{aggregate: 1, pipeline: [{$match: {}}], cursor: {}} | 73",
        "{aggregate: 1, pipeline: [], cursor: {}} | 73",
        "{aggregate: 1, pipeline: [{$nope: {}}], cursor: {}} | 40324",
        "{find: 'c', maxTimeMS: -1} | 2",
        "{find: 'c', maxTimeMS: 'x'} | 14",
        "{find: 'c', maxTimeMS: {$numberLong: '99999999999'}} | 2",
        "{getMore: {$numberLong: '12345'}, collection: 'c'} | 43",
        "{getMore: 'x', collection: 'c'} | 14",
        "{nope: 1} | 59",
      })
  void a_command_that_cannot_be_done_fails_with_mongodbs_code(String command, int code)
      throws Exception {
    BsonDocument reply = run(command);
    assertThat(code(reply)).as(reply.toJson()).isEqualTo(code);
    assertThat(find("{}")).hasSize(3);
  }

  @Test
  void statements_of_a_batch_fail_one_by_one_at_their_positions() throws Exception {
    BsonDocument unordered =
        run(
            "{insert: 'c', ordered: false, documents: [{_id: 10}, {_id: 1}, {_id: 11}, {_id: 10},"
                + " {_id: 12}]}");
    assertThat(unordered.getInt32("n").getValue()).isEqualTo(3);
    assertThat(positions(unordered)).containsExactly(1, 3);
    BsonDocument ordered =
        run("{insert: 'c', documents: [{_id: 20}, {_id: 1}, {_id: 21}, {_id: 20}]}");
    assertThat(ordered.getInt32("n").getValue()).isEqualTo(1);
    assertThat(positions(ordered)).containsExactly(1);
    BsonDocument updates =
        run(
            "{update: 'c', ordered: false, updates: [{q: {_id: 1}, u: {$set: {'a.b': 1}}}, {q:"
                + " {_id: 2}, u: {$set: {z: 1}}}, {q: {$foo: 1}, u: {}}, {q: {_id: 77}, u: {$set:"
                + " {z: 1}}, upsert: true}, {q: {_id: 2}, u: {$set: {z: 1}}}]}");
    assertThat(positions(updates)).containsExactly(0, 2);
    assertThat(updates.getInt32("n").getValue()).isEqualTo(3);
    assertThat(updates.getInt32("nModified").getValue()).isEqualTo(1);
    assertThat(updates.getArray("upserted")).isEqualTo(BsonArray.parse("[{index: 3, _id: 77}]"));
    BsonDocument deletes =
        run(
            "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}, {q: {$foo: 1}, limit: 0}, {q: {},"
                + " limit: 0}]}");
    assertThat(positions(deletes)).containsExactly(1);
    assertThat(deletes.getInt32("n").getValue()).isEqualTo(1);
  }

  private static List<Integer> positions(BsonDocument reply) {
    List<Integer> positions = new ArrayList<>();
    reply
        .getArray("writeErrors")
        .forEach(error -> positions.add(error.asDocument().getInt32("index").getValue()));
    return positions;
  }

  @Test
  void what_matched_and_what_was_changed_are_counted_apart() throws Exception {
    assertThat(run("{update: 'c', updates: [{q: {a: 2}, u: {$set: {a: 2}}, multi: true}]}"))
        .containsEntry("n", new BsonInt32(2))
        .containsEntry("nModified", new BsonInt32(0));
    assertThat(run("{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {a: 0}}}]}"))
        .containsEntry("n", new BsonInt32(1))
        .containsEntry("nModified", new BsonInt32(0));
    assertThat(run("{update: 'c', updates: [{q: {_id: 50}, u: {z: 1}, upsert: true}]}"))
        .containsEntry("n", new BsonInt32(1))
        .containsEntry("nModified", new BsonInt32(0))
        .containsKey("upserted");
    assertThat(run("{update: 'c', updates: [{q: {_id: 60}, u: {z: 1}}]}"))
        .containsEntry("n", new BsonInt32(0))
        .doesNotContainKey("upserted");
  }

  @Test
  void ids_cannot_be_arrays_patterns_or_undefined() throws Exception {
    for (BsonValue id :
        List.of(new BsonArray(), new BsonRegularExpression("a"), new BsonUndefined())) {
      BsonDocument insert =
          new BsonDocument("insert", new BsonString("c"))
              .append("documents", new BsonArray(List.of(new BsonDocument("_id", id))));
      assertThat(code(run(insert))).as("%s", id).isEqualTo(2);
    }
    BsonDocument upsert =
        run("{update: 'c', updates: [{q: {_id: [1]}, u: {$set: {a: 1}}, upsert: true}]}");
    assertThat(code(upsert)).isEqualTo(53);
  }

  @Test
  void fields_may_begin_with_a_dollar_and_contain_dots() throws Exception {
    assertThat(code(run("{insert: 'c', documents: [{_id: 30, $x: 1, 'p.q': {'r.s': {$t: 2}}}]}")))
        .isZero();
    assertThat(find("{_id: 30}").getFirst())
        .isEqualTo(BsonDocument.parse("{_id: 30, $x: 1, 'p.q': {'r.s': {$t: 2}}}"));
    assertThat(find("{$expr: {$eq: [{$getField: 'p.q'}, 1]}}")).isEmpty();
    assertThat(find("{$expr: {$eq: [{$getField: {$literal: '$x'}}, 1]}}")).hasSize(1);
    assertThat(
            code(
                run(
                    "{update: 'c', updates: [{q: {_id: 30}, u: [{$replaceWith: {$setField: {field:"
                        + " {$literal: '$x'}, input: '$$ROOT', value: 5}}}]}]}")))
        .isZero();
    assertThat(find("{$expr: {$eq: [{$getField: {$literal: '$x'}}, 5]}}")).hasSize(1);
  }

  @Test
  void a_timestamp_of_zero_becomes_the_time_in_inserts_and_replacements() throws Exception {
    String zero = "{$timestamp: {t: 0, i: 0}}";
    run("{insert: 'c', documents: [{_id: 70, t: Z, u: Z, n: {t: Z}}]}".replace("Z", zero));
    run("{update: 'c', updates: [{q: {_id: 1}, u: {t: Z}}]}".replace("Z", zero));
    run("{update: 'c', updates: [{q: {_id: 2}, u: {$set: {t: Z}}}]}".replace("Z", zero));
    BsonDocument inserted = find("{_id: 70}").getFirst().asDocument();
    assertThat(inserted.getTimestamp("t").getTime()).isPositive();
    assertThat(inserted.getTimestamp("t")).isNotEqualTo(inserted.getTimestamp("u"));
    assertThat(inserted.getDocument("n").getTimestamp("t").getValue()).isZero();
    assertThat(find("{_id: 1}").getFirst().asDocument().getTimestamp("t").getTime()).isPositive();
    assertThat(find("{_id: 2}").getFirst().asDocument().getTimestamp("t").getValue()).isZero();
  }

  /** Deeply nested filters cost an error, not the stack. */
  @ParameterizedTest
  @ValueSource(strings = {"$and", "$or", "$nor"})
  void filters_are_nested_a_hundred_deep_at_most(String operator) throws Exception {
    BsonDocument filter = new BsonDocument("a", new BsonInt32(1));
    for (int i = 0; i < 40; i++) {
      filter = new BsonDocument(operator, new BsonArray(List.of(filter)));
    }
    assertThat(code(run(new BsonDocument("find", new BsonString("c")).append("filter", filter))))
        .isZero();
    for (int i = 0; i < 90; i++) {
      filter = new BsonDocument(operator, new BsonArray(List.of(filter)));
    }
    assertThat(code(run(new BsonDocument("find", new BsonString("c")).append("filter", filter))))
        .isEqualTo(2);
  }

  @Test
  void documents_and_replies_have_their_limits() throws Exception {
    String large = "x".repeat(9 * 1024 * 1024);
    BsonDocument big =
        new BsonDocument("_id", new BsonInt32(40)).append("s", new BsonString(large));
    assertThat(code(insert(big))).isZero();
    BsonDocument grown =
        run(
            new BsonDocument("update", new BsonString("c"))
                .append(
                    "updates",
                    new BsonArray(
                        List.of(
                            new BsonDocument("q", new BsonDocument("_id", new BsonInt32(40)))
                                .append(
                                    "u",
                                    new BsonDocument(
                                        "$set", new BsonDocument("t", new BsonString(large))))))));
    assertThat(code(grown)).isEqualTo(17419);
    BsonDocument tooLarge =
        new BsonDocument("_id", new BsonInt32(41))
            .append("b", new BsonBinary(new byte[16 * 1024 * 1024]));
    assertThat(code(insert(tooLarge))).isIn(2, 10334);
    assertThat(code(insert(big.clone().append("_id", new BsonInt32(42))))).isZero();
    // two of nine MiB do not fit one reply of sixteen
    BsonDocument first = run("{find: 'c', filter: {_id: {$gte: 40}}}").getDocument("cursor");
    assertThat(first.getArray("firstBatch")).hasSize(1);
    assertThat(first.getInt64("id").getValue()).isNotZero();
    run("{update: 'c', updates: [{q: {_id: 42}, u: [{$set: {s: {$concat: ['$s', 'y']}}}]}]}");
    assertThat(code(run("{distinct: 'c', key: 's', query: {_id: {$gte: 40}}}"))).isEqualTo(17217);
    BsonDocument both =
        run(
            "{aggregate: 'c', cursor: {}, pipeline: [{$match: {_id: {$gte: 40}}}, {$group: {_id:"
                + " null, all: {$push: '$s'}}}]}");
    assertThat(code(both)).isIn(10334, 146);
    run("{delete: 'c', deletes: [{q: {_id: {$gte: 40}}, limit: 0}]}");
  }

  private static BsonDocument insert(BsonDocument document) throws Exception {
    return run(
        new BsonDocument("insert", new BsonString("c"))
            .append("documents", new BsonArray(List.of(document))));
  }

  @Test
  void documents_may_be_nested_two_hundred_deep_at_most() throws Exception {
    BsonDocument deep = new BsonDocument("a", new BsonInt32(1));
    for (int i = 0; i < 150; i++) {
      deep = new BsonDocument("a", deep);
    }
    assertThat(code(insert(new BsonDocument("_id", new BsonInt32(90)).append("a", deep)))).isZero();
    for (int i = 0; i < 100; i++) {
      deep = new BsonDocument("a", deep);
    }
    assertThat(code(insert(new BsonDocument("_id", new BsonInt32(91)).append("a", deep))))
        .isEqualTo(15);
    StringBuilder path = new StringBuilder("a");
    path.append(".a".repeat(160));
    assertThat(
            code(
                run(
                    "{update: 'c', updates: [{q: {_id: 90}, u: [{$set: {'"
                        + path
                        + "': '$a'}}]}]}")))
        .isEqualTo(15);
    assertThat(find("{}")).hasSize(4);
  }

  /** Loops that would take minutes: they end because the time is over. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{find: 'c', filter: {$expr: LOOP}, maxTimeMS: 50}",
        "{count: 'c', query: {$expr: LOOP}, maxTimeMS: 50}",
        "{distinct: 'c', key: 'a', query: {$expr: LOOP}, maxTimeMS: 50}",
        "{aggregate: 'c', pipeline: [{$project: {x: LOOP}}], cursor: {}, maxTimeMS: 50}",
        "{aggregate: 'c', pipeline: [{$group: {_id: LOOP}}], cursor: {}, maxTimeMS: 50}",
        "{aggregate: 'c', pipeline: [{$unwind: '$l'}, {$set: {x: LOOP}}, {$sort: {x: 1}}],"
            + " cursor: {}, maxTimeMS: 50}",
        "{aggregate: 'c', pipeline: [{$lookup: {from: 'c', pipeline: [{$match: {$expr: LOOP}}],"
            + " as: 'x'}}], cursor: {}, maxTimeMS: 50}",
        "{update: 'c', updates: [{q: {$expr: LOOP}, u: {$set: {z: 1}}}], maxTimeMS: 50}",
        "{update: 'c', updates: [{q: {}, u: [{$set: {z: LOOP}}]}], maxTimeMS: 50}",
        "{delete: 'c', deletes: [{q: {$expr: LOOP}, limit: 0}], maxTimeMS: 50}",
        "{findAndModify: 'c', query: {$expr: LOOP}, remove: true, maxTimeMS: 50}",
        "{find: 'c', filter: {s: {$regex: '(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^x]'}}, maxTimeMS: 50}",
      })
  void a_time_limit_really_stops(String command) throws Exception {
    run("{insert: 'c', documents: [{_id: 99, s: '" + "x".repeat(60) + "'}]}");
    String loop =
        "{$reduce: {input: {$range: [0, 1000000]}, initialValue: 0, in: {$size: {$map: {input:"
            + " {$range: [0, 1000]}, in: {$add: ['$$this', 1]}}}}}}";
    BsonDocument reply = run(command.replace("LOOP", loop));
    assertThat(code(reply)).as(reply.toJson()).isEqualTo(50);
    assertThat(find("{}")).hasSize(4);
  }

  @Test
  void variables_are_expressions_that_are_evaluated_once() throws Exception {
    String let = "let: {one: {$subtract: [3, 2]}, two: {$add: ['$$one', 1]}, o: {x: '$$one'}}";
    String filter = "{$expr: {$eq: ['$a', '$$o.x']}}";
    BsonDocument found = run("{find: 'c', filter: " + filter + ", " + let + "}");
    assertThat(found.getDocument("cursor").getArray("firstBatch")).hasSize(1);
    BsonDocument piped =
        run(
            "{aggregate: 'c', cursor: {}, "
                + let
                + ", pipeline: [{$lookup: {from: 'c', pipeline: [{$match: {$expr: {$eq: ['$_id',"
                + " '$$two']}}}], as: 'r'}}, {$match: {'r._id': 2}}]}");
    assertThat(piped.getDocument("cursor").getArray("firstBatch")).hasSize(3);
    assertThat(
            run(
                "{update: 'c', updates: [{q: {$expr: {$eq: ['$_id', '$$two']}}, u: [{$set: {a:"
                    + " '$$o', k: '$$k'}}], c: {k: {$add: [1, 1]}}}], "
                    + let
                    + "}"))
        .containsEntry("nModified", new BsonInt32(1));
    assertThat(find("{_id: 2}").getFirst())
        .isEqualTo(BsonDocument.parse("{_id: 2, a: {x: 1}, l: [5], k: {$add: [1, 1]}}"));
    assertThat(
            run(
                "{delete: 'c', deletes: [{q: {$expr: {$eq: ['$_id', '$$two']}}, limit: 1}], "
                    + let
                    + "}"))
        .containsEntry("n", new BsonInt32(1));
  }

  @Test
  void merge_hands_documents_on_as_they_are() throws Exception {
    run("{drop: 'd'}");
    run("{insert: 'd', documents: [{_id: 1, seen: 0}]}");
    run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {s: '$notAPath', d: {$add: [1, 1]}}}}]}");
    BsonDocument reply =
        run(
            "{aggregate: 'c', cursor: {}, let: {k: {$add: [2, 2]}}, pipeline: [{$match: {_id: 1}},"
                + " {$merge: {into: 'd', let: {mine: '$$ROOT', k: '$$k'}, whenMatched: [{$set:"
                + " {got: '$$mine.s', d: '$$mine.d', k: '$$k', whole: '$$new.a'}}]}}]}");
    assertThat(code(reply)).as(reply.toJson()).isEqualTo(17276);
    reply =
        run(
            "{aggregate: 'c', cursor: {}, let: {k: {$add: [2, 2]}}, pipeline: [{$match: {_id: 1}},"
                + " {$merge: {into: 'd', let: {mine: '$$ROOT', k: '$$k'}, whenMatched: [{$set:"
                + " {got: '$$mine.s', d: '$$mine.d', k: '$$k'}}]}}]}");
    assertThat(code(reply)).as(reply.toJson()).isZero();
    assertThat(run("{find: 'd'}").getDocument("cursor").getArray("firstBatch").get(0))
        .isEqualTo(
            BsonDocument.parse("{_id: 1, seen: 0, got: '$notAPath', d: {$add: [1, 1]}, k: 4}"));
  }

  @Test
  void comments_of_every_type_are_taken_everywhere() throws Exception {
    for (String comment : List.of("'x'", "{a: 1}", "5", "[1]")) {
      for (String command :
          List.of(
              "{find: 'c', comment: C}",
              "{count: 'c', comment: C}",
              "{distinct: 'c', key: 'a', comment: C}",
              "{aggregate: 'c', pipeline: [], cursor: {}, comment: C}",
              "{insert: 'd', documents: [{}], comment: C}",
              "{update: 'd', updates: [{q: {}, u: {$set: {a: 1}}}], comment: C}",
              "{delete: 'd', deletes: [{q: {}, limit: 0}], comment: C}",
              "{findAndModify: 'd', remove: true, comment: C}",
              "{createIndexes: 'd', indexes: [{key: {a: 1}, name: 'a'}], comment: C}",
              "{dropIndexes: 'd', index: 'a', comment: C}")) {
        BsonDocument reply = run(command.replace("C}", comment + "}"));
        assertThat(code(reply)).as("%s: %s", command, reply.toJson()).isZero();
      }
    }
  }

  @ParameterizedTest(name = "{0} counts {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{count: 'c'} | 3",
        "{count: 'c', query: {a: 2}} | 2",
        "{count: 'c', query: {a: 2}, skip: 1} | 1",
        "{count: 'c', query: {a: 2}, skip: 5} | 0",
        "{count: 'c', limit: 2} | 2",
        "{count: 'c', limit: -2} | 2",
        "{count: 'c', skip: 1, limit: 5} | 2",
        "{count: 'nope'} | 0",
        "{count: 'c', query: {a: 2}, hint: '_id_'} | 2",
      })
  void a_count_counts(String command, int n) throws Exception {
    assertThat(run(command).getInt32("n").getValue()).isEqualTo(n);
  }

  @Test
  void distinct_takes_elements_of_arrays_one_by_one() throws Exception {
    assertThat(run("{distinct: 'c', key: 'l'}").getArray("values"))
        .containsExactlyInAnyOrder(new BsonInt32(1), new BsonInt32(5));
    assertThat(run("{distinct: 'c', key: 'a', query: {_id: {$gt: 1}}}").getArray("values"))
        .containsExactly(new BsonInt32(2));
    assertThat(run("{distinct: 'nope', key: 'a'}").getArray("values")).isEmpty();
  }

  @Test
  void explain_tells_the_plan_that_a_write_would_take_with_its_hint() throws Exception {
    run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]}");
    for (String command :
        List.of(
            "{update: 'c', updates: [{q: {}, u: {$set: {z: 1}}, hint: 'a_1'}]}",
            "{delete: 'c', deletes: [{q: {}, limit: 0, hint: 'a_1'}]}",
            "{findAndModify: 'c', query: {}, remove: true, hint: 'a_1'}",
            "{find: 'c', hint: 'a_1'}",
            "{count: 'c', query: {l: 5}, hint: 'a_1'}",
            "{distinct: 'c', key: 'l', hint: 'a_1'}",
            "{aggregate: 'c', pipeline: [], cursor: {}, hint: 'a_1'}")) {
      BsonDocument reply = run("{explain: " + command + ", verbosity: 'queryPlanner'}");
      assertThat(reply.toJson()).as(command).contains("IXSCAN").contains("a_1");
      assertThat(find("{}")).hasSize(3);
    }
  }

  @Test
  void of_a_number_of_documents_the_whole_part_counts() throws Exception {
    assertThat(firstBatch("{find: 'c', skip: 0.9, limit: 2.9, sort: {_id: 1}}")).hasSize(2);
    assertThat(firstBatch("{find: 'c', batchSize: {$numberDecimal: '1.5'}}")).hasSize(1);
    assertThat(firstBatch("{aggregate: 'c', pipeline: [], cursor: {batchSize: 1.5}}")).hasSize(1);
  }

  @Test
  void a_bulk_write_tells_of_failed_updates_that_nothing_was_modified() throws Exception {
    BsonDocument reply =
        client.run(
            "admin",
            "{bulkWrite: 1, ordered: false, nsInfo: [{ns: 'test.c'}], ops: [{insert: 0, document:"
                + " {_id: 1}}, {update: 0, filter: {_id: 1}, updateMods: {$bad: {a: 1}}}]}");
    List<BsonValue> each = reply.getDocument("cursor").getArray("firstBatch");
    assertThat(each.get(0).asDocument()).containsKey("n").doesNotContainKey("nModified");
    assertThat(each.get(1).asDocument()).containsEntry("nModified", new BsonInt32(0));
  }

  @Test
  void any_command_may_say_which_statement_of_its_session_it_is() throws Exception {
    assertThat(code(run("{find: 'c', stmtId: 1}"))).isZero();
    assertThat(code(run("{count: 'c', stmtId: {$numberLong: '1'}}"))).isZero();
  }

  @Test
  void names_that_are_none_are_refused() throws Exception {
    BsonDocument distinct =
        new BsonDocument("distinct", new BsonString("c"))
            .append("key", new BsonString("a" + (char) 0 + "b"));
    assertThat(code(run(distinct))).isEqualTo(31032);
    assertThat(code(run("{killCursors: {a: 1}, cursors: [{$numberLong: '1'}]}"))).isEqualTo(2);
    assertThat(code(run("{killCursors: 'c', cursors: {a: 1}}"))).isEqualTo(14);
  }

  @Test
  void an_index_key_is_returned_with_the_sort_key_when_it_is_asked_for() throws Exception {
    run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]}");
    assertThat(
            firstBatch(
                "{find: 'c', filter: {_id: {$lt: 3}}, hint: 'a_1', sort: {_id: -1},"
                    + " returnKey: true, projection: {k: {$meta: 'sortKey'}}}"))
        .containsExactly(
            BsonDocument.parse("{a: 2, k: [2]}"), BsonDocument.parse("{a: 1, k: [1]}"));
  }

  private static List<BsonValue> firstBatch(String command) throws Exception {
    BsonDocument reply = run(command);
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    return reply.getDocument("cursor").getArray("firstBatch");
  }
}
