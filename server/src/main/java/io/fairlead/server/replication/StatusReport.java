// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.MemberState;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.Peer;
import io.fairlead.server.replication.protocol.PeerContact;
import io.fairlead.server.replication.protocol.PeerReport;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.server.replication.protocol.Role;
import java.time.Duration;
import java.time.Instant;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** The answer to {@code replSetGetStatus}. */
final class StatusReport {
  private StatusReport() {}

  static BsonDocument of(
      ReplicaState state, ReplicaSetConfig config, Instant wall, Duration uptime) {
    BsonArray members = new BsonArray();
    for (MemberConfig member : config.members()) {
      members.add(
          member.id() == state.selfId()
              ? self(state, config, member, uptime)
              : other(state, config, member, wall));
    }
    return new BsonDocument("set", new BsonString(config.name()))
        .append("date", new BsonDateTime(wall.toEpochMilli()))
        .append("myState", new BsonInt32(state.memberState().number()))
        .append("term", new BsonInt64(state.term()))
        .append("syncSourceHost", new BsonString(hostOf(config, state.syncSource())))
        .append("syncSourceId", new BsonInt32(state.syncSource()))
        .append(
            "heartbeatIntervalMillis",
            new BsonInt64(config.settings().heartbeatInterval().toMillis()))
        .append("majorityVoteCount", new BsonInt32(config.voteMajority()))
        .append("writeMajorityCount", new BsonInt32(config.writeMajority()))
        .append("votingMembersCount", new BsonInt32(config.voters().size()))
        .append(
            "writableVotingMembersCount",
            new BsonInt32(
                (int) config.members().stream().filter(MemberConfig::votingDataBearing).count()))
        .append(
            "optimes",
            new BsonDocument("lastCommittedOpTime", state.committed().toDocument())
                .append("appliedOpTime", state.applied().toDocument())
                .append("durableOpTime", state.applied().toDocument()))
        .append("members", members);
  }

  private static BsonDocument self(
      ReplicaState state, ReplicaSetConfig config, MemberConfig member, Duration uptime) {
    BsonDocument document =
        head(member, state.memberState(), true).append("uptime", new BsonInt64(uptime.toSeconds()));
    opTime(document, state.applied());
    document
        .append("syncSourceHost", new BsonString(hostOf(config, state.syncSource())))
        .append("syncSourceId", new BsonInt32(state.syncSource()))
        .append(
            "infoMessage", new BsonString(state.diskWorks() ? "" : "its disk cannot be written"));
    if (state.role() instanceof Role.Leader leader) {
      document.append("electionDate", new BsonDateTime(leader.since().toEpochMilli()));
    }
    return document
        .append("configVersion", new BsonInt64(config.version()))
        .append("configTerm", new BsonInt64(config.term()))
        .append("self", BsonBoolean.TRUE)
        .append("lastHeartbeatMessage", new BsonString(""));
  }

  private static BsonDocument other(
      ReplicaState state, ReplicaSetConfig config, MemberConfig member, Instant wall) {
    Peer peer = state.peers().get(member.id());
    if (peer == null) {
      return head(member, MemberState.UNKNOWN, false);
    }
    PeerReport report = peer.report();
    PeerContact contact = peer.contact();
    boolean healthy = peer.isAlive(state.lastEvent(), config.settings().electionTimeout());
    BsonDocument document = head(member, healthy ? peer.state() : MemberState.DOWN, healthy);
    opTime(document, report.applied());
    return document
        .append("lastHeartbeat", date(contact.lastHeard()))
        .append("lastHeartbeatRecv", date(contact.lastRequest()))
        .append("pingMs", new BsonInt64(contact.ping().toMillis()))
        .append("lastHeartbeatMessage", new BsonString(report.trouble()))
        .append("syncSourceHost", new BsonString(hostOf(config, report.syncSource())))
        .append("syncSourceId", new BsonInt32(report.syncSource()))
        .append(
            "infoMessage", new BsonString(report.diskWorks() ? "" : "its disk cannot be written"))
        .append("configVersion", new BsonInt64(report.configVersion()))
        .append("configTerm", new BsonInt64(report.configTerm()))
        .append("lastHeardMillisAgo", new BsonInt64(ago(contact.lastHeard(), wall)));
  }

  private static BsonDocument head(MemberConfig member, MemberState state, boolean healthy) {
    String shown = state == MemberState.DOWN ? "(not reachable/healthy)" : state.name();
    return new BsonDocument("_id", new BsonInt32(member.id()))
        .append("name", new BsonString(member.host()))
        .append("health", new BsonDouble(healthy ? 1 : 0))
        .append("state", new BsonInt32(state.number()))
        .append("stateStr", new BsonString(shown));
  }

  private static void opTime(BsonDocument document, OpTime opTime) {
    document
        .append("optime", opTime.toDocument())
        .append(
            "optimeDate",
            new BsonDateTime(Integer.toUnsignedLong(opTime.timestamp().getTime()) * 1000));
  }

  private static BsonDateTime date(Instant instant) {
    return new BsonDateTime(instant.equals(Instant.MIN) ? 0 : instant.toEpochMilli());
  }

  private static long ago(Instant instant, Instant wall) {
    return instant.equals(Instant.MIN)
        ? -1
        : Math.max(0, Duration.between(instant, wall).toMillis());
  }

  private static String hostOf(ReplicaSetConfig config, int member) {
    return config.member(member).map(MemberConfig::host).orElse("");
  }
}
