// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.Message;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.server.replication.protocol.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Replication's commands for administrators. A field that is not known is refused. */
final class AdminCommands {
  private static final Duration STEP_DOWN_CATCH_UP = Duration.ofSeconds(10);
  private static final Duration WAIT_MAX = Duration.ofSeconds(10);

  private final ReplicaSetMember member;
  private final ProtocolLoop loop;
  private final Signal signal;

  AdminCommands(ReplicaSetMember member, ProtocolLoop loop, Signal signal) {
    this.member = member;
    this.loop = loop;
    this.signal = signal;
  }

  BsonDocument run(String name, BsonDocument command) throws InterruptedException {
    return switch (name) {
      case "replSetGetStatus" -> {
        allow(command, "initialSync");
        yield StatusReport.of(loop.state(), config(), member.wallTime(), member.uptime());
      }
      case "replSetGetConfig" -> {
        allow(command);
        yield new BsonDocument("config", config().toDocument());
      }
      case "replSetInitiate" -> initiate(command);
      case "replSetReconfig" -> reconfig(command);
      case "replSetStepDown" -> stepDown(command);
      case "replSetStepUp" -> stepUp(command);
      case "replSetFreeze" -> freeze(command);
      default ->
          throw new EngineException(
              ErrorCodes.COMMAND_NOT_FOUND, "no such command: '" + name + "'");
    };
  }

  /** Fields of every command, whose meaning is the dispatcher's. */
  private static final Set<String> GENERIC =
      Set.of(
          "$db",
          "lsid",
          "$clusterTime",
          "$readPreference",
          "comment",
          "maxTimeMS",
          "apiVersion",
          "apiStrict",
          "apiDeprecationErrors",
          "writeConcern",
          "readConcern",
          "$audit",
          "$client",
          "$configServerState");

  private static void allow(BsonDocument command, String... own) {
    for (String field : command.keySet()) {
      boolean known =
          field.equals(command.getFirstKey())
              || GENERIC.contains(field)
              || List.of(own).contains(field);
      if (!known) {
        throw new EngineException(
            40415, "BSON field '" + command.getFirstKey() + "." + field + "' is an unknown field.");
      }
    }
  }

  private ReplicaSetConfig config() {
    ReplicaSetConfig config = loop.state().config();
    if (config == null) {
      throw new EngineException(
          ErrorCodes.NOT_YET_INITIALIZED, "no replset config has been received");
    }
    return config;
  }

  // ---- configuration

  private BsonDocument initiate(BsonDocument command) throws InterruptedException {
    allow(command);
    if (loop.state().config() != null) {
      throw new EngineException(ErrorCodes.ALREADY_INITIALIZED, "already initialized");
    }
    ReplicaSetConfig config = given(command.get("replSetInitiate"));
    if (config.memberAt(member.settings().self()).isEmpty()) {
      throw invalid(
          "No host described in new configuration maps to this node, " + member.settings().self());
    }
    if (!config.name().equals(member.settings().setName())) {
      throw invalid(
          "the set's name is "
              + member.settings().setName()
              + ", the configuration's "
              + config.name());
    }
    if (member.lastApplied().isNone()) {
      member.openLog("initiating set");
    }
    loop.post(new Event.ConfigOffered(config));
    loop.post(new Event.StandForElection(false));
    await(() -> loop.state().config() != null, "the configuration was not installed in time");
    return new BsonDocument();
  }

  private ReplicaSetConfig given(@Nullable BsonValue value) {
    BsonDocument document =
        value != null && value.isDocument() ? value.asDocument() : new BsonDocument();
    try {
      return document.isEmpty()
          ? ReplicaSetConfig.of(
              member.settings().setName(),
              List.of(member.settings().self()),
              ReplicaSetConfig.Settings.standard(new ObjectId()))
          : ReplicaSetConfig.parse(document, new ObjectId());
    } catch (IllegalArgumentException wrong) {
      throw invalid(String.valueOf(wrong.getMessage()));
    }
  }

  private static EngineException invalid(String why) {
    return new EngineException(ErrorCodes.INVALID_REPLICA_SET_CONFIG, why);
  }

  private BsonDocument reconfig(BsonDocument command) throws InterruptedException {
    allow(command);
    member.requireWritablePrimary();
    ReplicaSetConfig present = config();
    BsonValue value = command.get("replSetReconfig");
    if (value == null || !value.isDocument()) {
      throw invalid("replSetReconfig needs a configuration");
    }
    ReplicaSetConfig asked;
    try {
      asked = ReplicaSetConfig.parse(value.asDocument(), present.settings().replicaSetId());
    } catch (IllegalArgumentException wrong) {
      throw invalid(String.valueOf(wrong.getMessage()));
    }
    refuseUnsupported(present, asked);
    ReplicaSetConfig next = asked.withTerm(loop.state().term());
    loop.post(new Event.ConfigOffered(next));
    await(() -> next.equals(loop.state().config()), "the configuration was not installed in time");
    await(
        () -> haveConfig(next) >= next.voteMajority(),
        "a majority did not take over the configuration in time");
    return new BsonDocument();
  }

