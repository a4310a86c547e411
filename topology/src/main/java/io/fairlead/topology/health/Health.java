// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.Words;
import io.fairlead.topology.health.HealthView.State;
import io.fairlead.topology.health.OutcomeWindow.Counts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Passive outlier detection. Operations are announced with {@link #begin} and reported with {@link
 * #end}; what follows from them is who should be avoided ({@link #avoid}) and how much busier than
 * it looks a server is ({@link #allowance}).
 *
 * <p>A server is ejected after 3 faults in a row, or at half of at least 8 outcomes within 10 s;
 * for 5 s, doubling to 60 s. Then one operation that may be retried elsewhere is its trial.
 * Doubtful outcomes count only where the other servers do not show them at a like rate for the same
 * command: a run of them must be less probable than {@value #BY_CHANCE} at the rate of the best
 * other server. An operation that is outstanding for too long is a fault while it waits and stays
 * one when its answer comes.
 *
 * <p>Who is avoided is only a wish: selection ignores it when nobody else is left, and such an
 * operation says so at {@link #begin}.
 *
 * <p>Not thread-safe: the shell guards it with one short lock. {@code nowNanos} never goes
 * backwards; only differences count.
 */
public final class Health {
  private static final double BY_CHANCE = 1e-4;
  private static final int SAMPLES_MIN = 20;
  private static final int OTHERS_OUTCOMES_MIN = 8;
  private static final long SLOW_AT_LEAST_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long SLOW_WITHOUT_PEERS_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int SLOW_TIMES = 10;
  private static final int ALLOWANCES_MAX = 64;

  private final HealthOptions options;
  private final Map<HostAddress, ServerHealth> servers = new HashMap<>();
  private final List<HealthChange> changes = new ArrayList<>();

  public Health(HealthOptions options) {
    this.options = options;
  }

  /** The same memory under other options, as when they are changed while running. */
  public Health with(HealthOptions changed) {
    Health next = new Health(changed);
    servers.forEach((address, server) -> next.servers.put(address, server));
    return next;
  }

  /** Forgets servers that are no longer part of the deployment. */
  public void retain(Collection<HostAddress> known) {
    servers.keySet().retainAll(known);
  }

  /**
   * Servers that an operation should rather not meet.
   *
   * @param mayTry whether the operation may be retried elsewhere, so that it can serve as a trial
   */
  public Set<HostAddress> avoid(boolean mayTry, long nowNanos) {
    if (!options.enabled()) {
      return Set.of();
    }
    Set<HostAddress> avoid = null;
    for (ServerHealth server : servers.values()) {
      if (server.state != State.WELL && !(mayTry && isTrialDue(server, nowNanos))) {
        avoid = avoid == null ? new HashSet<>() : avoid;
        avoid.add(server.server);
      }
    }
    return avoid == null ? Set.of() : avoid;
  }

  /**
   * An operation is about to be sent.
   *
   * @param command its name, such as {@code find}
   * @param mayTry as given to {@link #avoid}
   * @param despiteEjection selection had nobody else
   * @return absent if another operation has become the server's trial meanwhile: select again
   */
  public Optional<OperationTicket> begin(
      HostAddress address, String command, boolean mayTry, boolean despiteEjection, long nowNanos) {
    ServerHealth server = server(address);
    boolean trial = false;
    if (options.enabled() && server.state != State.WELL) {
      trial = mayTry && isTrialDue(server, nowNanos);
      if (!trial && !despiteEjection) {
        return Optional.empty();
      }
      if (trial) {
        server.state = State.ON_TRIAL;
        changes.add(new HealthChange.TrialStarted(address));
      }
    }
    OperationTicket ticket =
        new OperationTicket(address, command, nowNanos, trial, despiteEjection);
    server.outstanding.add(ticket);
    return Optional.of(ticket);
  }

  /** An operation is over. */
  public void end(OperationTicket ticket, Outcome outcome, long nowNanos) {
    ServerHealth server = servers.get(ticket.server);
    if (server == null || !server.outstanding.remove(ticket)) {
      return; // the server has left the deployment meanwhile
    }
    if (ticket.countedAsSlow) {
      return; // a fault while it waited, and it stays one
    }
    switch (outcome) {
      case Outcome.Abandoned ignored -> afterNothing(server, ticket);
      case Outcome.Good ignored -> {
        server.durations(ticket.command).add(nowNanos - ticket.startNanos);
        afterGood(server, ticket, nowNanos);
      }
      case Outcome.Failed failed -> afterFailure(server, ticket, failed, nowNanos);
    }
  }

  private void afterFailure(
      ServerHealth server, OperationTicket ticket, Outcome.Failed failed, long nowNanos) {
    switch (failed.kind()) {
      case APPLICATION -> afterGood(server, ticket, nowNanos);
      case STATE_CHANGE, OVERLOADED -> afterNothing(server, ticket);
      case FAULT -> {
        allowForFastFailure(server, ticket, nowNanos);
        boolean sameBreak =
            failed.generation() != Outcome.Failed.NO_GENERATION
                && failed.generation() == server.lastBrokenGeneration;
        server.lastBrokenGeneration = failed.generation();
        if (sameBreak && !ticket.trial) {
          return;
        }
        afterFault(server, ticket, "a fault in " + ticket.command, nowNanos);
      }
      case DOUBTFUL -> {
        allowForFastFailure(server, ticket, nowNanos);
        afterDoubtful(server, ticket, nowNanos);
      }
    }
  }

  /** Neither for nor against the server; a trial is still owed. */
  private void afterNothing(ServerHealth server, OperationTicket ticket) {
    if (ticket.trial && server.state == State.ON_TRIAL) {
      server.state = State.TRIAL_DUE;
    }
  }

  private void afterGood(ServerHealth server, OperationTicket ticket, long nowNanos) {
    server.window(ticket.command).addGood(nowNanos);
    server.faultsInARow = 0;
    server.doubtfulInARow = 0;
    if (server.state == State.ON_TRIAL && ticket.trial) {
      returns(server, "the trial went well", nowNanos);
    } else if (server.state != State.WELL && ticket.despiteEjection) {
      returns(server, "it answered well when nobody else was left", nowNanos);
    }
  }

  private void returns(ServerHealth server, String because, long nowNanos) {
    server.state = State.WELL;
    server.returnedAtNanos = nowNanos;
    server.forgetOutcomes();
    changes.add(new HealthChange.Returned(server.server, because));
  }

  private void afterFault(ServerHealth server, OperationTicket ticket, String what, long nowNanos) {
    server.window(ticket.command).addFault(nowNanos);
    server.faultsInARow++;
    if (ticket.trial && server.state == State.ON_TRIAL) {
      eject(server, "the trial failed: " + what, nowNanos);
    } else {
      judge(server, ticket, what, nowNanos);
    }
  }

  private void afterDoubtful(ServerHealth server, OperationTicket ticket, long nowNanos) {
    server.window(ticket.command).addDoubtful(nowNanos);
    server.doubtfulInARow++;
    if (ticket.trial && server.state == State.ON_TRIAL) {
      if (rateOfBestOther(server, ticket.command, nowNanos) < 0.5) {
        eject(server, "the trial failed like none elsewhere", nowNanos);
      } else {
        returns(server, "the others fail in the same way", nowNanos);
      }
    } else {
      judge(server, ticket, "failures of " + ticket.command + " that others don't show", nowNanos);
    }
  }

  private void judge(ServerHealth server, OperationTicket ticket, String what, long nowNanos) {
    if (server.state != State.WELL || !options.enabled()) {
      return;
    }
    double others = rateOfBestOther(server, ticket.command, nowNanos);
    int run = server.faultsInARow;
    if (server.doubtfulInARow > 0 && Math.pow(others, server.doubtfulInARow) <= BY_CHANCE) {
      run += server.doubtfulInARow;
    }
    if (run >= options.consecutiveFaults()) {
      eject(server, run + " in a row, the last " + what, nowNanos);
      return;
    }
    Counts counts = server.counts(nowNanos);
    int against = counts.faults();
    Counts ofCommand = server.counts(ticket.command, nowNanos);
    if (ofCommand.doubtful() > 0 && others < ofCommand.doubtfulRate() / 2) {
      against += ofCommand.doubtful();
    }
    int total = counts.total();
    if (total >= options.outcomesMin() && against * 100L >= (long) total * options.faultPercent()) {
      eject(server, against + " of the last " + total + ", the last " + what, nowNanos);
    }
  }

  /**
   * The least rate of doubtful outcomes that another server shows for this command; 1 if none can
   * be compared with.
   */
  private double rateOfBestOther(ServerHealth server, String command, long nowNanos) {
    double best = 1;
    for (ServerHealth other : servers.values()) {
      if (other != server) {
        Counts counts = other.counts(command, nowNanos);
        if (counts.total() >= OTHERS_OUTCOMES_MIN) {
          best = Math.min(best, counts.doubtfulRate());
        }
      }
    }
    return best;
  }

  private void eject(ServerHealth server, String because, long nowNanos) {
    boolean longWell =
        server.ejections > 0
            && server.state == State.WELL
            && nowNanos - server.returnedAtNanos > options.ejectionMax().toNanos();
    if (longWell) {
      server.ejectionsInARow = 0;
    }
    long length = options.ejection().toNanos();
    for (int i = 0; i < server.ejectionsInARow && length < options.ejectionMax().toNanos(); i++) {
      length *= 2;
    }
    length = Math.min(length, options.ejectionMax().toNanos());
    server.ejectionsInARow++;
    server.ejections++;
    server.state = State.EJECTED;
    server.because = because;
    server.ejectedUntilNanos = nowNanos + length;
    server.faultsInARow = 0;
    server.doubtfulInARow = 0;
    changes.add(new HealthChange.Ejected(server.server, Duration.ofNanos(length), because));
  }

  private static boolean isTrialDue(ServerHealth server, long nowNanos) {
    return switch (server.state) {
      case WELL, ON_TRIAL -> false;
      case TRIAL_DUE -> true;
      case EJECTED -> nowNanos - server.ejectedUntilNanos >= 0;
    };
  }

  /**
   * A fast failure must not attract traffic: it counts as in progress for as long as its peers need
   * for the like.
   */
  private void allowForFastFailure(ServerHealth server, OperationTicket ticket, long nowNanos) {
    long[] peers = durationsElsewhere(server, ticket.command);
    if (peers.length == 0) {
      return;
    }
    long until = ticket.startNanos + peers[peers.length / 2];
    if (until - nowNanos > 0 && server.allowances(nowNanos) < ALLOWANCES_MAX) {
      server.allowUntil(until, nowNanos);
    }
  }

  /** So many operations more than there are in progress, for failures that came too fast. */
  public int allowance(HostAddress address, long nowNanos) {
    ServerHealth server = servers.get(address);
    return server == null ? 0 : server.allowances(nowNanos);
  }

  /**
   * Looks for operations that have been outstanding for too long. To be called several times a
   * second while any are outstanding.
   */
  public void tick(long nowNanos) {
    for (ServerHealth server : servers.values()) {
      List<OperationTicket> slow = new ArrayList<>();
      for (OperationTicket ticket : server.outstanding) {
        long age = nowNanos - ticket.startNanos;
        if (age < SLOW_AT_LEAST_NANOS) {
          break; // the younger ones wait even shorter
        }
        if (!ticket.countedAsSlow && age > slowAfterNanos(server, ticket.command)) {
          slow.add(ticket);
        }
      }
      for (OperationTicket ticket : slow) {
        ticket.countedAsSlow = true;
        String waited = Words.duration(Duration.ofNanos(nowNanos - ticket.startNanos));
        afterFault(server, ticket, ticket.command + " without an answer for " + waited, nowNanos);
      }
    }
  }

  private long slowAfterNanos(ServerHealth server, String command) {
    long[] peers = durationsElsewhere(server, command);
    if (peers.length < SAMPLES_MIN) {
      return SLOW_WITHOUT_PEERS_NANOS;
    }
    long p99 = peers[(int) Math.min(peers.length - 1L, Math.round(peers.length * 0.99))];
    return Math.max(SLOW_AT_LEAST_NANOS, SLOW_TIMES * p99);
  }

  /** Sorted. */
  private long[] durationsElsewhere(ServerHealth server, String command) {
    long[] all = new long[0];
    for (ServerHealth other : servers.values()) {
      if (other != server) {
        long[] more = other.durations(command).copy();
        int length = all.length;
        all = Arrays.copyOf(all, length + more.length);
        System.arraycopy(more, 0, all, length, more.length);
      }
    }
    Arrays.sort(all);
    return all;
  }

  /** What has changed since the last call, in order. */
  public List<HealthChange> takeChanges() {
    if (changes.isEmpty()) {
      return List.of();
    }
    List<HealthChange> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }

  public HealthView view(long nowNanos) {
    Map<HostAddress, HealthView.Server> views = new HashMap<>();
    for (ServerHealth server : servers.values()) {
      boolean due = server.state == State.EJECTED && isTrialDue(server, nowNanos);
      State state = due ? State.TRIAL_DUE : server.state;
      Duration remaining =
          state == State.EJECTED
              ? Duration.ofNanos(server.ejectedUntilNanos - nowNanos)
              : Duration.ZERO;
      Counts counts = server.counts(nowNanos);
      views.put(
          server.server,
          new HealthView.Server(
              state,
              server.because,
              remaining,
              counts.good(),
              counts.faults(),
              counts.doubtful(),
              server.outstanding.size(),
              server.ejections));
    }
    return new HealthView(views);
  }

  private ServerHealth server(HostAddress address) {
    return servers.computeIfAbsent(
        address, each -> new ServerHealth(each, options.window().toNanos()));
  }
}
