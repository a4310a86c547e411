// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.WriteConcern.W;
import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.server.replication.protocol.Role;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a write concern is met in a state, cannot be, or has to be waited for. */
final class WriteConcernCheck {
  private static final Set<String> RETRY = Set.of("RetryableWriteError");

  private WriteConcernCheck() {}

  /**
   * Judges one state.
   *
   * @param committedView where the newest state that a majority read sees stands
   * @return null while it has to be waited for
   */
  static @Nullable WriteConcernResult judge(
      ReplicaState state, OpTime committedView, OpTime opTime, WriteConcern concern) {
    ReplicaSetConfig config = state.config();
    if (opTime.isNone() || config == null || isMet(state, config, committedView, opTime, concern)) {
      return new WriteConcernResult.Satisfied();
    }
    if (concern.w() instanceof W.Members members) {
      long dataBearing = config.members().stream().filter(member -> !member.arbiterOnly()).count();
      if (members.count() > dataBearing) {
        return failed(
            100, "UnsatisfiableWriteConcern", "Not enough data-bearing nodes", Set.of(), concern);
      }
    }
    if (concern.w() instanceof W.Mode mode && !config.settings().modes().containsKey(mode.name())) {
      return failed(
          79,
          "UnknownReplWriteConcern",
          "No write concern mode named '" + mode.name() + "' found in replica set configuration",
          Set.of(),
          concern);
    }
    boolean leads = state.role() instanceof Role.Leader;
    if (!leads || state.term() != opTime.term()) {
      return failed(
          189,
          "PrimarySteppedDown",
          "Primary stepped down while waiting for replication",
          RETRY,
          concern);
    }
    return null;
  }

  static WriteConcernResult timedOut(WriteConcern concern) {
    return failed(
        64, "WriteConcernTimeout", "waiting for replication timed out", Set.of(), concern);
  }

  static WriteConcernResult outOfTime(WriteConcern concern) {
    return failed(50, "MaxTimeMSExpired", "operation exceeded time limit", Set.of(), concern);
  }

  static WriteConcernResult shuttingDown(WriteConcern concern) {
    return failed(91, "ShutdownInProgress", "the server is shutting down", RETRY, concern);
  }

  private static WriteConcernResult failed(
      int code, String codeName, String message, Set<String> labels, WriteConcern concern) {
    return new WriteConcernResult.Failed(code, codeName, message, labels, concern);
  }

  private static boolean isMet(
      ReplicaState state,
      ReplicaSetConfig config,
      OpTime committedView,
      OpTime opTime,
      WriteConcern concern) {
    return switch (concern.w()) {
      case W.Members members ->
          members.count() <= 1 || have(state, config, opTime) >= members.count();
      case W.Majority majority ->
          state.committed().isAtLeast(opTime) && committedView.isAtLeast(opTime);
      case W.Mode mode -> {
        Map<String, Integer> tags = config.settings().modes().get(mode.name());
        yield tags != null
            && tags.entrySet().stream()
                .allMatch(tag -> values(state, config, opTime, tag.getKey()) >= tag.getValue());
      }
    };
  }

  private static long have(ReplicaState state, ReplicaSetConfig config, OpTime opTime) {
    return config.members().stream()
        .filter(member -> !member.arbiterOnly() && state.appliedBy(member.id()).isAtLeast(opTime))
        .count();
  }

  private static int values(
      ReplicaState state, ReplicaSetConfig config, OpTime opTime, String tag) {
    Set<String> values = new HashSet<>();
    for (MemberConfig member : config.members()) {
      String value = member.tags().get(tag);
      if (value != null && state.appliedBy(member.id()).isAtLeast(opTime)) {
        values.add(value);
      }
    }
    return values.size();
  }
}
