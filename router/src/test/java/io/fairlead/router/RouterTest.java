// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.listener.ListenerSettings;
import io.fairlead.wire.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A router between a client and shards that answer as the test wants: what it sends, and what it
 * makes of their answers.
 */
final class RouterTest {

  private static final AtomicInteger NAMES = new AtomicInteger();

  private final FakeSet config = new FakeSet("cfg");
  private final FakeSet first = new FakeSet("s0");
  private final FakeSet second = new FakeSet("s1");
  private final ConcurrentMap<String, BsonArray> configData = new ConcurrentHashMap<>();
  private @Nullable Router router;
  private @Nullable MessageChannel channel;

  @BeforeEach
  void start() throws Exception {
    put(
        "shards",
        "{_id: 's0', host: '" + first.hosts() + "'}",
        "{_id: 's1', host: '" + second.hosts() + "'}");
    put("databases", "{_id: 'd', primary: 's0', version: {uuid: 1, lastMod: 1}}");
    put(
        "collections",
        "{_id: 'd.c', lastmodEpoch: {$oid: '0123456789abcdef01234567'}, timestamp: {$timestamp: {t:"
            + " 5, i: 1}}, uuid: 1, key: {k: 1}}");
    put(
        "chunks",
        "{_id: 1, uuid: 1, min: {k: {$minKey: 1}}, max: {k: 100}, shard: 's0', lastmod:"
            + " {$timestamp: {t: 1, i: 1}}}",
        "{_id: 2, uuid: 1, min: {k: 100}, max: {k: {$maxKey: 1}}, shard: 's1', lastmod:"
            + " {$timestamp: {t: 1, i: 2}}}");
    config.answering(this::answerConfig);
    String host = "router-" + NAMES.incrementAndGet() + ".inprocess";
    RouterSettings settings =
        RouterSettings.loopback(0, config.hosts()).alsoOn(ListenerSettings.on(host, 0));
    router = Router.start(settings);
    String address = router.addresses().get(1);
    channel =
        Dialer.dial(
            host,
            Integer.parseInt(address.substring(address.indexOf(':') + 1)),
            DialOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    if (channel != null) {
      channel.close();
    }
    if (router != null) {
      router.close();
    }
    first.close();
    second.close();
    config.close();
  }

  private void put(String collection, String... documents) {
    BsonArray array = new BsonArray();
    for (String document : documents) {
      array.add(BsonDocument.parse(document));
    }
    configData.put(collection, array);
  }

  private @Nullable BsonDocument answerConfig(BsonDocument command) {
    if (!command.getFirstKey().equals("find")) {
      return BsonDocument.parse("{n: 1}");
    }
    String collection = command.getString("find").getValue();
    BsonValue id = command.getDocument("filter").get("_id");
    BsonArray found = new BsonArray();
    for (BsonValue document : configData.getOrDefault(collection, new BsonArray())) {
      if (id == null || id.equals(document.asDocument().get("_id"))) {
        found.add(document);
      }
    }
    return cursor(0, "config." + collection, found);
  }

  private static BsonDocument cursor(long id, String namespace, BsonArray batch) {
    BsonDocument cursor =
        new BsonDocument("firstBatch", batch)
            .append("id", new org.bson.BsonInt64(id))
            .append("ns", new BsonString(namespace));
    return new BsonDocument("cursor", cursor);
  }

  private static BsonArray documents(String... json) {
    BsonArray array = new BsonArray();
    for (String document : json) {
      array.add(BsonDocument.parse(document));
    }
    return array;
  }

  private BsonDocument run(String json) throws Exception {
    MessageChannel open = java.util.Objects.requireNonNull(channel);
    BsonDocument command = BsonDocument.parse(json);
    if (!command.containsKey("$db")) {
      command.append("$db", new BsonString("d"));
    }
    open.send(Message.command(command));
    return open.receive(Duration.ofSeconds(30)).body();
  }

  private static int code(BsonDocument reply) {
    return reply.getNumber("code", new BsonInt32(0)).intValue();
  }

  @Test
  void hello_says_that_it_is_a_router() throws Exception {
    BsonDocument hello = run("{hello: 1, $db: 'admin'}");
    assertThat(hello.getString("msg").getValue()).isEqualTo("isdbgrid");
    assertThat(hello.getBoolean("isWritablePrimary").getValue()).isTrue();
    assertThat(hello.containsKey("setName")).isFalse();
    assertThat(run("{isMaster: 1, helloOk: true, $db: 'admin'}").getBoolean("ismaster").getValue())
        .isTrue();
  }

  @Test
  void a_command_it_does_not_have_is_refused_by_name() throws Exception {
    BsonDocument reply = run("{movePrimary: 'd', $db: 'admin'}");
    assertThat(code(reply)).isEqualTo(59);
    assertThat(reply.getString("errmsg").getValue()).contains("movePrimary");
    assertThat(code(run("{find: 'c', startTransaction: true, autocommit: false}"))).isEqualTo(20);
  }

  @Test
  void an_unsharded_collection_is_the_primary_shards_and_carries_versions() throws Exception {
    first.answering(command -> cursor(0, "d.plain", documents("{a: 1}")));
    BsonDocument reply =
        run(
            "{find: 'plain', filter: {a: 1}, lsid: {id: {$binary: {base64:"
                + " 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}}}");
    assertThat(reply.getDocument("cursor").getArray("firstBatch")).isEqualTo(documents("{a: 1}"));
    BsonDocument sent = first.received("find").getLast();
    assertThat(sent.getDocument("databaseVersion"))
        .isEqualTo(BsonDocument.parse("{uuid: 1, lastMod: 1}"));
    assertThat(sent.getDocument("shardVersion").getTimestamp("v"))
        .isEqualTo(new BsonTimestamp(0, 0));
    assertThat(sent.containsKey("lsid")).isTrue();
    assertThat(second.received("find")).isEmpty();
  }

  @Test
  void a_read_with_the_shard_key_goes_to_its_shard_with_that_shards_version() throws Exception {
    second.answering(command -> cursor(0, "d.c", documents("{k: 150}")));
    run("{find: 'c', filter: {k: 150}}");
    BsonDocument version = second.received("find").getLast().getDocument("shardVersion");
    assertThat(version.getTimestamp("v")).isEqualTo(new BsonTimestamp(1, 2));
    assertThat(first.received("find")).isEmpty();
  }

  @Test
  void a_scattered_read_is_merged_in_order_with_skip_and_limit() throws Exception {
    first.answering(
        command ->
            cursor(
                0,
                "d.c",
                documents("{_id: 1, k: 1, s: 1}", "{_id: 2, k: 2, s: 5}", "{_id: 3, k: 3, s: 9}")));
    second.answering(
        command -> cursor(0, "d.c", documents("{_id: 4, k: 101, s: 2}", "{_id: 5, k: 102, s: 6}")));
    BsonDocument reply = run("{find: 'c', sort: {s: 1}, skip: 1, limit: 3, projection: {_id: 1}}");
    assertThat(reply.getDocument("cursor").getArray("firstBatch"))
        .isEqualTo(documents("{_id: 4}", "{_id: 2}", "{_id: 5}"));
    assertThat(reply.getDocument("cursor").getInt64("id").getValue()).isZero();
    BsonDocument sent = first.received("find").getLast();
    assertThat(sent.getNumber("limit").intValue()).isEqualTo(4);
    assertThat(sent.containsKey("skip")).isFalse();
  }

  @Test
  void equal_cursor_numbers_of_two_shards_do_not_meet() throws Exception {
    first.answering(
        command ->
            command.getFirstKey().equals("find")
                ? cursor(42, "d.c", documents("{from: 0}"))
                : more("{from: 0, more: 1}"));
    second.answering(
        command ->
            command.getFirstKey().equals("find")
                ? cursor(42, "d.c", documents("{from: 1}"))
                : more("{from: 1, more: 1}"));
    long one =
        run("{find: 'c', filter: {k: 1}, batchSize: 1}")
            .getDocument("cursor")
            .getInt64("id")
            .getValue();
    long other =
        run("{find: 'c', filter: {k: 100}, batchSize: 1}")
            .getDocument("cursor")
            .getInt64("id")
            .getValue();
    assertThat(one).isNotEqualTo(other).isNotIn(0L, 42L);
    BsonDocument rest = run("{getMore: {$numberLong: '" + other + "'}, collection: 'c'}");
    assertThat(rest.getDocument("cursor").getArray("nextBatch"))
        .isEqualTo(documents("{from: 1, more: 1}"));
    assertThat(second.received("getMore").getLast().getInt64("getMore").getValue()).isEqualTo(42);
    assertThat(code(run("{getMore: {$numberLong: '" + other + "'}, collection: 'c'}")))
        .isEqualTo(43);
    BsonDocument killed = run("{killCursors: 'c', cursors: [{$numberLong: '" + one + "'}]}");
    assertThat(killed.getArray("cursorsKilled")).hasSize(1);
    assertThat(
            first.received("killCursors").getLast().getArray("cursors").get(0).asInt64().getValue())
        .isEqualTo(42);
  }

  private static BsonDocument more(String document) {
    BsonDocument cursor =
        new BsonDocument("nextBatch", documents(document))
            .append("id", new org.bson.BsonInt64(0))
            .append("ns", new BsonString("d.c"));
    return new BsonDocument("cursor", cursor);
  }

  @Test
  void a_merged_cursor_goes_on_by_getMore() throws Exception {
    first.answering(command -> cursor(0, "d.c", documents("{i: 0}", "{i: 1}")));
    second.answering(command -> cursor(0, "d.c", documents("{i: 2}", "{i: 3}")));
    BsonDocument reply = run("{find: 'c', batchSize: 3}");
    long id = reply.getDocument("cursor").getInt64("id").getValue();
    assertThat(reply.getDocument("cursor").getArray("firstBatch")).hasSize(3);
    BsonDocument rest = run("{getMore: {$numberLong: '" + id + "'}, collection: 'c'}");
    assertThat(rest.getDocument("cursor").getArray("nextBatch")).isEqualTo(documents("{i: 3}"));
    assertThat(rest.getDocument("cursor").getInt64("id").getValue()).isZero();
  }

  @Test
  void an_insert_is_divided_and_each_statement_keeps_its_id() throws Exception {
    first.answering(
        command -> BsonDocument.parse("{n: " + command.getArray("documents").size() + "}"));
    second.answering(
        command -> BsonDocument.parse("{n: " + command.getArray("documents").size() + "}"));
    String session =
        "lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}}, txnNumber:"
            + " {$numberLong: '1'}";
    BsonDocument reply =
        run(
            "{insert: 'c', ordered: false, documents: [{_id: 0, k: 1}, {_id: 1, k: 200}, {_id: 2,"
                + " k: 2}, {_id: 3, k: 300}], "
                + session
                + "}");
    assertThat(reply.getInt32("n").getValue()).isEqualTo(4);
    assertThat(first.received("insert").getLast().getArray("stmtIds"))
        .isEqualTo(new BsonArray(List.of(new BsonInt32(0), new BsonInt32(2))));
    assertThat(second.received("insert").getLast().getArray("stmtIds"))
        .isEqualTo(new BsonArray(List.of(new BsonInt32(1), new BsonInt32(3))));
  }

  @Test
  void errors_have_the_index_of_the_clients_batch_and_stop_an_ordered_one() throws Exception {
    first.answering(
        command ->
            BsonDocument.parse(
                "{n: 1, writeErrors: [{index: 1, code: 11000, errmsg: 'duplicate'}]}"));
    second.answering(command -> BsonDocument.parse("{n: 1}"));
    BsonDocument reply =
        run(
            "{insert: 'c', documents: [{_id: 0, k: 200}, {_id: 1, k: 1}, {_id: 2, k: 2}, {_id: 3,"
                + " k: 300}]}");
    BsonDocument error = reply.getArray("writeErrors").get(0).asDocument();
    assertThat(error.getInt32("index").getValue()).isEqualTo(2);
    assertThat(reply.getInt32("n").getValue()).isEqualTo(2);
    assertThat(second.received("insert")).hasSize(1);
  }

  @Test
  void an_old_version_is_refreshed_and_the_command_sent_again() throws Exception {
    first.answering(command -> cursor(0, "d.c", documents("{k: 1}")));
    second.answering(command -> cursor(0, "d.c", documents("{k: 1, moved: true}")));
    run("{find: 'c', filter: {k: 1}}");
    put(
        "chunks",
        "{_id: 1, uuid: 1, min: {k: {$minKey: 1}}, max: {k: 100}, shard: 's1', lastmod:"
            + " {$timestamp: {t: 2, i: 1}}}",
        "{_id: 2, uuid: 1, min: {k: 100}, max: {k: {$maxKey: 1}}, shard: 's1', lastmod:"
            + " {$timestamp: {t: 1, i: 2}}}");
    first.answering(
        command ->
            BsonDocument.parse(
                "{ok: 0, code: 13388, codeName: 'StaleConfig', errmsg: 'version mismatch'}"));
    BsonDocument reply = run("{find: 'c', filter: {k: 1}}");
    assertThat(reply.getDocument("cursor").getArray("firstBatch"))
        .isEqualTo(documents("{k: 1, moved: true}"));
  }

  @Test
  void a_scattered_update_is_not_applied_twice_where_it_went_well_when_another_shard_was_stale()
      throws Exception {
    AtomicInteger refusals = new AtomicInteger(1);
    first.answering(command -> BsonDocument.parse("{n: 2, nModified: 2}"));
    second.answering(
        command ->
            refusals.getAndDecrement() > 0
                ? BsonDocument.parse(
                    "{ok: 0, code: 13388, codeName: 'StaleConfig', errmsg: 'version mismatch'}")
                : BsonDocument.parse("{n: 3, nModified: 3}"));
    BsonDocument reply = run("{update: 'c', updates: [{q: {}, u: {$inc: {n: 1}}, multi: true}]}");
    assertThat(reply.getInt32("n").getValue()).isEqualTo(5);
    assertThat(first.received("update")).hasSize(1);
    assertThat(second.received("update")).hasSize(2);
  }

  @Test
  void a_single_update_needs_the_shard_key_or_the_id() throws Exception {
    first.answering(command -> BsonDocument.parse("{n: 1, nModified: 1}"));
    second.answering(command -> BsonDocument.parse("{n: 0, nModified: 0}"));
    assertThat(errorCode(run("{update: 'c', updates: [{q: {x: 1}, u: {$set: {y: 1}}}]}")))
        .isEqualTo(61);
    assertThat(errorCode(run("{delete: 'c', deletes: [{q: {x: 1}, limit: 1}]}"))).isEqualTo(61);
    assertThat(
            errorCode(
                run("{update: 'c', updates: [{q: {x: 1}, u: {$set: {y: 1}}, upsert: true}]}")))
        .isEqualTo(61);
    assertThat(errorCode(run("{update: 'c', updates: [{q: {k: 1}, u: {$set: {k: 2}}}]}")))
        .isEqualTo(66);
    assertThat(code(run("{findAndModify: 'c', query: {x: 1}, remove: true}"))).isEqualTo(61);
    assertThat(
            run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {y: 1}}}]}")
                .getInt32("n")
                .getValue())
        .isEqualTo(1);
    assertThat(
            run("{update: 'c', updates: [{q: {k: 1}, u: {$set: {y: 1}}}]}")
                .getInt32("n")
                .getValue())
        .isEqualTo(1);
  }

  private static int errorCode(BsonDocument reply) {
    return reply.getArray("writeErrors").get(0).asDocument().getInt32("code").getValue();
  }

  @Test
  void a_shards_error_is_passed_on_but_what_would_unsettle_the_client_is_rewritten()
      throws Exception {
    first.answering(
        command ->
            BsonDocument.parse(
                "{ok: 0, code: 2, codeName: 'BadValue', errmsg: 'bad', errorLabels: ['X']}"));
    BsonDocument reply = run("{count: 'plain', query: {}}");
    assertThat(code(reply)).isEqualTo(2);
    assertThat(reply.getArray("errorLabels").get(0).asString().getValue()).isEqualTo("X");
    first.answering(
        command ->
            BsonDocument.parse(
                "{ok: 0, code: 11602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'stepped"
                    + " down'}"));
    BsonDocument rewritten = run("{insert: 'plain', documents: [{a: 1}]}");
    assertThat(code(rewritten)).isEqualTo(6);
    assertThat(rewritten.containsKey("errorLabels")).isFalse();
  }

  @Test
  void counts_are_added_and_distinct_values_united() throws Exception {
    first.answering(command -> BsonDocument.parse("{n: 3, values: [1, 'a']}"));
    second.answering(command -> BsonDocument.parse("{n: 4, values: [1, 2]}"));
    assertThat(run("{count: 'c', query: {}}").getInt32("n").getValue()).isEqualTo(7);
    assertThat(run("{count: 'c', query: {}, limit: 5}").getInt32("n").getValue()).isEqualTo(5);
    assertThat(run("{distinct: 'c', key: 'x'}").getArray("values"))
        .isEqualTo(BsonDocument.parse("{a: [1, 2, 'a']}").getArray("a"));
  }

  @Test
  void what_describes_the_cluster_cannot_be_dropped_or_renamed_through_a_router() throws Exception {
    for (String collection : new String[] {"shards", "chunks", "collections", "settings"}) {
      assertThat(code(run("{drop: '" + collection + "', $db: 'config'}"))).isEqualTo(20);
    }
    assertThat(code(run("{renameCollection: 'config.shards', to: 'config.gone', $db: 'admin'}")))
        .isEqualTo(20);
  }

  @Test
  void a_read_that_no_member_can_serve_ends_with_its_own_time_limit_and_says_what_it_looked_for()
      throws Exception {
    run("{insert: 'c', documents: [{_id: 1}]}");

    BsonDocument reply =
        run(
            "{find: 'c', maxTimeMS: 50,"
                + " $readPreference: {mode: 'secondary', tags: [{dc: 'mars'}]}}");

    assertThat(code(reply)).isEqualTo(50);
    assertThat(reply.getString("errmsg").getValue()).contains("mars");
  }

  @Test
  void a_malformed_read_preference_is_refused() throws Exception {
    assertThat(code(run("{find: 'c', $readPreference: {mode: 'sometimes'}}"))).isNotZero();
    assertThat(code(run("{find: 'c', $readPreference: {mode: 'primary', tags: [{dc: 'x'}]}}")))
        .isEqualTo(2);
  }

  @Test
  void its_fail_point_makes_it_sick_and_well_again() throws Exception {
    first.answering(command -> BsonDocument.parse("{n: 1}"));
    run(
        "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {failCommands: ['count'],"
            + " errorCode: 91}, $db: 'admin'}");
    assertThat(code(run("{count: 'plain', query: {}}"))).isEqualTo(91);
    run("{configureFailPoint: 'failCommand', mode: 'off', $db: 'admin'}");
    assertThat(code(run("{count: 'plain', query: {}}"))).isZero();
  }

  @Test
  void its_routing_status_names_every_member() throws Exception {
    first.answering(command -> BsonDocument.parse("{n: 1}"));
    run("{count: 'plain', query: {}}");
    BsonDocument status = run("{routingStatus: 1, $db: 'admin'}");
    assertThat(status.getArray("shards")).hasSize(2);
    BsonDocument member =
        status.getArray("shards").get(0).asDocument().getArray("members").get(0).asDocument();
    assertThat(member.getInt64("reads").getValue()).isEqualTo(1);
    assertThat(member.getBoolean("ejected").getValue()).isFalse();
  }

  @Test
  void a_database_that_is_nowhere_reads_as_empty() throws Exception {
    assertThat(run("{find: 'c', $db: 'nowhere'}").getDocument("cursor").getArray("firstBatch"))
        .isEmpty();
    assertThat(run("{count: 'c', query: {}, $db: 'nowhere'}").getInt32("n").getValue()).isZero();
    assertThat(code(run("{find: 'c', filter: {$nothing: 1}, $db: 'nowhere'}"))).isEqualTo(2);
    assertThat(code(run("{count: 'c', query: {$nothing: 1}, $db: 'nowhere'}"))).isEqualTo(2);
  }

  @Test
  void a_bulk_write_goes_out_in_order_as_the_writes_that_it_is_of() throws Exception {
    first.answering(command -> counted(command));
    second.answering(command -> counted(command));
    BsonDocument reply =
        run(
            "{bulkWrite: 1, $db: 'admin', errorsOnly: true, bypassDocumentValidation: true,"
                + " let: {l: 1}, nsInfo: [{ns: 'd.plain'}, {ns: 'd.c'}],"
                + " ops: [{insert: 0, document: {_id: 1}}, {insert: 0, document: {_id: 2}},"
                + " {insert: 1, document: {_id: 3, k: 200}}, {update: 0, filter: {_id: 1},"
                + " updateMods: {$set: {a: 1}}}, {delete: 0, filter: {_id: 2}, multi: true}],"
                + " lsid: {id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}},"
                + " txnNumber: {$numberLong: '1'}}");
    assertThat(reply.getInt32("nInserted").getValue()).isEqualTo(3);
    assertThat(reply.getInt32("nMatched").getValue()).isEqualTo(1);
    assertThat(reply.getInt32("nDeleted").getValue()).isEqualTo(1);
    assertThat(reply.getDocument("cursor").getArray("firstBatch")).isEmpty();
    assertThat(first.received("insert").getLast().getArray("stmtIds"))
        .isEqualTo(BsonArray.parse("[0, 1]"));
    assertThat(second.received("insert").getLast().getArray("stmtIds"))
        .isEqualTo(BsonArray.parse("[2]"));
    assertThat(first.received("update").getLast().getArray("stmtIds"))
        .isEqualTo(BsonArray.parse("[3]"));
    assertThat(first.received("delete").getLast().getArray("deletes"))
        .isEqualTo(documents("{q: {_id: 2}, limit: 0}"));
    assertThat(first.received("insert").getLast())
        .containsKey("bypassDocumentValidation")
        .doesNotContainKey("let");
    assertThat(first.received("update").getLast()).containsKeys("bypassDocumentValidation", "let");
    assertThat(first.received("delete").getLast())
        .containsKey("let")
        .doesNotContainKey("bypassDocumentValidation");
  }

  private static BsonDocument counted(BsonDocument command) {
    String statements =
        switch (command.getFirstKey()) {
          case "insert" -> "documents";
          case "update" -> "updates";
          default -> "deletes";
        };
    return BsonDocument.parse("{n: " + command.getArray(statements).size() + ", nModified: 0}");
  }

  @Test
  void an_ordered_bulk_write_ends_with_its_first_error_and_an_unordered_one_goes_on()
      throws Exception {
    first.answering(
        command ->
            command.getFirstKey().equals("update")
                ? BsonDocument.parse(
                    "{n: 0, nModified: 0, writeErrors: [{index: 0, code: 66, errmsg: 'no'}]}")
                : BsonDocument.parse("{n: 1}"));
    String operations =
        "nsInfo: [{ns: 'd.plain'}], ops: [{delete: 0, filter: {_id: 1}}, {update: 0, filter: {},"
            + " updateMods: {$set: {_id: 1}}}, {insert: 0, document: {_id: 1}}]}";
    BsonDocument ordered = run("{bulkWrite: 1, $db: 'admin', " + operations);
    assertThat(ordered.getDocument("cursor").getArray("firstBatch"))
        .isEqualTo(
            documents(
                "{ok: 1.0, idx: 0, n: 1}", "{ok: 0.0, idx: 1, code: 66, errmsg: 'no', n: 0}"));
    assertThat(ordered.getInt32("nErrors").getValue()).isEqualTo(1);
    assertThat(first.received("insert")).isEmpty();
    BsonDocument unordered = run("{bulkWrite: 1, $db: 'admin', ordered: false, " + operations);
    assertThat(unordered.getDocument("cursor").getArray("firstBatch")).hasSize(3);
    assertThat(unordered.getInt32("nInserted").getValue()).isEqualTo(1);
  }

  @Test
  void a_bulk_write_that_cannot_be_read_is_refused_whole() throws Exception {
    String command = "{bulkWrite: 1, $db: 'admin', nsInfo: [{ns: 'd.plain'}], ops: ";
    assertThat(code(run(command + "[{upsert: 0}]}"))).isEqualTo(2);
    assertThat(code(run(command + "[{insert: 1, document: {}}]}"))).isEqualTo(2);
    assertThat(code(run(command + "[{insert: 0}]}"))).isEqualTo(40414);
    assertThat(code(run(command + "[{delete: 0, filter: {}, sort: {a: 1}}]}"))).isEqualTo(40415);
    assertThat(code(run(command + "[]}"))).isEqualTo(16);
    assertThat(first.received("insert")).isEmpty();
  }

  @Test
  void the_newest_cluster_time_of_its_shards_comes_with_every_reply() throws Exception {
    assertThat(run("{ping: 1}").containsKey("$clusterTime")).isFalse();
    first.answering(
        command ->
            BsonDocument.parse("{n: 1, $clusterTime: {clusterTime: {$timestamp: {t: 9, i: 2}}}}"));
    run("{count: 'plain', query: {}}");
    second.answering(
        command ->
            BsonDocument.parse("{n: 1, $clusterTime: {clusterTime: {$timestamp: {t: 9, i: 1}}}}"));
    run("{count: 'c', query: {k: 200}}");
    assertThat(run("{ping: 1}").getDocument("$clusterTime").getTimestamp("clusterTime"))
        .isEqualTo(new BsonTimestamp(9, 2));
  }

  @Test
  void what_the_stable_api_does_not_have_is_refused_under_apiStrict() throws Exception {
    assertThat(code(run("{ping: 1, apiVersion: '1', apiStrict: true}"))).isZero();
    assertThat(code(run("{distinct: 'c', key: 'a', apiVersion: '1', apiStrict: true}")))
        .isEqualTo(323);
    assertThat(code(run("{testDeprecation: 1, apiVersion: '1', apiDeprecationErrors: true}")))
        .isEqualTo(324);
    assertThat(code(run("{ping: 1, apiVersion: '2'}"))).isEqualTo(322);
    assertThat(code(run("{ping: 1, apiStrict: true}"))).isEqualTo(4886600);
  }

  @Test
  void search_indexes_are_refused_by_name() throws Exception {
    assertThat(code(run("{createSearchIndexes: 'c', indexes: []}"))).isEqualTo(31082);
    assertThat(code(run("{aggregate: 'c', pipeline: [{$listSearchIndexes: {}}], cursor: {}}")))
        .isEqualTo(31082);
  }
}
