// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collection.WriteGuard;
import io.fairlead.engine.context.OperationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A write that takes its turn on each collection and keeps it until its commit. Turns are taken in
 * any order, so a second one is waited for only briefly: two writes that wait for each other both
 * go back soon, and come again one after the other. The commit lock stands in for the turns on the
 * commit participant's collections.
 */
final class LockedAccess implements Access, WriteGuard {
  private static final long SECOND_WAIT_NANOS = 20_000_000;

  /** How often a write that waits for its turn looks whether it is to go on. */
  private static final long LOOK_EVERY_NANOS = 50_000_000;

  private final StoreEngine engine;
  private final OperationContext.Interrupt interrupt;
  private final long start;
  private final long resets;
  private final List<Namespace> entered = new ArrayList<>(2);
  private final List<ReentrantLock> held = new ArrayList<>(2);

  LockedAccess(StoreEngine engine, OperationContext.Interrupt interrupt, long start) {
    this.engine = engine;
    this.interrupt = interrupt;
    this.start = start;
    this.resets = engine.resets();
  }

  @Override
  public void enter(Namespace namespace) {
    if (entered.contains(namespace)) {
      return;
    }
    entered.add(namespace);
    long wait = Math.max(0, engine.remainingNanos(start));
    if (!held.isEmpty()) {
      wait = Math.min(wait, SECOND_WAIT_NANOS);
    }
    try {
      ReentrantLock lock;
      if (engine.isOwned(namespace)) {
        lock = takeCommitLock(wait);
      } else {
        lock = takeTurn(namespace, wait);
      }
      if (lock == null) {
        entered.remove(namespace);
        throw StoreEngine.writeConflict("no turn on " + namespace);
      }
      held.add(lock);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new io.fairlead.engine.error.EngineException(11601, "operation was interrupted");
    }
  }

  private @org.jspecify.annotations.Nullable ReentrantLock takeTurn(Namespace namespace, long wait)
      throws InterruptedException {
    long left = wait;
    ReentrantLock lock = engine.turns().take(namespace, Math.min(left, LOOK_EVERY_NANOS));
    while (lock == null && left > LOOK_EVERY_NANOS) {
      interrupt.check();
      left -= LOOK_EVERY_NANOS;
      lock = engine.turns().take(namespace, Math.min(left, LOOK_EVERY_NANOS));
    }
    return lock;
  }

  private @org.jspecify.annotations.Nullable ReentrantLock takeCommitLock(long wait)
      throws InterruptedException {
    ReentrantLock lock = engine.commitLock();
    if (held.contains(lock)) {
      // another of the participant's collections in the same write: held twice, released twice
      lock.lock();
      return lock;
    }
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "a write to the commit participant's collections within another");
    }
    return lock.tryLock() || lock.tryLock(wait, java.util.concurrent.TimeUnit.NANOSECONDS)
        ? lock
        : null;
  }

  void release() {
    for (int i = held.size() - 1; i >= 0; i--) {
      held.get(i).unlock();
    }
    held.clear();
  }

  long resets() {
    return resets;
  }

  @Override
  public Root root() {
    return engine.root();
  }

  @Override
  public WriteGuard guard(Namespace namespace) {
    return this;
  }

  @Override
  public void record(UUID collection, byte[] record) {
    check(collection, "", record);
  }

  @Override
  public void uniqueKey(UUID collection, String index, byte[] key) {
    check(collection, index, key);
  }

  private void check(UUID collection, String index, byte[] key) {
    if (!engine.claims().isEmpty()
        && engine.claims().owner(new Claims.Claim(collection, index, key)) != null) {
      throw StoreEngine.writeConflict("an open transaction has written it");
    }
  }
}
