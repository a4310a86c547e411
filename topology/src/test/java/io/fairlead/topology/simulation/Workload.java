// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.simulation;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.Topologies;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.health.Health;
import io.fairlead.topology.health.HealthOptions;
import io.fairlead.topology.health.OperationTicket;
import io.fairlead.topology.health.Outcome;
import io.fairlead.topology.retry.Failure;
import io.fairlead.topology.retry.FaultKind;
import io.fairlead.topology.retry.RetryDecision;
import io.fairlead.topology.retry.RetryOptions;
import io.fairlead.topology.retry.RetryPolicy;
import io.fairlead.topology.retry.RetryState;
import io.fairlead.topology.retry.Retryability;
import io.fairlead.topology.selection.Selection;
import io.fairlead.topology.selection.SelectionRequest;
import io.fairlead.topology.selection.ServerSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Eight callers in a closed loop, reads and writes in turn, against three mongoses of which some
 * are sick. A pure client: what it decides is what {@code cluster} decides, with the same calls.
 */
final class Workload {
  private static final int CALLERS = 8;
  private static final long MILLI = 1_000_000;
  private static final long TICK = 100 * MILLI;

  /** How a sick mongos behaves: after this long, this failure; null: it answers well, only late. */
  record Sickness(Duration after, @Nullable Failure failure) {}

  /** What came of a phase. */
  record Figures(
      int operations,
      int failed,
      int attempts,
      Map<HostAddress, Integer> attemptsAt,
      Duration p99,
      Duration took) {
    double shareAt(Set<HostAddress> servers) {
      int sent =
          attemptsAt.entrySet().stream()
              .filter(each -> servers.contains(each.getKey()))
              .mapToInt(Map.Entry::getValue)
              .sum();
      return (double) sent / operations;
    }
  }

  private final TopologyDescription topology = Topologies.mongoses(3);
  private final Health health;
  private final RetryPolicy retries;
  private final Duration healthy;
  private final Random random;
  private final Map<HostAddress, Integer> inProgress = new HashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private long now;
  private long order;

  private record Event(long at, long order, Runnable action) {}

  Workload(Duration healthy, boolean retryServerFaults, boolean withHealth, long seed) {
    this.healthy = healthy;
    this.health = new Health(withHealth ? HealthOptions.DEFAULT : HealthOptions.disabled());
    this.retries = new RetryPolicy(RetryOptions.DEFAULT.withRetryServerFaults(retryServerFaults));
    this.random = new Random(seed);
  }

  /** Runs so many operations while these are sick. */
  Figures run(int operations, Map<HostAddress, Sickness> sick) {
    Phase phase = new Phase(operations, sick);
    long begin = now;
    at(now + TICK, () -> tick(phase));
    for (int i = 0; i < CALLERS; i++) {
      at(now, phase::next);
    }
    while (phase.done < operations) {
      Event event = events.remove();
      now = event.at();
      event.action().run();
    }
    return phase.figures(Duration.ofNanos(now - begin));
  }

  /** Nothing is asked for a while. */
  void pause(Duration time) {
    now += time.toNanos();
  }

  private void at(long time, Runnable action) {
    events.add(new Event(time, order++, action));
  }

  private void tick(Phase phase) {
    health.tick(now);
    if (phase.done < phase.operations) {
      at(now + TICK, () -> tick(phase));
    }
  }

  /** The operations of one phase. */
  private final class Phase {
    private final int operations;
    private final Map<HostAddress, Sickness> sick;
    private final Map<HostAddress, Integer> attemptsAt = new HashMap<>();
    private final List<Long> latencies = new ArrayList<>();
    private int begun;
    private int done;
    private int failed;
    private int attempts;

    private Phase(int operations, Map<HostAddress, Sickness> sick) {
      this.operations = operations;
      this.sick = sick;
    }

    private void next() {
      if (begun < operations) {
        begun++;
        attempt(
            begun % 2 == 0 ? Retryability.READ : Retryability.WRITE,
            RetryState.FRESH,
            now,
            Set.of());
      }
    }

    private void attempt(
        Retryability kind, RetryState state, long start, Set<HostAddress> onlyOutside) {
      SelectionRequest request =
          SelectionRequest.write()
              .deprioritizing(state.deprioritized())
              .ejecting(health.avoid(true, now));
      Selection.Chosen chosen =
          (Selection.Chosen)
              ServerSelector.select(
                  topology,
                  request,
                  server -> inProgress.getOrDefault(server, 0) + health.allowance(server, now),
                  random);
      HostAddress server = chosen.server().address();
      if (onlyOutside.contains(server)) {
        end(start, false);
        return;
      }
      String command = kind == Retryability.READ ? "find" : "insert";
      Optional<OperationTicket> ticket =
          health.begin(server, command, true, chosen.despiteEjection(), now);
      if (ticket.isEmpty()) {
        attempt(
            kind, state, start, onlyOutside); // somebody else has become the trial: select again
        return;
      }
      attempts++;
      attemptsAt.merge(server, 1, Integer::sum);
      inProgress.merge(server, 1, Integer::sum);
      Sickness sickness = sick.get(server);
      Duration takes = sickness == null ? jittered() : sickness.after();
      Failure failure = sickness == null ? null : sickness.failure();
      at(now + takes.toNanos(), () -> answered(ticket.get(), failure, kind, state, start));
    }

    private Duration jittered() {
      return Duration.ofNanos((long) (healthy.toNanos() * (0.8 + 0.4 * random.nextDouble())));
    }

    private void answered(
        OperationTicket ticket,
        @Nullable Failure failure,
        Retryability kind,
        RetryState state,
        long start) {
      inProgress.merge(ticket.server(), -1, Integer::sum);
      if (failure == null) {
        health.end(ticket, Outcome.GOOD, now);
        end(start, true);
        return;
      }
      health.end(ticket, Outcome.failed(FaultKind.of(failure, TopologyType.SHARDED)), now);
      RetryDecision decision =
          retries.decide(
              state,
              new RetryPolicy.Attempt(
                  ticket.server(), failure, kind, TopologyType.SHARDED, 25, false),
              tried -> ServerSelector.hasSuitableOutside(topology, SelectionRequest.write(), tried),
              random);
      switch (decision) {
        case RetryDecision.GiveUp ignored -> end(start, false);
        case RetryDecision.Retry retry ->
            attempt(
                kind,
                retry.next(),
                start,
                retry.mustGoElsewhere() ? Set.copyOf(retry.next().tried()) : Set.of());
      }
    }

    private void end(long start, boolean good) {
      done++;
      failed += good ? 0 : 1;
      latencies.add(now - start);
      next();
    }

    private Figures figures(Duration took) {
      Collections.sort(latencies);
      long p99 = latencies.get((int) (latencies.size() * 0.99));
      return new Figures(
          done, failed, attempts, Map.copyOf(attemptsAt), Duration.ofNanos(p99), took);
    }
  }
}
