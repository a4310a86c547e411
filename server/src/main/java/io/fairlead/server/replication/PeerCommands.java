// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.Message;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** Answers what other members ask. A command that was meant for another member is refused. */
final class PeerCommands {
  private static final Duration AWAIT_MAX = Duration.ofSeconds(10);
  private static final Duration LINGER = Duration.ofMillis(5);

  private final ReplicaSetMember member;
  private final ProtocolLoop loop;
  private final LogSource source;
  private final MemberEffects effects;
  private final Signal signal;

  PeerCommands(
      ReplicaSetMember member,
      ProtocolLoop loop,
      LogSource source,
      MemberEffects effects,
      Signal signal) {
    this.member = member;
    this.loop = loop;
    this.source = source;
    this.effects = effects;
    this.signal = signal;
  }

  BsonDocument run(String name, BsonDocument command) throws InterruptedException {
    return switch (name) {
      case "replSetHeartbeat" -> heartbeat(PeerMessages.heartbeatRequest(command));
      case "replSetRequestVotes" -> vote(PeerMessages.voteRequest(command));
      case "replSetUpdatePosition" -> {
        loop.post(new Event.PositionsReported(PeerMessages.positions(command)));
        yield new BsonDocument();
      }
      case "_fairleadFetchOplog" -> fetch(command);
      case "_fairleadFindCommonPoint" -> commonPoint(command);
      case "_fairleadCloneCollections" -> {
        requireReadable();
        yield source.beginCopy();
      }
      case "_fairleadCloneDocuments" ->
          source.documents(
              PeerMessages.number(command, "_fairleadCloneDocuments"),
              Namespace.parse(PeerMessages.string(command, "ns")));
      case "_fairleadEndClone" -> {
        source.endCopy(PeerMessages.number(command, "_fairleadEndClone"));
        yield new BsonDocument();
      }
      case "appendOplogNote" -> note(command);
      default ->
          throw new EngineException(
              ErrorCodes.COMMAND_NOT_FOUND, "no such command: '" + name + "'");
    };
  }

  private BsonDocument heartbeat(Message.HeartbeatRequest request) throws InterruptedException {
    requireSet(request.setName());
    requireMe(request.to());
    return PeerMessages.reply(
        (Message.HeartbeatReply) ask(number -> new Event.HeartbeatReceived(number, request)));
  }

  private BsonDocument vote(Message.VoteRequest request) throws InterruptedException {
    requireSet(request.setName());
    requireMe(request.to());
    return PeerMessages.reply(
        (Message.VoteReply) ask(number -> new Event.VoteRequested(number, request)));
  }

  private Message ask(LongFunction<Event> event) throws InterruptedException {
    try {
      return loop.ask(event, AWAIT_MAX);
    } catch (TimeoutException e) {
      throw new EngineException(
          ErrorCodes.EXCEEDED_TIME_LIMIT, "this member is too busy to answer");
    }
  }

  private void requireSet(String setName) {
    if (!setName.equals(member.settings().setName())) {
      throw new EngineException(
          ErrorCodes.INVALID_REPLICA_SET_CONFIG,
          "replica set names do not match, ours: "
              + member.settings().setName()
              + "; remote node's: "
              + setName);
    }
  }

  private void requireMe(int meant) {
    int self = loop.state().selfId();
    if (meant >= 0 && self >= 0 && meant != self) {
      throw new EngineException(
          ErrorCodes.NODE_NOT_FOUND,
          "this is member " + self + ", the request was meant for member " + meant);
    }
  }

  private void requireReadable() {
    if (!loop.state().memberState().isReadable()) {
      throw new EngineException(
          ErrorCodes.NOT_PRIMARY_OR_SECONDARY,
          "a sync source must lead or follow, not be " + member.memberState());
    }
  }

  private BsonDocument fetch(BsonDocument command) throws InterruptedException {
    requireMe(PeerMessages.integer(command, "to"));
    requireReadable();
    loop.post(new Event.PositionsReported(PeerMessages.positions(command)));
    OpTime end = OpTime.parse(PeerMessages.value(command, "after"));
    OpTime committed = OpTime.parse(PeerMessages.value(command, "committed"));
    Duration await = Duration.ofMillis(PeerMessages.number(command, "awaitMillis"));
    signal.await(
        () -> hasNews(end, committed) ? Boolean.TRUE : null,
        await.compareTo(AWAIT_MAX) > 0 ? AWAIT_MAX : await);
    // a commit point alone waits a little for the entries that may come with it
    signal.await(() -> hasEntries(end) ? Boolean.TRUE : null, LINGER);
    requireReadable();
    ReplicaState state = loop.state();
    Optional<List<RawBsonDocument>> later =
        effects.lastApplied().equals(end) ? Optional.of(List.of()) : source.after(end);
    return new BsonDocument("common", BsonBoolean.valueOf(later.isPresent()))
        .append("end", effects.lastApplied().toDocument())
        .append("entries", new BsonArray(later.orElse(List.of())))
        .append("committed", state.committed().toDocument())
        .append("term", new BsonInt64(state.term()));
  }

  private boolean hasNews(OpTime end, OpTime committed) {
    return hasEntries(end) || loop.state().committed().compareTo(committed) > 0;
  }

  private boolean hasEntries(OpTime end) {
    ReplicaState state = loop.state();
    return !effects.lastApplied().equals(end)
        || !state.memberState().isReadable()
        || signal.isClosed();
  }

  private BsonDocument commonPoint(BsonDocument command) {
    requireMe(PeerMessages.integer(command, "to"));
    requireReadable();
    List<OpTime> points = new ArrayList<>();
    for (BsonValue point : PeerMessages.value(command, "points").asArray()) {
      points.add(OpTime.parse(point));
    }
    return new BsonDocument("point", source.common(points).toDocument());
  }

  private BsonDocument note(BsonDocument command) {
    member.requireWritablePrimary();
    BsonValue time = PeerMessages.value(command, "maxClusterTime");
    if (!time.isTimestamp()) {
      throw new EngineException(ErrorCodes.TYPE_MISMATCH, "maxClusterTime must be a timestamp");
    }
    member.advanceClusterTime(time.asTimestamp());
    effects.noteUpTo(time.asTimestamp());
    return new BsonDocument();
  }
}
