// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.Action;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.Message;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this member asks the others, each question on a thread of its own; the answers, and that
 * there was none, become events of the protocol.
 */
final class PeerCalls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerCalls.class);

  private final String name;
  private final ReplicationSettings settings;
  private final ProtocolPort protocol;
  private final MemberThreads threads;
  private final Map<String, PeerLink> links = new ConcurrentHashMap<>();

  PeerCalls(
      String name, ReplicationSettings settings, ProtocolPort protocol, MemberThreads threads) {
    this.name = name;
    this.settings = settings;
    this.protocol = protocol;
    this.threads = threads;
  }

  void heartbeat(Action.SendHeartbeat send) {
    threads.start("heartbeat", () -> sendHeartbeat(send));
  }

  private void sendHeartbeat(Action.SendHeartbeat send) {
    long sent = System.nanoTime();
    try {
      BsonDocument reply =
          linkTo(send.member()).call(PeerMessages.command(send.message()), settings.peerTimeout());
      Message.HeartbeatReply heartbeat = PeerMessages.heartbeatReply(reply);
      boolean uninitiated = heartbeat.from() == -1;
      if (heartbeat.from() != send.member() && !uninitiated) {
        throw new IllegalArgumentException("member " + heartbeat.from() + " answered in its place");
      }
      protocol.post(
          new Event.HeartbeatAnswered(
              send.member(), heartbeat, Duration.ofNanos(System.nanoTime() - sent)));
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      protocol.post(new Event.HeartbeatFailed(send.member(), reason(failure)));
    }
  }

  void requestVote(Action.RequestVote vote) {
    threads.start("vote", () -> sendVoteRequest(vote));
  }

  private void sendVoteRequest(Action.RequestVote vote) {
    Message.VoteRequest request = vote.message();
    try {
      Message.VoteReply reply =
          PeerMessages.voteReply(
              linkTo(vote.member()).call(PeerMessages.command(request), settings.peerTimeout()));
      if (reply.from() != vote.member()) {
        throw new IllegalArgumentException("member " + reply.from() + " answered in its place");
      }
      protocol.post(new Event.VoteAnswered(vote.member(), request.dryRun(), request.term(), reply));
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      protocol.post(new Event.VoteFailed(vote.member(), request.dryRun(), request.term()));
    }
  }

  void fetchConfig(String fromHost) {
    threads.start("config", () -> askForConfig(fromHost));
  }

  private void askForConfig(String fromHost) {
    try {
      Message.HeartbeatRequest question =
          new Message.HeartbeatRequest(
              settings.setName(), -1, -1, settings.self(), protocol.state().term(), -2, -1, -1);
      Message.HeartbeatReply reply =
          PeerMessages.heartbeatReply(
              link(fromHost).call(PeerMessages.command(question), settings.peerTimeout()));
      ReplicaSetConfig config = reply.config();
      if (config != null && config.memberAt(settings.self()).isPresent()) {
        protocol.post(new Event.ConfigOffered(config));
      }
    } catch (WireException | PeerRefusedException | IllegalArgumentException failure) {
      LOG.info("[{}] could not get the configuration from {}: {}", name, fromHost, reason(failure));
    }
  }

  void askToStand(int member) {
    threads.start("handover", () -> sendStepUp(member));
  }

  private void sendStepUp(int member) {
    try {
      linkTo(member)
          .call(
              new BsonDocument("replSetStepUp", new BsonInt32(1))
                  .append("skipDryRun", BsonBoolean.TRUE),
              settings.peerTimeout());
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      LOG.info("[{}] {} was not elected in its place: {}", name, member, reason(failure));
    }
  }

  /** Has the primary take its log to a time. */
  void askForNote(int primary, BsonTimestamp time) {
    threads.start("advance", () -> sendNote(primary, time));
  }

  private void sendNote(int primary, BsonTimestamp time) {
    try {
      linkTo(primary)
          .call(
              new BsonDocument("appendOplogNote", new BsonInt32(1)).append("maxClusterTime", time),
              settings.peerTimeout());
    } catch (WireException | PeerRefusedException | RuntimeException failure) {
      LOG.debug("[{}] the primary did not advance its log to {}: {}", name, time, reason(failure));
    }
  }

  private static String reason(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  PeerLink linkTo(int member) {
    ReplicaSetConfig config = protocol.state().config();
    if (config == null) {
      throw new IllegalStateException("no configuration");
    }
    return link(
        config
            .member(member)
            .map(MemberConfig::host)
            .orElseThrow(() -> new IllegalStateException("no member " + member)));
  }

  PeerLink link(String host) {
    return links.computeIfAbsent(host, address -> new PeerLink(address, settings.peers()));
  }

  /** Lets go of those who are no longer members. */
  void keepOnly(ReplicaSetConfig config) {
    links
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = config.memberAt(entry.getKey()).isEmpty();
              if (gone) {
                entry.getValue().close();
              }
              return gone;
            });
  }

  /** Cuts all connections: questions under way fail. */
  @Override
  public void close() {
    links.values().forEach(PeerLink::close);
  }
}
