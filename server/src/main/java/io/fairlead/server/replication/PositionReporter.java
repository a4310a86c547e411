// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the sync source how far this member and those behind it are, when no fetch does: a fetch
 * carries the positions of its moment. One virtual thread; the other methods may come from any.
 */
final class PositionReporter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PositionReporter.class);

  private final String name;
  private final Duration timeout;
  private final LogPuller.Host host;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // under lock
  private @Nullable Integer source;
  private boolean due;
  private boolean closed;

  /** What the source knows of positions, or is about to be told by the next fetch. */
  private volatile Map<Integer, OpTime> told = Map.of();

  PositionReporter(String name, Duration timeout, LogPuller.Host host) {
    this.name = name;
    this.timeout = timeout;
    this.host = host;
    this.thread = Thread.ofVirtual().name("fairlead-" + name + "-report").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void follow(int member) {
    change(() -> source = member);
  }

  void stop() {
    change(() -> source = null);
  }

  /** Tells the source the positions, unless a fetch has told it, or is about to. */
  void reportSoon() {
    if (!positions().equals(told)) {
      change(() -> due = true);
    }
  }

  /** The positions, for a fetch that takes them along at once. */
  Map<Integer, OpTime> toTellNow() {
    Map<Integer, OpTime> positions = positions();
    told = positions;
    reportSoon(); // what has been recorded since it was read must not wait for the next fetch
    return positions;
  }

  /** The next fetch follows at once, and tells that this member is there. */
  void willTell(OpTime end) {
    Map<Integer, OpTime> soon = new HashMap<>(told);
    soon.put(host.state().selfId(), end);
    told = soon;
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (true) {
        Integer member = awaitReport();
        if (member == null) {
          return;
        }
        tell(member);
      }
    } catch (InterruptedException e) {
      LOG.debug("[{}] stopped reporting", name); // only close() interrupts
    }
  }

  private @Nullable Integer awaitReport() throws InterruptedException {
    lock.lock();
    try {
      while (!closed && (!due || source == null)) {
        changed.await();
      }
      due = false;
      return closed ? null : source;
    } finally {
      lock.unlock();
    }
  }

  private void tell(int member) {
    Map<Integer, OpTime> positions = positions();
    told = positions;
    try {
      host.linkTo(member).call(PeerMessages.positions(host.state().setName(), positions), timeout);
    } catch (WireException | PeerRefusedException | IllegalStateException failure) {
      // The next heartbeat tells it as well, or the next report.
      told = Map.of();
      LOG.debug(
          "[{}] could not tell member {} the position: {}", name, member, failure.getMessage());
    }
  }

  /** How far this member is, and those that it has heard of. */
  private Map<Integer, OpTime> positions() {
    ReplicaState state = host.state();
    Map<Integer, OpTime> positions = new HashMap<>();
    state.peers().forEach((id, peer) -> positions.put(id, peer.applied()));
    positions.put(state.selfId(), host.lastRecorded());
    return positions;
  }

  /** Stops the thread and waits for it. */
  @Override
  public void close() {
    change(() -> closed = true);
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
