// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Sorts.ascending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCursorNotFoundException;
import com.mongodb.MongoQueryException;
import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import io.fairlead.cluster.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

class FindTest {
  private final FakeDeployment deployment = new FakeDeployment();
  private final MongoCollection<Document> things = deployment.database().getCollection("things");

  @Test
  void a_plain_find_sends_its_filter_and_nothing_else() {
    deployment.answer(batch(0, "{_id: 1}, {_id: 2}"));

    List<Document> found = things.find(eq("a", 1)).into(new ArrayList<>());

    assertThat(deployment.command())
        .isEqualTo(BsonDocument.parse("{find: 'things', filter: {a: 1}}"));
    assertThat(found).containsExactly(new Document("_id", 1), new Document("_id", 2));
  }

  @Test
  void every_option_travels() {
    deployment.answer(batch(0, ""));

    things
        .find()
        .filter(eq("a", 1))
        .sort(ascending("b"))
        .projection(new Document("c", 1))
        .skip(3)
        .limit(10)
        .batchSize(4)
        .noCursorTimeout(true)
        .partial(true)
        .comment("why")
        .hint(new Document("a", 1))
        .let(new Document("v", 7))
        .max(new Document("a", 9))
        .min(new Document("a", 0))
        .returnKey(true)
        .showRecordId(true)
        .allowDiskUse(false)
        .maxTime(2, TimeUnit.SECONDS)
        .cursor()
        .close();

    assertThat(deployment.command())
        .isEqualTo(
            BsonDocument.parse(
                """
                {find: 'things', filter: {a: 1}, sort: {b: 1}, projection: {c: 1}, skip: 3, limit: 10, batchSize: 4,
                 noCursorTimeout: true, allowPartialResults: true, comment: 'why', hint: {a: 1}, let: {v: 7},
                 max: {a: 9}, min: {a: 0}, returnKey: true, showRecordId: true, allowDiskUse: false,
                 maxTimeMS: NumberLong(2000)}
                """));
  }

  @Test
  void first_asks_for_one_document_in_one_batch() {
    deployment.answer(batch(0, "{_id: 1}"));

    assertThat(things.find().limit(5).batchSize(2).first()).isEqualTo(new Document("_id", 1));

    assertThat(deployment.command())
        .isEqualTo(BsonDocument.parse("{find: 'things', filter: {}, limit: 1, singleBatch: true}"));
  }

  @Test
  void a_batch_as_long_as_the_limit_is_asked_for_one_longer_so_that_no_cursor_stays_open() {
    deployment.answer(batch(0, ""));

    things.find().limit(5).batchSize(5).cursor().close();

    assertThat(deployment.command().getInt32("batchSize").getValue()).isEqualTo(6);
  }

  @Test
  void a_negative_limit_asks_for_a_single_batch() {
    deployment.answer(batch(0, ""));

    things.find().limit(-5).cursor().close();

    assertThat(deployment.command())
        .isEqualTo(BsonDocument.parse("{find: 'things', filter: {}, limit: 5, singleBatch: true}"));
  }

  @Test
  void further_batches_come_from_the_same_server_in_the_same_session() {
    deployment
        .answer(batch(42, "{_id: 1}"))
        .answer(next(42, "{_id: 2}"))
        .answer(next(0, "{_id: 3}"));

    List<Document> found = things.find().batchSize(1).comment("c").into(new ArrayList<>());

    assertThat(found).extracting(each -> each.getInteger("_id")).containsExactly(1, 2, 3);
    assertThat(deployment.commands().get(1))
        .isEqualTo(
            BsonDocument.parse(
                "{getMore: NumberLong(42), collection: 'things', batchSize: 1, comment: 'c'}"));
    assertThat(deployment.operations().get(1).pinnedTo()).isEqualTo(FakeDeployment.SERVER);
    assertThat(deployment.operations())
        .extracting(each -> each.session())
        .containsOnly(implicitSession());
    assertThat(implicitSession().isClosed()).isTrue();
  }

  @Test
  void an_implicit_session_goes_back_at_once_when_the_first_batch_is_all() {
    deployment.answer(batch(0, "{_id: 1}"));

    MongoCursor<Document> cursor = things.find().cursor();

    assertThat(implicitSession().isClosed()).isTrue();
    assertThat(cursor.getServerCursor()).isNull();
    assertThat(cursor.available()).isEqualTo(1);
    assertThat(cursor.next()).isEqualTo(new Document("_id", 1));
  }

