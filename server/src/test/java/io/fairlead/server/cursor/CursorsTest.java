// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.server.RawClient;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CursorsTest {
  private static final String LSID =
      "{id: {$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAQ==', subType: '04'}}}";

  private Server server;
  private RawClient client;

  @BeforeEach
  void start() throws Exception {
    server = Server.start(ServerSettings.standalone(0));
    client = RawClient.of(server);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void insert(int count) throws Exception {
    BsonArray documents = new BsonArray();
    for (int i = 0; i < count; i++) {
      documents.add(new BsonDocument("_id", new BsonInt32(i)));
    }
    BsonDocument reply =
        client.run(
            "db", new BsonDocument("insert", new BsonString("c")).append("documents", documents));
    assertThat(reply.getNumber("n").intValue()).as(reply.toJson()).isEqualTo(count);
  }

  private static BsonDocument cursor(BsonDocument reply) {
    assertThat(RawClient.isOk(reply)).as(reply.toJson()).isTrue();
    return reply.getDocument("cursor");
  }

  @Test
  void the_first_batch_has_101_documents_and_getMore_brings_the_rest() throws Exception {
    insert(250);

    BsonDocument first = cursor(client.run("db", "{find: 'c'}"));
    assertThat(first.getArray("firstBatch")).hasSize(101);
    assertThat(first.getString("ns").getValue()).isEqualTo("db.c");
    BsonDocument next =
        cursor(
            client.run(
                "db",
                new BsonDocument("getMore", first.get("id"))
                    .append("collection", new BsonString("c"))));
    assertThat(next.getArray("nextBatch")).hasSize(149);
    assertThat(next.getInt64("id").getValue()).isZero();
  }

  @Test
  void batch_sizes_limits_and_single_batches_are_kept() throws Exception {
    insert(10);

    assertThat(cursor(client.run("db", "{find: 'c', batchSize: 0}")).getArray("firstBatch"))
        .isEmpty();
    assertThat(
            cursor(client.run("db", "{find: 'c', batchSize: 3, limit: 3}"))
                .getInt64("id")
                .getValue())
        .isZero();
    assertThat(
            cursor(client.run("db", "{find: 'c', batchSize: 3, singleBatch: true}"))
                .getInt64("id")
                .getValue())
        .isZero();
    assertThat(cursor(client.run("db", "{find: 'c', batchSize: 3}")).getInt64("id").getValue())
        .isNotZero();
    assertThat(cursor(client.run("db", "{find: 'c', limit: 4, skip: 7}")).getArray("firstBatch"))
        .hasSize(3);
  }

  @Test
  void a_reply_stays_below_sixteen_mebibytes() throws Exception {
    String big = "x".repeat(6_000_000);
    for (int i = 0; i < 4; i++) {
      client.run(
          "db",
          new BsonDocument("insert", new BsonString("c"))
              .append(
                  "documents", new BsonArray(List.of(new BsonDocument("s", new BsonString(big))))));
    }

    BsonDocument first = cursor(client.run("db", "{find: 'c'}"));

    assertThat(first.getArray("firstBatch")).hasSize(2);
    BsonDocument next =
        cursor(
            client.run(
                "db",
                new BsonDocument("getMore", first.get("id"))
                    .append("collection", new BsonString("c"))));
    assertThat(next.getArray("nextBatch")).hasSize(2);
  }

  @Test
  void killed_cursors_are_gone() throws Exception {
    insert(10);
    BsonInt64 id = cursor(client.run("db", "{find: 'c', batchSize: 2}")).getInt64("id");

    BsonDocument killed =
        client.run(
            "db",
            new BsonDocument("killCursors", new BsonString("c"))
                .append("cursors", new BsonArray(List.of(id, new BsonInt64(99)))));

    assertThat(killed.getArray("cursorsKilled")).containsExactly(id);
    assertThat(killed.getArray("cursorsNotFound")).containsExactly(new BsonInt64(99));
    assertThat(
            RawClient.code(
                client.run(
                    "db",
                    new BsonDocument("getMore", id).append("collection", new BsonString("c")))))
        .isEqualTo(43);
  }

  @Test
  void a_cursor_belongs_to_its_collection_and_its_session() throws Exception {
    insert(10);
    BsonInt64 id =
        cursor(client.run("db", "{find: 'c', batchSize: 2, lsid: " + LSID + "}")).getInt64("id");

    assertThat(RawClient.code(client.run("db", more(id, "c")))).isEqualTo(50737);
    assertThat(
            RawClient.code(
                client.run("db", more(id, "other").append("lsid", BsonDocument.parse(LSID)))))
        .isEqualTo(13);
    BsonDocument other = new BsonDocument("id", new BsonBinary(new UUID(3, 4)));
    assertThat(RawClient.code(client.run("db", more(id, "c").append("lsid", other))))
        .isEqualTo(50738);
    assertThat(
            cursor(client.run("db", more(id, "c").append("lsid", BsonDocument.parse(LSID))))
                .getArray("nextBatch"))
        .hasSize(8);
  }

  @Test
  void an_ended_session_takes_its_cursors_with_it() throws Exception {
    insert(10);
    BsonInt64 id =
        cursor(client.run("db", "{find: 'c', batchSize: 2, lsid: " + LSID + "}")).getInt64("id");

    client.run("admin", "{endSessions: [" + LSID + "]}");

    assertThat(
            RawClient.code(
                client.run("db", more(id, "c").append("lsid", BsonDocument.parse(LSID)))))
        .isEqualTo(43);
  }

  private static BsonDocument more(BsonInt64 id, String collection) {
    return new BsonDocument("getMore", id).append("collection", new BsonString(collection));
  }

  @Test
  void an_idle_cursor_times_out_and_one_that_must_not_does_not() {
    AtomicLong now = new AtomicLong();
    Cursors cursors = new Cursors(Duration.ofMinutes(10), now::get, RandomGenerator.getDefault());
    ServerCursor idle = open(cursors, false);
    ServerCursor immortal = open(cursors, true);

    now.set(Duration.ofMinutes(9).toNanos());
    cursors.sweep();
    assertThat(cursors.find(idle.id())).isNotNull();
    now.set(Duration.ofMinutes(10).toNanos());
    cursors.sweep();

    assertThat(cursors.find(idle.id())).isNull();
    assertThat(cursors.find(immortal.id())).isNotNull();
    assertThat(cursors.timedOut()).isEqualTo(1);
  }

  private static ServerCursor open(Cursors cursors, boolean immortal) {
    ServerCursor cursor =
        cursors.create(
            Namespace.of("db", "c"),
            ServerCursor.Kind.ORDINARY,
            null,
            immortal,
            () -> {},
            interrupt -> DocumentCursor.empty());
    cursors.keep(cursor);
    return cursor;
  }
}
