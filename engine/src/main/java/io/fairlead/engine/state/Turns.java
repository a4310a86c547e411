// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Namespace;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whose turn it is to write to a collection: a lock for each name. A turn lasts from a write's
 * first look to its commit.
 */
final class Turns {
  private final ConcurrentHashMap<Namespace, ReentrantLock> locks = new ConcurrentHashMap<>();

  /**
   * Takes the turn at a name.
   *
   * @return the lock, held; or null when the time ran out
   * @throws IllegalStateException when this thread has that turn in another write: a write within a
   *     write
   */
  @org.jspecify.annotations.Nullable
  ReentrantLock take(Namespace namespace, long nanos) throws InterruptedException {
    ReentrantLock known = locks.get(namespace);
    ReentrantLock lock =
        known != null ? known : locks.computeIfAbsent(namespace, name -> new ReentrantLock());
    if (lock.isHeldByCurrentThread()) {
      throw new IllegalStateException("a write to " + namespace + " within a write to it");
    }
    return lock.tryLock() || lock.tryLock(nanos, TimeUnit.NANOSECONDS) ? lock : null;
  }
}