  @Test
  void closing_a_cursor_that_has_more_kills_it_on_its_server() {
    deployment.answer(batch(42, "{_id: 1}, {_id: 2}"));
    MongoCursor<Document> cursor = things.find().cursor();
    assertThat(cursor.getServerCursor()).isEqualTo(new ServerCursor(42, FakeDeployment.ADDRESS));
    assertThat(cursor.available()).isEqualTo(2);

    cursor.close();
    cursor.close();

    assertThat(deployment.commands().get(1))
        .isEqualTo(BsonDocument.parse("{killCursors: 'things', cursors: [NumberLong(42)]}"));
    assertThat(deployment.operation().pinnedTo()).isEqualTo(FakeDeployment.SERVER);
    assertThat(deployment.commands()).hasSize(2);
    assertThat(implicitSession().isClosed()).isTrue();
    assertThatThrownBy(cursor::hasNext).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_exhausted_cursor_is_not_killed() {
    deployment.answer(batch(42, "{_id: 1}")).answer(next(0, ""));
    MongoCursor<Document> cursor = things.find().cursor();

    cursor.next();

    assertThat(cursor.hasNext()).isFalse();
    assertThatThrownBy(cursor::next).isInstanceOf(NoSuchElementException.class);
    cursor.close();
    assertThat(deployment.commands()).hasSize(2);
  }

  @Test
  void trying_for_the_next_asks_the_server_once() {
    deployment.answer(batch(42, "")).answer(next(42, "")).answer(next(42, "{_id: 1}"));
    MongoCursor<Document> cursor = things.find().cursorType(CursorType.Tailable).cursor();

    assertThat(cursor.tryNext()).isNull();
    assertThat(deployment.commands()).hasSize(2);
    assertThat(cursor.tryNext()).isEqualTo(new Document("_id", 1));
  }

  @Test
  void an_awaiting_tailable_cursor_tells_each_getMore_how_long_to_wait() {
    deployment.answer(batch(42, "")).answer(next(42, "{_id: 1}"));

    things
        .find()
        .cursorType(CursorType.TailableAwait)
        .maxAwaitTime(300, TimeUnit.MILLISECONDS)
        .cursor()
        .next();

    assertThat(deployment.commands().get(0))
        .isEqualTo(
            BsonDocument.parse("{find: 'things', filter: {}, tailable: true, awaitData: true}"));
    assertThat(deployment.commands().get(1))
        .isEqualTo(
            BsonDocument.parse(
                "{getMore: NumberLong(42), collection: 'things', maxTimeMS: NumberLong(300)}"));
  }

  @Test
  void a_cursor_that_the_server_has_lost_says_so() {
    deployment.answer(batch(42, "")).fail(error(43, "CursorNotFound"));
    MongoCursor<Document> cursor = things.find().cursor();

    assertThatThrownBy(cursor::hasNext)
        .isInstanceOfSatisfying(
            MongoCursorNotFoundException.class, e -> assertThat(e.getCursorId()).isEqualTo(42));
    assertThat(implicitSession().isClosed()).isTrue();
  }

  @Test
  void a_find_that_the_server_refuses_is_a_query_exception() {
    deployment.fail(error(2, "BadValue"));

    assertThatThrownBy(() -> things.find().first())
        .isInstanceOfSatisfying(
            MongoQueryException.class, e -> assertThat(e.getErrorCode()).isEqualTo(2));
    assertThat(implicitSession().isClosed()).isTrue();
  }

  @Test
  void a_timeout_takes_the_place_of_max_time() {
    deployment.answer(batch(0, ""));

    things
        .withTimeout(5, TimeUnit.SECONDS)
        .find()
        .timeoutMode(TimeoutMode.CURSOR_LIFETIME)
        .maxTime(1, TimeUnit.SECONDS)
        .cursor()
        .close();

    assertThat(deployment.command()).isEqualTo(BsonDocument.parse("{find: 'things', filter: {}}"));
    assertThat(deployment.operation().timeout()).hasSeconds(5);
    assertThatThrownBy(() -> things.find().timeoutMode(TimeoutMode.ITERATION))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void documents_can_be_had_as_the_bytes_they_came_in() {
    deployment.answer(batch(0, "{_id: 1, a: [1, 2]}"));

    RawBsonDocument raw = things.find(RawBsonDocument.class).first();

    assertThat(raw).isEqualTo(BsonDocument.parse("{_id: 1, a: [1, 2]}"));
  }

  @Test
  void a_mapped_iterable_maps_each_document_and_its_first() {
    deployment.answer(batch(0, "{_id: 1}, {_id: 2}")).answer(batch(0, ""));
    var ids = things.find().map(each -> each.getInteger("_id"));

    assertThat(ids.into(new ArrayList<>())).containsExactly(1, 2);
    assertThat(ids.first()).isNull();
  }

  @Test
  void an_explanation_is_asked_for_with_its_verbosity() {
    deployment.answer("{ok: 1, queryPlanner: {}}");

    Document explained =
        things.find(eq("a", 1)).explain(com.mongodb.ExplainVerbosity.QUERY_PLANNER);

    assertThat(explained).containsKey("queryPlanner");
    assertThat(deployment.command())
        .isEqualTo(
            BsonDocument.parse(
                "{explain: {find: 'things', filter: {a: 1}}, verbosity: 'queryPlanner'}"));
  }

  private Session implicitSession() {
    return deployment.implicitSessions().get(0);
  }

  static String batch(long id, String documents) {
    return "{ok: 1, cursor: {id: NumberLong("
        + id
        + "), ns: 'db.things', firstBatch: ["
        + documents
        + "]}}";
  }

  static String next(long id, String documents) {
    return "{ok: 1, cursor: {id: NumberLong("
        + id
        + "), ns: 'db.things', nextBatch: ["
        + documents
        + "]}}";
  }

  static MongoCommandException error(int code, String name) {
    return new MongoCommandException(
        BsonDocument.parse("{ok: 0, code: " + code + ", codeName: '" + name + "', errmsg: 'no'}"),
        FakeDeployment.ADDRESS);
  }
}
