// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import io.fairlead.cluster.Threads;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.health.Health;
import io.fairlead.topology.health.HealthChange;
import io.fairlead.topology.health.HealthOptions;
import io.fairlead.topology.health.HealthView;
import io.fairlead.topology.health.OperationTicket;
import io.fairlead.topology.health.Outcome;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Health's shell: one short lock around the pure core, a clock, and a thread that looks for
 * operations which are outstanding for too long. The thread sleeps while nothing is outstanding.
 * What changes is logged, one line each.
 */
public final class HealthWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String name;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition busy = lock.newCondition();
  private final Thread ticker;
  private Health health;
  private int outstanding;
  private boolean asleep;
  private boolean closed;

  /** Assembles the watch; {@link #start} starts it. */
  public HealthWatch(String name, HealthOptions options, LongSupplier nanoTime) {
    this.name = name;
    this.nanoTime = nanoTime;
    this.health = new Health(options);
    this.ticker = Thread.ofVirtual().name("fairlead-health-" + name).unstarted(this::run);
  }

  public void start() {
    ticker.start();
  }

  /** Goes on with other options and the same memory. */
  public void configure(HealthOptions options) {
    lock.lock();
    try {
      health = health.with(options);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets servers that have left the deployment. */
  public void retain(Collection<HostAddress> known) {
    lock.lock();
    try {
      health.retain(known);
    } finally {
      lock.unlock();
    }
  }

  Set<HostAddress> avoid(boolean mayTry) {
    lock.lock();
    try {
      return health.avoid(mayTry, nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Operations that failed too fast, as many as still count as in progress. */
  int allowance(HostAddress server) {
    lock.lock();
    try {
      return health.allowance(server, nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  Optional<OperationTicket> begin(
      HostAddress server, String command, boolean mayTry, boolean despiteEjection) {
    List<HealthChange> changes;
    Optional<OperationTicket> ticket;
    lock.lock();
    try {
      ticket = health.begin(server, command, mayTry, despiteEjection, nanoTime.getAsLong());
      if (ticket.isPresent()) {
        outstanding++;
        if (asleep) {
          asleep = false;
          busy.signal();
        }
      }
      changes = health.takeChanges();
    } finally {
      lock.unlock();
    }
    tell(changes);
    return ticket;
  }

  void end(OperationTicket ticket, Outcome outcome) {
    List<HealthChange> changes;
    lock.lock();
    try {
      outstanding--;
      health.end(ticket, outcome, nanoTime.getAsLong());
      changes = health.takeChanges();
    } finally {
      lock.unlock();
    }
    tell(changes);
  }

  /** Everything about the servers' health now. */
  public HealthView view() {
    lock.lock();
    try {
      return health.view(nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      busy.signalAll();
    } finally {
      lock.unlock();
    }
    Threads.joinBriefly(ticker);
  }

  private void run() {
    while (true) {
      List<HealthChange> changes;
      lock.lock();
      try {
        while (!closed && outstanding == 0) {
          asleep = true;
          busy.awaitUninterruptibly();
        }
        asleep = false;
        if (closed || !nap()) {
          return;
        }
        health.tick(nanoTime.getAsLong());
        changes = health.takeChanges();
      } finally {
        lock.unlock();
      }
      tell(changes);
    }
  }

  /**
   * Gives the lock away for one tick.
   *
   * @return false when the watch was closed
   */
  private boolean nap() {
    long until = System.nanoTime() + TICK_NANOS;
    try {
      for (long left = TICK_NANOS; !closed && left > 0; left = until - System.nanoTime()) {
        busy.awaitNanos(left);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !closed;
  }

  private void tell(List<HealthChange> changes) {
    for (HealthChange change : changes) {
      switch (change) {
        case HealthChange.Ejected out ->
            LOG.warn(
                "[{}] {} is left out for {} ms: {}",
                name,
                out.server(),
                out.length().toMillis(),
                out.because());
        case HealthChange.TrialStarted trial ->
            LOG.debug("[{}] {} is tried by one operation", name, trial.server());
        case HealthChange.Returned back ->
            LOG.info("[{}] {} is back: {}", name, back.server(), back.because());
      }
    }
  }
}
