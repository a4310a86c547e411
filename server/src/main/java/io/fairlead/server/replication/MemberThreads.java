// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Short-lived virtual threads of one member, ended with it. */
final class MemberThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberThreads.class);

  private final String name;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Whoever is added is started before anybody waits for it. */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile boolean closed;

  MemberThreads(String name) {
    this.name = name;
  }

  /** Runs something on a thread of its own; nothing once this is closed. */
  void start(String purpose, Runnable what) {
    Thread thread =
        Thread.ofVirtual()
            .name("fairlead-" + name + "-" + purpose)
            .unstarted(() -> run(purpose, what));
    lock.lock();
    try {
      if (!closed) {
        threads.add(thread);
        thread.start();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run(String purpose, Runnable what) {
    try {
      what.run();
    } catch (RuntimeException failure) {
      LOG.error("[{}] {} failed", name, purpose, failure);
    } finally {
      threads.remove(Thread.currentThread());
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Starts no more. */
  void stop() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Interrupts those that run and waits for them, for each five seconds at most. */
  @Override
  public void close() {
    stop();
    for (Thread thread : threads) {
      thread.interrupt();
      try {
        thread.join(Duration.ofSeconds(5));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
