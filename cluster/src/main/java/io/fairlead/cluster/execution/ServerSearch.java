// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoIncompatibleDriverException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoTimeoutException;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.deployment.Server;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.health.OperationTicket;
import io.fairlead.topology.readpreference.EffectiveReadPreference;
import io.fairlead.topology.retry.RetryState;
import io.fairlead.topology.selection.Selection;
import io.fairlead.topology.selection.SelectionRequest;
import io.fairlead.topology.selection.ServerSelector;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds a server for each attempt of one operation: chooses from the topology as it is, and waits
 * for the next one while there is nobody to choose.
 */
final class ServerSearch {
  private final OperationRunner runner;
  private final Operation operation;
  private final Deadline deadline;

  ServerSearch(OperationRunner runner, Operation operation, Deadline deadline) {
    this.runner = runner;
    this.operation = operation;
    this.deadline = deadline;
  }

  /**
   * Chooses a server, and tells health that an operation begins there.
   *
   * @param mustGoElsewhere whether a server that was tried is no choice
   * @throws MongoException when there is none in time, or never will be
   */
  ChosenServer choose(RetryState state, boolean mustGoElsewhere) throws InterruptedException {
    if (deadline.isOver()) {
      throw new MongoOperationTimeoutException("Operation exceeded the timeout limit");
    }
    long until = deadline.earlierNanos(selectionTimeout());
    long checkOutUntil = deadline.isLimited() ? until : Long.MAX_VALUE;
    ChosenServer chosen =
        runner.deployment.await(
            topology -> chooseFrom(topology, state, mustGoElsewhere, checkOutUntil), until);
    if (chosen == null) {
      throw timedOut();
    }
    return chosen;
  }

  private Duration selectionTimeout() {
    Duration clients = runner.settings.serverSelectionTimeout();
    Duration own = operation.selectionTimeout();
    return own != null && (clients.isNegative() || own.compareTo(clients) < 0) ? own : clients;
  }

  private @Nullable ChosenServer chooseFrom(
      TopologyDescription topology, RetryState state, boolean mustGoElsewhere, long checkOutUntil) {
    EffectiveReadPreference preference = EffectiveReadPreference.of(operation.readWish(), topology);
    HostAddress pinned = operation.pinnedTo();
    if (pinned != null) {
      return choosePinned(topology, preference, pinned, checkOutUntil);
    }
    boolean mayTry = mayTry(topology, state);
    while (true) {
      Set<HostAddress> ejected = runner.health.avoid(mayTry);
      SelectionRequest request =
          request(preference, runner.deprioritized.apply(state.deprioritized()), ejected);
      switch (runner.chooser.choose(topology, request)) {
        case Selection.NotYet ignored -> {
          return null;
        }
        case Selection.Impossible never -> throw impossible(topology, never.why());
        case Selection.Chosen chosen -> {
          HostAddress address = chosen.server().address();
          if (mustGoElsewhere && state.tried().contains(address)) {
            throw new MongoClientException("every suitable server has been tried");
          }
          Server server = runner.deployment.server(address);
          if (server == null) {
            return null; // it left the deployment just now; the next description is on its way
          }
          var ticket =
              runner.health.begin(
                  address, operation.commandName(), mayTry, chosen.despiteEjection());
          if (ticket.isPresent()) {
            return new ChosenServer(
                server, chosen.server(), topology.type(), preference, ticket.get(), checkOutUntil);
          }
          // another operation has become this server's trial meanwhile: choose again without it
        }
      }
    }
  }

  private @Nullable ChosenServer choosePinned(
      TopologyDescription topology,
      EffectiveReadPreference preference,
      HostAddress pinned,
      long checkOutUntil) {
    ServerDescription description = topology.servers().get(pinned);
    Server server = runner.deployment.server(pinned);
    if (description == null || server == null) {
      throw new MongoClientException(
          pinned
              + " is no longer part of the deployment, and "
              + operation
              + " can run nowhere else");
    }
    if (description.type().isUnknown()) {
      return null;
    }
    OperationTicket ticket =
        runner
            .health
            .begin(pinned, operation.commandName(), false, true)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "an operation that can go nowhere else is always let through"));
    return new ChosenServer(
        server, description, topology.type(), preference, ticket, checkOutUntil);
  }

  /** Whether a server that was not tried yet could be chosen now, were it only in good health. */
  boolean isFreshServerLeft(Set<HostAddress> tried) {
    TopologyDescription topology = runner.deployment.description();
    EffectiveReadPreference preference = EffectiveReadPreference.of(operation.readWish(), topology);
    return operation.pinnedTo() == null
        && ServerSelector.hasSuitableOutside(
            topology, request(preference, Set.of(), Set.of()), tried);
  }

  private SelectionRequest request(
      EffectiveReadPreference preference,
      Set<HostAddress> deprioritized,
      Set<HostAddress> ejected) {
    return runner.chooser.request(
        runner.routing(), preference, operation.selector(), deprioritized, ejected);
  }

  /**
   * Whether this operation may be a trial of a server that health leaves out: only what can be
   * retried elsewhere is risked.
   */
  private boolean mayTry(TopologyDescription topology, RetryState state) {
    return state.retries() == 0
        && topology.list().size() > 1
        && switch (operation.retry()) {
          case READ -> runner.settings.client().getRetryReads();
          case WRITE -> runner.settings.client().getRetryWrites();
          case READ_ONCE, WRITE_ONCE, COMMAND, COMMIT -> false;
        };
  }

  private MongoException impossible(TopologyDescription topology, String why) {
    return topology.isCompatible()
        ? new MongoClientException(why)
        : new MongoIncompatibleDriverException(why, runner.chooser.publicly(topology));
  }

  private MongoTimeoutException timedOut() {
    TopologyDescription topology = runner.deployment.description();
    EffectiveReadPreference preference = EffectiveReadPreference.of(operation.readWish(), topology);
    HostAddress pinned = operation.pinnedTo();
    String what;
    if (pinned != null) {
      ServerDescription server = topology.servers().get(pinned);
      what = "no connection to " + (server == null ? pinned.toString() : server.summary());
    } else {
      Selection last = runner.chooser.choose(topology, request(preference, Set.of(), Set.of()));
      what =
          last instanceof Selection.NotYet missing
              ? missing.missing()
              : "no server was found in time";
    }
    String message =
        "Timed out while waiting for a server, after "
            + (deadline.isLimited()
                ? "the operation's own timeout"
                : selectionTimeout().toMillis() + " ms")
            + ": "
            + what;
    return deadline.isOver()
        ? new MongoOperationTimeoutException(message)
        : new MongoTimeoutException(message);
  }
}
