// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to write to a collection: a lock for each name. A turn lasts from a write's
 * first look to its commit.
 *
 * <p>Names come and go with their collections, so when there are many locks, those that nobody
 * holds are retired: taken, marked and forgotten, in this order. Whoever gets a lock that is marked
 * has waited for one that is no longer its name's and asks again. A lock that is held is never
 * retired, so a name has one holder at most.
 */
final class Turns {
  private static final int KEPT = 1024;

  private final ConcurrentHashMap<Namespace, Turn> turns = new ConcurrentHashMap<>();
  private final int kept;

  /** With more locks than that, those that nobody holds go. */
  private volatile int most;

  @SuppressWarnings("serial") // never serialized
  private static final class Turn extends ReentrantLock {
    /** Whether this is no longer the lock of its name; read and written by its holder. */
    private boolean retired;
  }

  Turns() {
    this(KEPT);
  }

  /**
   * @param kept so many locks are kept however few of them are held
   */
  Turns(int kept) {
    this.kept = kept;
    this.most = kept;
  }

  /**
   * Takes the turn at a name.
   *
   * @return the lock, held; or null when the time ran out
   * @throws IllegalStateException when this thread has that turn in another write: a write within a
   *     write
   */
  @Nullable ReentrantLock take(Namespace namespace, long nanos) throws InterruptedException {
    while (true) {
      Turn turn = turns.get(namespace);
      if (turn == null) {
        turn = turns.computeIfAbsent(namespace, name -> new Turn());
        retireIfMany();
      }
      if (turn.isHeldByCurrentThread()) {
        throw new IllegalStateException("a write to " + namespace + " within a write to it");
      }
      if (!turn.tryLock() && !turn.tryLock(nanos, TimeUnit.NANOSECONDS)) {
        return null;
      }
      if (!turn.retired) {
        return turn;
      }
      turn.unlock();
    }
  }

  private void retireIfMany() {
    if (turns.size() > most) {
      turns.forEach(this::retire);
      // As many again may come before the next look, also when most of these are held.
      most = Math.max(kept, 2 * turns.size());
    }
  }

  private void retire(Namespace namespace, Turn turn) {
    if (!turn.isHeldByCurrentThread() && turn.tryLock()) {
      turn.retired = true;
      turns.remove(namespace, turn);
      turn.unlock();
    }
  }

  /** How many locks there are. */
  int size() {
    return turns.size();
  }
}
