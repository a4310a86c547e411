// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.MongoOperationTimeoutException;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.event.CommandEvents;
import io.fairlead.cluster.pool.PooledConnection;
import io.fairlead.cluster.session.Session;
import io.fairlead.topology.RoundTripTime;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.topology.retry.Failure;
import io.fairlead.topology.retry.Retryability;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * An operation's command and its reply on one connection, once for each attempt; and what a failed
 * attempt means, whether or not it came to an exchange.
 */
final class Exchange {
  private static final RawBsonDocument SENT =
      new RawBsonDocument(new BsonDocument("ok", new BsonInt32(1)), new BsonDocumentCodec());

  private final OperationRunner runner;
  private final Operation operation;
  private final long id;
  private final Deadline deadline;
  private final OperationSession session;
  private @Nullable List<DocumentSequence> sequences;

  /**
   * @param id the operation's, for events
   */
  Exchange(
      OperationRunner runner,
      Operation operation,
      long id,
      Deadline deadline,
      OperationSession session) {
    this.runner = runner;
    this.operation = operation;
    this.id = id;
    this.deadline = deadline;
    this.session = session;
  }

  /**
   * Sends the command and waits for its reply. The connection is closed where its stream may be out
   * of step.
   */
  AttemptEnd on(ChosenServer chosen, PooledConnection pooled) {
    Connection connection = pooled.connection();
    Session used = session.on(connection);
    Retryability retryability = session.retryabilityOn(connection, used);
    Message message = messageFor(chosen, connection, used, retryability);
    CommandEvents.@Nullable Telling telling = tellStart(message, connection);
    long begin = runner.nanoTime.getAsLong();
    @Nullable Trouble trouble;
    RawBsonDocument reply = SENT;
    boolean sending = true;
    try {
      connection.send(message);
      sending = false;
      if (operation.acknowledged()) {
        reply = connection.receiveReply(message.requestId(), replyLimit());
      }
      ReplyHead head = ReplyHead.of(reply);
      learn(head, used);
      trouble = troubleIn(head, reply, pooled);
    } catch (IOException failure) {
      trouble = Trouble.of(pooled, failure, sending);
      if (used != null) {
        used.markDirty();
      }
    } catch (RuntimeException | Error broken) {
      connection.close();
      if (telling != null) {
        telling.failed(broken, runner.nanoTime.getAsLong() - begin);
      }
      throw broken;
    }
    long elapsed = runner.nanoTime.getAsLong() - begin;
    if (trouble == null) {
      if (telling != null) {
        telling.succeeded(reply, elapsed);
      }
      return new AttemptEnd.Succeeded(
          new CommandResult(reply, chosen.description().address(), chosen.description()));
    }
    AttemptEnd.Failed failed =
        failed(chosen, trouble, connection.description().getMaxWireVersion(), retryability);
    if (telling != null) {
      if (trouble instanceof Trouble.WriteConcernReply) {
        telling.succeeded(reply, elapsed);
      } else {
        telling.failed(failed.judgement().exception(), elapsed);
      }
    }
    return failed;
  }

  private @Nullable Trouble troubleIn(
      ReplyHead head, RawBsonDocument reply, PooledConnection connection) {
    if (!head.ok()) {
      return new Trouble.ErrorReply(connection, reply);
    }
    return head.hasWriteConcernError() && operation.kind().needsWritable()
        ? new Trouble.WriteConcernReply(connection, reply)
        : null;
  }

  /** Judges, tells the topology, and closes the connection where its stream may be out of step. */
  AttemptEnd.Failed failed(
      ChosenServer chosen, Trouble trouble, int wireVersion, Retryability retryability) {
    Judgement judgement =
        new FailureJudge(chosen.description().address(), chosen.server().id())
            .judge(trouble, deadline);
    if (judgement.connection() == Judgement.Fate.DISCARD) {
      switch (trouble) {
        case Trouble.NotSent failed -> failed.connection().connection().close();
        case Trouble.NotAnswered failed -> failed.connection().connection().close();
        case Trouble.Interrupted stopped -> stopped.connection().connection().close();
        case Trouble.NoConnection ignored -> {}
        case Trouble.ErrorReply ignored -> {}
        case Trouble.WriteConcernReply ignored -> {}
      }
    }
    TopologyEvent event = judgement.event();
    if (event != null) {
      runner.deployment.heard(event);
    }
    boolean networkFailure =
        judgement.failure() instanceof Failure.Network
            || judgement.failure() instanceof Failure.ReplyTimeout;
    if (networkFailure
        && retryability == Retryability.WRITE
        && runner.settings.client().getRetryWrites()) {
      judgement.exception().addLabel(Failure.RETRYABLE_WRITE);
    }
    return new AttemptEnd.Failed(
        judgement, chosen.description(), chosen.topology(), wireVersion, retryability);
  }

  private Message messageFor(
      ChosenServer chosen,
      Connection connection,
      @Nullable Session used,
      Retryability retryability) {
    return runner.assembly.assemble(
        operation,
        sequencesFor(chosen.description()),
        connection,
        new CommandAssembly.Additions(
            chosen.topology(),
            chosen.description().type(),
            chosen.preference(),
            used,
            session.transactionNumber(used, retryability),
            maxTimeMillis(chosen.description())));
  }

  /** Cut once, by the limits of the first server: a retry repeats the very same command. */
  private List<DocumentSequence> sequencesFor(ServerDescription server) {
    if (operation.splitter() == null) {
      return operation.sequences();
    }
    List<DocumentSequence> cut = sequences;
    if (cut == null) {
      cut = operation.splitter().sequencesFor(server);
      sequences = cut;
    }
    return cut;
  }

  /**
   * What is left for the server, the way there and back deducted; null without a deadline, and for
   * what waits on a cursor.
   */
  private @Nullable Long maxTimeMillis(ServerDescription server) {
    if (!deadline.isLimited()
        || !operation.acknowledged()
        || operation.commandName().equals("getMore")) {
      return null;
    }
    RoundTripTime ping = server.ping();
    long left = deadline.leftNanos() - (ping == null ? 0 : ping.minimum().toNanos());
    if (left < TimeUnit.MILLISECONDS.toNanos(1)) {
      throw new MongoOperationTimeoutException(
          "Operation exceeded the timeout limit: no time is left for a round trip to "
              + server.address());
    }
    return TimeUnit.NANOSECONDS.toMillis(left);
  }

  /** An operation with a deadline goes by it alone; without, by the socket's read timeout. */
  private Duration replyLimit() {
    if (deadline.isLimited()) {
      return Duration.ofNanos(Math.max(1, deadline.leftNanos()));
    }
    Duration own = operation.replyTimeout();
    return own == null ? runner.settings.readTimeout() : own;
  }

  private void learn(ReplyHead head, @Nullable Session used) {
    runner.clock.advance(head.clusterTime());
    if (used != null) {
      used.advanceClusterTime(head.clusterTime());
      used.advanceOperationTime(head.operationTime());
    }
  }

  private CommandEvents.@Nullable Telling tellStart(Message message, Connection connection) {
    if (!runner.events.areWanted()) {
      return null;
    }
    return runner.events.started(
        operation.requestContext(),
        id,
        message.requestId(),
        connection.description(),
        operation.database(),
        operation.commandName(),
        message.commandWithSequences());
  }
}
