// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import io.fairlead.cluster.CommandResult;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.topology.health.Outcome;
import io.fairlead.topology.retry.Failure;
import io.fairlead.topology.retry.FaultKind;
import io.fairlead.topology.retry.Retryability;

/** How one attempt ended. */
sealed interface AttemptEnd {
  /** What health is told of it. */
  Outcome outcome();

  /** With a reply that says so. */
  record Succeeded(CommandResult result) implements AttemptEnd {
    @Override
    public Outcome outcome() {
      return Outcome.GOOD;
    }
  }

  /**
   * With an error, with a reply that tells of one, or without a reply.
   *
   * @param topology of the deployment that the server was chosen from
   * @param wireVersion of the connection; 0 when there was none
   * @param retryability as it was on this connection
   */
  record Failed(
      Judgement judgement,
      ServerDescription server,
      TopologyType topology,
      int wireVersion,
      Retryability retryability)
      implements AttemptEnd {
    @Override
    public Outcome outcome() {
      Failure failure = judgement.failure();
      if (failure == null) {
        return Outcome.ABANDONED;
      }
      long generation =
          judgement.event() instanceof TopologyEvent.NetworkError error && !error.timedOut()
              ? error.generation()
              : Outcome.Failed.NO_GENERATION;
      return new Outcome.Failed(FaultKind.of(failure, topology), generation);
    }
  }
}
