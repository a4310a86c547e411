// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.MongoClientException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoSocketWriteException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ServerId;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.cluster.connection.OverloadLabels;
import io.fairlead.cluster.connection.UnexpectedReplyException;
import io.fairlead.cluster.execution.Judgement.Fate;
import io.fairlead.cluster.pool.CheckOutException;
import io.fairlead.cluster.pool.PooledConnection;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.topology.retry.Failure;
import io.fairlead.wire.message.ConnectException;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.MalformedMessageException;
import io.fairlead.wire.message.MessageTooLargeException;
import io.fairlead.wire.message.ReadTimeoutException;
import java.io.IOException;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The one place that judges a failure: whether its connection may be used again, what the topology
 * learns, what the retry policy and health are told, and which exception the caller gets. Pure.
 */
final class FailureJudge {
  private final HostAddress server;
  private final ServerId serverId;

  FailureJudge(HostAddress server, ServerId serverId) {
    this.server = server;
    this.serverId = serverId;
  }

  /**
   * @param deadline of the operation: a limit that it set is not the server's failure
   */
  Judgement judge(Trouble trouble, Deadline deadline) {
    return switch (trouble) {
      case Trouble.NoConnection none -> withoutConnection(none.cause(), deadline);
      case Trouble.NotSent failed ->
          onConnection(failed.connection(), failed.cause(), true, deadline);
      case Trouble.NotAnswered failed ->
          onConnection(failed.connection(), failed.cause(), false, deadline);
      case Trouble.Interrupted stopped ->
          new Judgement(
              Fate.DISCARD,
              null,
              new MongoInterruptedException(
                  "interrupted while waiting for the reply of " + server, stopped.cause()),
              null,
              null);
      case Trouble.ErrorReply error ->
          new Judgement(
              Fate.KEEP,
              ReplyErrors.failureOf(error.reply()),
              ReplyErrors.exceptionOf(error.reply(), address()),
              replied(error.connection(), error.reply()),
              null);
      case Trouble.WriteConcernReply error -> writeConcern(error.connection(), error.reply());
    };
  }

  private Judgement withoutConnection(CheckOutException cause, Deadline deadline) {
    return switch (cause) {
      // the failure that cleared the pool has told the topology already
      case CheckOutException.PoolCleared cleared ->
          new Judgement(
              Fate.KEEP,
              new Failure.Network("the connection pool was cleared", Set.of()),
              cleared.getCause() == null
                  ? new MongoServerUnavailableException(String.valueOf(cleared.getMessage()))
                  : new MongoConnectionPoolClearedException(serverId, cleared.getCause()),
              null,
              null);
      case CheckOutException.PoolClosed closed ->
          new Judgement(
              Fate.KEEP,
              new Failure.Network("the server is no longer part of the deployment", Set.of()),
              new MongoServerUnavailableException(String.valueOf(closed.getMessage())),
              null,
              null);
      case CheckOutException.TimedOut late ->
          new Judgement(
              Fate.KEEP,
              null,
              deadline.isOver()
                  ? new MongoOperationTimeoutException(String.valueOf(late.getMessage()))
                  : new MongoTimeoutException(String.valueOf(late.getMessage())),
              null,
              null);
      // the dialling thread has told the topology
      case CheckOutException.OpeningFailed opening -> opening(opening.getCause());
    };
  }

  private Judgement opening(@Nullable Throwable cause) {
    if (cause instanceof Handshake.RefusedException refused) {
      return new Judgement(
          Fate.KEEP,
          ReplyErrors.failureOf(refused.reply()),
          ReplyErrors.exceptionOf(refused.reply(), address()),
          null,
          null);
    }
    MongoException exception =
        cause instanceof ReadTimeoutException
            ? new MongoSocketReadTimeoutException(
                "Timeout while receiving message", address(), cause)
            : new MongoSocketOpenException(
                "Exception opening socket to " + server, address(), cause);
    Set<String> labels =
        cause instanceof IOException failure ? OverloadLabels.of(failure) : Set.of();
    labels.forEach(exception::addLabel);
    return new Judgement(
        Fate.KEEP,
        new Failure.Network(
            "no connection could be opened: " + (cause == null ? "" : cause.getMessage()), labels),
        exception,
        null,
        null);
  }

  private Judgement onConnection(
      PooledConnection connection, IOException cause, boolean sending, Deadline deadline) {
    return switch (cause) {
      case ReadTimeoutException late when deadline.isOver() ->
          new Judgement(
              Fate.DISCARD,
              new Failure.OperationTimeout("the operation's time was up before its reply came"),
              new MongoOperationTimeoutException(
                  "Operation exceeded the timeout limit: no reply from " + server, late),
              networkError(connection, late, true),
              null);
      case ReadTimeoutException late ->
          new Judgement(
              Fate.DISCARD,
              new Failure.ReplyTimeout("no reply in time", Set.of()),
              new MongoSocketReadTimeoutException(
                  "Timeout while receiving message", address(), late),
              networkError(connection, late, true),
              null);
      case MessageTooLargeException tooLarge ->
          new Judgement(
              Fate.KEEP,
              null,
              new MongoClientException(String.valueOf(tooLarge.getMessage()), tooLarge),
              null,
              null);
      case ConnectionClosedException closed -> broken(connection, closed, sending);
      case MalformedMessageException malformed -> broken(connection, malformed, sending);
      case UnexpectedReplyException unexpected -> broken(connection, unexpected, sending);
      case ConnectException refused -> broken(connection, refused, sending);
      default -> broken(connection, cause, sending);
    };
  }

  private Judgement broken(PooledConnection connection, IOException cause, boolean sending) {
    String message = String.valueOf(cause.getMessage());
    MongoSocketException exception =
        sending
            ? new MongoSocketWriteException(
                "Exception sending message: " + message, address(), cause)
            : new MongoSocketReadException(
                "Exception receiving message: " + message, address(), cause);
    return new Judgement(
        Fate.DISCARD,
        new Failure.Network("the connection failed: " + message, Set.of()),
        exception,
        networkError(connection, cause, false),
        null);
  }

  private Judgement writeConcern(PooledConnection connection, RawBsonDocument reply) {
    BsonDocument error = ReplyErrors.writeConcernErrorOf(reply);
    if (error == null) {
      throw new IllegalArgumentException("a reply without a write concern error");
    }
    return new Judgement(
        Fate.KEEP,
        ReplyErrors.writeConcernFailureOf(reply, error),
        ReplyErrors.exceptionOf(error, address()),
        replied(connection, reply),
        reply);
  }

  private TopologyEvent replied(PooledConnection connection, BsonDocument reply) {
    return new TopologyEvent.ErrorReply(server, connection.generation(), true, reply, null);
  }

  private TopologyEvent networkError(
      PooledConnection connection, IOException cause, boolean timedOut) {
    return new TopologyEvent.NetworkError(
        server,
        connection.generation(),
        true,
        timedOut,
        String.valueOf(cause.getMessage()),
        Set.of(),
        null);
  }

  private ServerAddress address() {
    return serverId.getAddress();
  }
}