  private static void refuseUnsupported(ReplicaSetConfig present, ReplicaSetConfig asked) {
    if (asked.version() <= present.version()) {
      throw new EngineException(
          ErrorCodes.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
          "version must be greater than " + present.version() + ", was " + asked.version());
    }
    if (!fixedParts(present).equals(fixedParts(asked)) || !present.name().equals(asked.name())) {
      throw new EngineException(
          ErrorCodes.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
          "members, hosts, votes and arbiters cannot be changed here; priorities, tags, hidden,"
              + " delays and settings can");
    }
  }

  private record Fixed(int id, String host, int votes, boolean arbiter) {}

  private static List<Fixed> fixedParts(ReplicaSetConfig config) {
    List<Fixed> parts = new ArrayList<>();
    for (MemberConfig each : config.members()) {
      parts.add(new Fixed(each.id(), each.host(), each.votes(), each.arbiterOnly()));
    }
    return parts;
  }

  private long haveConfig(ReplicaSetConfig config) {
    ReplicaState state = loop.state();
    return config.voters().stream()
        .filter(
            voter -> {
              var peer = state.peers().get(voter.id());
              return voter.id() == state.selfId()
                  || (peer != null
                      && peer.report().configVersion() == config.version()
                      && peer.report().configTerm() == config.term());
            })
        .count();
  }

  // ---- leadership

  private BsonDocument stepDown(BsonDocument command) throws InterruptedException {
    allow(command, "secondaryCatchUpPeriodSecs", "force");
    boolean force = command.containsKey("force") && truth(command.get("force"));
    Duration stepDownFor = seconds(command, "replSetStepDown", Duration.ofSeconds(60));
    Duration catchUpFor =
        seconds(command, "secondaryCatchUpPeriodSecs", force ? Duration.ZERO : STEP_DOWN_CATCH_UP);
    if (stepDownFor.isZero()) {
      throw new EngineException(ErrorCodes.BAD_VALUE, "stepdown period must be a positive integer");
    }
    if (stepDownFor.compareTo(catchUpFor) < 0) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "stepdown period must be longer than secondaryCatchUpPeriodSecs");
    }
    if (!(loop.state().role() instanceof Role.Leader)) {
      throw new EngineException(ErrorCodes.NOT_WRITABLE_PRIMARY, "not primary so can't step down");
    }
    try {
      Message.StepDownReply reply =
          (Message.StepDownReply)
              loop.ask(
                  number -> new Event.StepDown(number, catchUpFor, stepDownFor, force),
                  catchUpFor.plus(WAIT_MAX));
      if (!reply.done()) {
        throw new EngineException(ErrorCodes.EXCEEDED_TIME_LIMIT, reply.why());
      }
      return new BsonDocument();
    } catch (TimeoutException e) {
      throw new EngineException(
          ErrorCodes.EXCEEDED_TIME_LIMIT, "this member is too busy to step down");
    }
  }

  private BsonDocument stepUp(BsonDocument command) throws InterruptedException {
    allow(command, "skipDryRun");
    boolean skipDryRun = command.containsKey("skipDryRun") && truth(command.get("skipDryRun"));
    loop.post(new Event.StandForElection(skipDryRun));
    Boolean elected =
        signal.await(
            () -> loop.state().role() instanceof Role.Leader ? Boolean.TRUE : null,
            Duration.ofSeconds(2));
    if (elected == null) {
      throw new EngineException(ErrorCodes.COMMAND_FAILED, "Election failed.");
    }
    return new BsonDocument();
  }

  private BsonDocument freeze(BsonDocument command) {
    allow(command);
    if (loop.state().role() instanceof Role.Leader) {
      throw new EngineException(
          95, "cannot freeze node when primary or running for election. state: Primary");
    }
    loop.post(new Event.Freeze(seconds(command, "replSetFreeze", Duration.ZERO)));
    return new BsonDocument();
  }

  private static Duration seconds(BsonDocument command, String name, Duration otherwise) {
    BsonValue value = command.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!value.isNumber() || value.asNumber().longValue() < 0) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, name + " must be a number of seconds, 0 or more");
    }
    return Duration.ofSeconds(Math.min(value.asNumber().longValue(), 1L << 31));
  }

  private static boolean truth(@Nullable BsonValue value) {
    if (value != null && value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    if (value == null || !value.isBoolean()) {
      throw new EngineException(ErrorCodes.TYPE_MISMATCH, "expected a boolean");
    }
    return value.asBoolean().getValue();
  }

  private void await(BooleanSupplier held, String otherwise) throws InterruptedException {
    Boolean done = signal.await(() -> held.getAsBoolean() ? Boolean.TRUE : null, WAIT_MAX);
    if (done == null) {
      throw new EngineException(ErrorCodes.EXCEEDED_TIME_LIMIT, otherwise);
    }
  }
}
