// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.deployment.Deployment;
import io.fairlead.cluster.event.CommandEvents;
import io.fairlead.cluster.session.ClusterClock;
import io.fairlead.cluster.session.SessionPool;
import io.fairlead.topology.HostAddress;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Runs operations; holds what all of them share. Any thread may call. */
public final class OperationRunner {
  final ClusterSettings settings;
  final Deployment deployment;
  final ServerChooser chooser;
  final HealthWatch health;
  final SessionPool sessions;
  final ClusterClock clock;
  final CommandEvents events;
  final CommandAssembly assembly;
  final LongSupplier nanoTime;
  final RandomGenerator random;
  final UnaryOperator<Set<HostAddress>> deprioritized;
  private final AtomicLong operationIds = new AtomicLong();
  private volatile Routing routing;

  /**
   * @param deprioritized what becomes of the servers that a retry avoids; the identity, except
   *     where a test shows what the set is good for
   */
  public OperationRunner(
      ClusterSettings settings,
      Deployment deployment,
      ServerChooser chooser,
      HealthWatch health,
      SessionPool sessions,
      ClusterClock clock,
      LongSupplier nanoTime,
      RandomGenerator random,
      UnaryOperator<Set<HostAddress>> deprioritized) {
    this.settings = settings;
    this.deployment = deployment;
    this.chooser = chooser;
    this.health = health;
    this.sessions = sessions;
    this.clock = clock;
    this.events =
        new CommandEvents(
            settings.client().getCommandListeners(),
            settings.client().getLoggerSettings().getMaxDocumentLength());
    this.assembly = new CommandAssembly(settings.client().getServerApi(), clock);
    this.nanoTime = nanoTime;
    this.random = random;
    this.deprioritized = deprioritized;
    this.routing = Routing.of(settings, settings.routing());
  }

  /** Runs one operation to its end; see {@link io.fairlead.cluster.Cluster#execute}. */
  public CommandResult run(Operation operation) {
    Long shared = operation.operationId();
    long id = shared == null ? operationIds.incrementAndGet() : shared;
    return new OperationRun(this, operation, id).toEnd();
  }

  /** The rules in force. */
  public Routing routing() {
    return routing;
  }

  /** Changes the rules from the next selection on. */
  public void route(Routing changed) {
    routing = changed;
  }
}
