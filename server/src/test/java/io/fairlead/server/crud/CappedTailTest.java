// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.RawClient;
import io.fairlead.server.TestSet;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CappedTailTest {
  private static TestSet set;
  private static RawClient primary;

  @BeforeAll
  static void start() throws Exception {
    set = TestSet.start(1);
    primary = RawClient.of(set.member(0));
  }

  @AfterAll
  static void stop() {
    primary.close();
    set.close();
  }

  @BeforeEach
  void five_of_eight() throws Exception {
    run("{drop: 'log'}");
    run("{create: 'log', capped: true, size: 100000, max: 5}");
    insert(0, 8);
  }

  private static BsonDocument run(String command) throws Exception {
    return primary.run("db", command);
  }

  private static void insert(int from, int to) throws Exception {
    BsonArray documents = new BsonArray();
    IntStream.range(from, to)
        .forEach(
            i ->
                documents.add(
                    new BsonDocument("_id", new BsonInt32(i)).append("n", new BsonInt32(i))));
    BsonDocument reply =
        primary.run(
            "db", new BsonDocument("insert", new BsonString("log")).append("documents", documents));
    assertThat(reply.getNumber("n").intValue()).isEqualTo(to - from);
  }

  private static BsonDocument more(long id, String options) throws Exception {
    BsonDocument command =
        new BsonDocument("getMore", new BsonInt64(id)).append("collection", new BsonString("log"));
    command.putAll(BsonDocument.parse(options));
    return primary.run("db", command);
  }

  private static List<Integer> ids(BsonDocument reply) {
    BsonDocument cursor = reply.getDocument("cursor");
    return cursor.getArray(cursor.containsKey("firstBatch") ? "firstBatch" : "nextBatch").stream()
        .map(each -> each.asDocument().getInt32("_id").getValue())
        .toList();
  }

  private static long id(BsonDocument reply) {
    return reply.getDocument("cursor").getInt64("id").getValue();
  }

  private static int code(BsonDocument reply) {
    return reply.getNumber("code", new BsonInt32(0)).intValue();
  }

  @Test
  void it_goes_on_with_what_is_inserted_later() throws Exception {
    BsonDocument first = run("{find: 'log', tailable: true}");
    assertThat(ids(first)).containsExactly(3, 4, 5, 6, 7);
    assertThat(id(first)).isNotZero();
    assertThat(ids(more(id(first), "{}"))).isEmpty();
    insert(8, 11);
    BsonDocument more = more(id(first), "{}");
    assertThat(ids(more)).containsExactly(8, 9, 10);
    assertThat(id(more)).isEqualTo(id(first));
  }

  @Test
  void it_filters_projects_skips_and_ends_with_its_limit() throws Exception {
    BsonDocument first =
        run(
            "{find: 'log', tailable: true, awaitData: true, filter: {n: {$mod: [2, 0]}},"
                + " projection: {n: 0}, skip: 1, limit: 2}");
    assertThat(first.getDocument("cursor").getArray("firstBatch"))
        .isEqualTo(BsonArray.parse("[{_id: 6}]"));
    insert(8, 10);
    BsonDocument more = more(id(first), "{maxTimeMS: 10000}");
    assertThat(ids(more)).containsExactly(8);
  }

  @Test
  void it_fails_when_what_it_saw_last_is_forgotten() throws Exception {
    BsonDocument first = run("{find: 'log', tailable: true}");
    insert(8, 12);
    assertThat(ids(more(id(first), "{}"))).containsExactly(8, 9, 10, 11);
    insert(12, 20);
    assertThat(code(more(id(first), "{}"))).isEqualTo(136);
    assertThat(code(more(id(first), "{}"))).isEqualTo(43);
  }

  @Test
  void it_fails_when_the_collection_is_dropped_even_if_there_is_another() throws Exception {
    BsonDocument first = run("{find: 'log', tailable: true}");
    five_of_eight();
    assertThat(code(more(id(first), "{}"))).isEqualTo(175);
  }

  @Test
  void it_is_over_at_once_where_there_is_nothing() throws Exception {
    run("{drop: 'log'}");
    assertThat(id(run("{find: 'log', tailable: true}"))).isZero();
    run("{create: 'log', capped: true, size: 100000}");
    assertThat(id(run("{find: 'log', tailable: true}"))).isZero();
  }

  @Test
  void it_follows_capped_collections_in_their_order_only() throws Exception {
    run("{drop: 'plain'}");
    run("{insert: 'plain', documents: [{}]}");
    assertThat(code(run("{find: 'plain', tailable: true}"))).isEqualTo(2);
    assertThat(code(run("{find: 'log', tailable: true, sort: {$natural: -1}}"))).isEqualTo(2);
    assertThat(code(run("{find: 'log', tailable: true, sort: {n: 1}}"))).isEqualTo(2);
    assertThat(ids(run("{find: 'log', tailable: true, sort: {$natural: 1}}"))).hasSize(5);
  }
}
