// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.MemberState;
import io.fairlead.server.replication.protocol.Message;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import java.util.HashMap;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * The protocol's messages as commands and replies. A field that is missing or of a wrong type is an
 * {@link IllegalArgumentException}.
 */
final class PeerMessages {
  private static final int NO_MEMBER = -1;

  private PeerMessages() {}

  static BsonDocument command(Message.HeartbeatRequest request) {
    return new BsonDocument("replSetHeartbeat", new BsonString(request.setName()))
        .append("to", new BsonInt32(request.to()))
        .append("fromId", new BsonInt32(request.from()))
        .append("from", new BsonString(request.fromHost()))
        .append("term", new BsonInt64(request.term()))
        .append("configVersion", new BsonInt64(request.configVersion()))
        .append("configTerm", new BsonInt64(request.configTerm()))
        .append("primaryId", new BsonInt32(request.primary()));
  }

  static Message.HeartbeatRequest heartbeatRequest(BsonDocument command) {
    return new Message.HeartbeatRequest(
        string(command, "replSetHeartbeat"),
        integer(command, "to"),
        integer(command, "fromId"),
        string(command, "from"),
        number(command, "term"),
        number(command, "configVersion"),
        number(command, "configTerm"),
        integer(command, "primaryId"));
  }

  static BsonDocument reply(Message.HeartbeatReply reply) {
    BsonDocument document =
        new BsonDocument("set", new BsonString(reply.setName()))
            .append("fromId", new BsonInt32(reply.from()))
            .append("state", new BsonInt32(reply.state().number()))
            .append("term", new BsonInt64(reply.term()))
            .append("primaryId", new BsonInt32(reply.primary()))
            .append("opTime", reply.applied().toDocument())
            .append("durableOpTime", reply.applied().toDocument())
            .append("lastOpCommitted", reply.committed().toDocument())
            .append("v", new BsonInt64(reply.configVersion()))
            .append("configTerm", new BsonInt64(reply.configTerm()))
            .append("syncSourceId", new BsonInt32(reply.syncSource()))
            .append("diskWorks", BsonBoolean.valueOf(reply.diskWorks()));
    ReplicaSetConfig config = reply.config();
    return config == null ? document : document.append("config", config.toDocument());
  }

  static Message.HeartbeatReply heartbeatReply(BsonDocument reply) {
    BsonValue config = reply.get("config");
    return new Message.HeartbeatReply(
        string(reply, "set"),
        integer(reply, "fromId"),
        MemberState.of(integer(reply, "state")),
        number(reply, "term"),
        integer(reply, "primaryId"),
        OpTime.parse(value(reply, "opTime")),
        OpTime.parse(value(reply, "lastOpCommitted")),
        number(reply, "v"),
        number(reply, "configTerm"),
        integer(reply, "syncSourceId"),
        truth(reply, "diskWorks"),
        config == null ? null : ReplicaSetConfig.parse(config.asDocument(), new ObjectId()));
  }

  static BsonDocument command(Message.VoteRequest request) {
    return new BsonDocument("replSetRequestVotes", new BsonInt32(1))
        .append("setName", new BsonString(request.setName()))
        .append("to", new BsonInt32(request.to()))
        .append("dryRun", BsonBoolean.valueOf(request.dryRun()))
        .append("term", new BsonInt64(request.term()))
        .append("candidateId", new BsonInt32(request.candidate()))
        .append("configVersion", new BsonInt64(request.configVersion()))
        .append("configTerm", new BsonInt64(request.configTerm()))
        .append("lastAppliedOpTime", request.applied().toDocument());
  }

  static Message.VoteRequest voteRequest(BsonDocument command) {
    return new Message.VoteRequest(
        string(command, "setName"),
        integer(command, "to"),
        truth(command, "dryRun"),
        number(command, "term"),
        integer(command, "candidateId"),
        number(command, "configVersion"),
        number(command, "configTerm"),
        OpTime.parse(value(command, "lastAppliedOpTime")));
  }

  static BsonDocument reply(Message.VoteReply reply) {
    return new BsonDocument("fromId", new BsonInt32(reply.from()))
        .append("term", new BsonInt64(reply.term()))
        .append("voteGranted", BsonBoolean.valueOf(reply.granted()))
        .append("reason", new BsonString(reply.reason()))
        .append("opTime", reply.applied().toDocument());
  }

  static Message.VoteReply voteReply(BsonDocument reply) {
    return new Message.VoteReply(
        integer(reply, "fromId"),
        number(reply, "term"),
        truth(reply, "voteGranted"),
        string(reply, "reason"),
        OpTime.parse(value(reply, "opTime")));
  }

  static BsonDocument positions(String setName, Map<Integer, OpTime> applied) {
    return new BsonDocument("replSetUpdatePosition", new BsonInt32(1))
        .append("setName", new BsonString(setName))
        .append("optimes", optimes(applied));
  }

  static BsonArray optimes(Map<Integer, OpTime> applied) {
    BsonArray positions = new BsonArray();
    applied.forEach(
        (member, opTime) ->
            positions.add(
                new BsonDocument("memberId", new BsonInt32(member))
                    .append("appliedOpTime", opTime.toDocument())
                    .append("durableOpTime", opTime.toDocument())));
    return positions;
  }

  static Map<Integer, OpTime> positions(BsonDocument command) {
    BsonValue optimes = value(command, "optimes");
    require(optimes.isArray(), "optimes");
    Map<Integer, OpTime> positions = new HashMap<>();
    for (BsonValue element : optimes.asArray()) {
      require(element.isDocument(), "optimes");
      BsonDocument position = element.asDocument();
      positions.put(integer(position, "memberId"), OpTime.parse(value(position, "appliedOpTime")));
    }
    positions.remove(NO_MEMBER);
    return positions;
  }

  static BsonValue value(BsonDocument document, String name) {
    BsonValue value = document.get(name);
    if (value == null) {
      throw new IllegalArgumentException("missing field '" + name + "'");
    }
    return value;
  }

  static String string(BsonDocument document, String name) {
    BsonValue value = value(document, name);
    require(value.isString(), name);
    return value.asString().getValue();
  }

  static long number(BsonDocument document, String name) {
    BsonValue value = value(document, name);
    require(value.isNumber(), name);
    return value.asNumber().longValue();
  }

  static int integer(BsonDocument document, String name) {
    return Math.toIntExact(number(document, name));
  }

  static boolean truth(BsonDocument document, String name) {
    BsonValue value = value(document, name);
    require(value.isBoolean(), name);
    return value.asBoolean().getValue();
  }

  private static void require(boolean held, String name) {
    if (!held) {
      throw new IllegalArgumentException("wrong type for field '" + name + "'");
    }
  }
}
