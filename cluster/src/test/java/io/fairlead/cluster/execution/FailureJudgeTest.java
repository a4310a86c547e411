// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoSocketWriteException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ConnectionPoolSettings;
import com.mongodb.connection.ServerId;
import io.fairlead.cluster.connection.ClientMetadata;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.cluster.event.Descriptions;
import io.fairlead.cluster.event.EventQueue;
import io.fairlead.cluster.event.PoolEvents;
import io.fairlead.cluster.execution.Judgement.Fate;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.cluster.pool.CheckOutException;
import io.fairlead.cluster.pool.ConnectionPool;
import io.fairlead.cluster.pool.PooledConnection;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.topology.retry.Failure;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.MalformedMessageException;
import io.fairlead.wire.message.MessageTooLargeException;
import io.fairlead.wire.message.ReadTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The table of failures: what each means for the connection, the topology, the retry and the
 * caller.
 */
class FailureJudgeTest {
  private static final Deadline NONE = new Deadline(Long.MAX_VALUE, () -> 0);
  private static final Deadline OVER = new Deadline(1, () -> 2);

  private final FakeServer server = FakeServer.mongos();
  private final ClusterId cluster = new ClusterId();
  private final FailureJudge judge =
      new FailureJudge(
          server.address(), new ServerId(cluster, Descriptions.addressOf(server.address())));
  private final ConnectionPool pool = pool(ConnectionPoolSettings.builder());
  private final PooledConnection connection;

  FailureJudgeTest() throws Exception {
    pool.start();
    pool.ready();
    connection = pool.checkOut(1, Long.MAX_VALUE);
  }

  private ConnectionPool pool(ConnectionPoolSettings.Builder settings) {
    Connector connector =
        new Connector(
            server.address(),
            cluster,
            new Handshake(new ClientMetadata(null), List.of(), null),
            Duration.ofSeconds(1),
            new AtomicLong());
    return new ConnectionPool(
        connector,
        settings.build(),
        new PoolEvents(new EventQueue(), List.of(), connector.serverId()),
        (cause, generation) -> {},
        System::nanoTime);
  }

  @AfterEach
  void close() {
    pool.close();
    server.close();
  }

  private Judgement notAnswered(IOException cause, Deadline deadline) {
    return judge.judge(new Trouble.NotAnswered(connection, cause), deadline);
  }

  private Judgement replied(BsonDocument reply) {
    return judge.judge(
        new Trouble.ErrorReply(connection, new RawBsonDocument(reply, new BsonDocumentCodec())),
        NONE);
  }

  @Test
  void an_error_reply_keeps_the_connection() {
    Judgement error = replied(FakeServer.error(2, "Odd"));
    assertThat(error.connection()).isEqualTo(Fate.KEEP);
    assertThat(error.exception()).isExactlyInstanceOf(MongoCommandException.class);
    assertThat(error.failure())
        .isEqualTo(new Failure.Reply(2, "code 2 Code2", java.util.Set.of("Odd"), false, null));
    assertThat(error.event()).isInstanceOf(TopologyEvent.ErrorReply.class);
    assertThat(replied(FakeServer.error(10107)).exception())
        .isInstanceOf(MongoNotPrimaryException.class);
    assertThat(replied(FakeServer.error(13435)).exception())
        .isInstanceOf(MongoNotPrimaryException.class);
    assertThat(replied(FakeServer.error(91)).exception())
        .isInstanceOf(MongoNodeIsRecoveringException.class);
    assertThat(replied(FakeServer.error(50)).exception())
        .isInstanceOf(MongoExecutionTimeoutException.class);
  }

  @Test
  void a_reply_that_did_not_come_discards_the_connection_and_leaves_the_server_known() {
    Judgement late = notAnswered(new ReadTimeoutException("late"), NONE);
    assertThat(late.connection()).isEqualTo(Fate.DISCARD);
    assertThat(late.exception()).isInstanceOf(MongoSocketReadTimeoutException.class);
    assertThat(late.failure()).isInstanceOf(Failure.ReplyTimeout.class);
    assertThat(late.event())
        .isInstanceOfSatisfying(
            TopologyEvent.NetworkError.class, error -> assertThat(error.timedOut()).isTrue());
    Judgement over = notAnswered(new ReadTimeoutException("late"), OVER);
    assertThat(over.exception()).isInstanceOf(MongoOperationTimeoutException.class);
    assertThat(over.failure()).isInstanceOf(Failure.OperationTimeout.class);
  }

  @Test
  void a_broken_or_garbled_connection_is_discarded_and_told() {
    for (IOException cause :
        List.of(new ConnectionClosedException("gone"), new MalformedMessageException("garbled"))) {
      Judgement reading = notAnswered(cause, NONE);
      assertThat(reading.connection()).isEqualTo(Fate.DISCARD);
      assertThat(reading.exception()).isInstanceOf(MongoSocketReadException.class);
      assertThat(reading.failure()).isInstanceOf(Failure.Network.class);
      assertThat(reading.event())
          .isInstanceOfSatisfying(
              TopologyEvent.NetworkError.class, error -> assertThat(error.timedOut()).isFalse());
      Judgement writing = judge.judge(new Trouble.NotSent(connection, cause), NONE);
      assertThat(writing.exception()).isInstanceOf(MongoSocketWriteException.class);
    }
  }

  @Test
  void a_command_too_large_to_send_is_nobodys_failure() {
    Judgement large =
        judge.judge(
            new Trouble.NotSent(connection, new MessageTooLargeException("too large")), NONE);
    assertThat(large.connection()).isEqualTo(Fate.KEEP);
    assertThat(large.failure()).isNull();
    assertThat(large.event()).isNull();
    assertThat(large.exception()).isExactlyInstanceOf(MongoClientException.class);
  }

  @Test
  void having_no_connection_says_why() throws Exception {
    ConnectionPool one =
        pool(ConnectionPoolSettings.builder().maxSize(1).maxWaitTime(300, TimeUnit.MILLISECONDS));
    one.start();
    assertThat(without(one, NONE).exception()).isInstanceOf(MongoServerUnavailableException.class);
    one.ready();
    PooledConnection held = one.checkOut(1, Long.MAX_VALUE);
    assertThat(without(one, NONE).exception()).isExactlyInstanceOf(MongoTimeoutException.class);
    assertThat(without(one, NONE).failure()).isNull();
    assertThat(without(one, OVER).exception()).isInstanceOf(MongoOperationTimeoutException.class);
    one.checkIn(held, 1);
    one.clear(1, false, new IOException("cleared by the test")).run();
    assertThat(without(one, NONE).exception())
        .isInstanceOf(MongoConnectionPoolClearedException.class);
    assertThat(without(one, NONE).failure()).isInstanceOf(Failure.Network.class);
    server.close();
    one.ready();
    Judgement refused = without(one, NONE);
    assertThat(refused.exception()).isInstanceOf(MongoSocketOpenException.class);
    assertThat(refused.exception().hasErrorLabel(Failure.SYSTEM_OVERLOADED)).isTrue();
    assertThat(refused.failure())
        .isInstanceOfSatisfying(
            Failure.Network.class, each -> assertThat(each.isOverload()).isTrue());
    one.close();
    assertThat(without(one, NONE).exception()).isInstanceOf(MongoServerUnavailableException.class);
  }

  private Judgement without(ConnectionPool from, Deadline deadline) throws InterruptedException {
    try {
      from.checkOut(2, Long.MAX_VALUE);
    } catch (CheckOutException none) {
      return judge.judge(new Trouble.NoConnection(none), deadline);
    }
    throw new AssertionError("should have found no connection");
  }
}
