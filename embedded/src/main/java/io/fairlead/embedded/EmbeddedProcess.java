// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.wire.failpoint.FailPoints;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A member or a router of a cluster, and what may be done to either: it is killed and started
 * again, pauses, and answers late. Any thread may call; orders to end and start are taken one after
 * the other.
 *
 * @param <P> what runs
 */
abstract sealed class EmbeddedProcess<P> implements AutoCloseable
    permits EmbeddedMember, EmbeddedRouter {
  private final String name;
  private final String address;
  final Whims whims;
  private final ReentrantLock orders = new ReentrantLock();
  private volatile @Nullable P running;

  EmbeddedProcess(String name, String address, Whims whims) {
    this.name = name;
    this.address = address;
    this.whims = whims;
  }

  /** Starts what runs. Under the orders' lock. */
  abstract P launch();

  /** Ends it at once, with all its connections. Under the orders' lock. */
  abstract void end(P process);

  /** What is left to do when it is closed for good. Under the orders' lock. */
  abstract void afterwards();

  abstract FailPoints failPoints(P process);

  void start() {
    orders.lock();
    try {
      if (running == null) {
        running = launch();
      }
    } finally {
      orders.unlock();
    }
  }

  /** {@code rs0-1} for the second member of the set rs0, {@code router-0} for the first router. */
  public String name() {
    return name;
  }

  /** {@code host:port}. */
  public String address() {
    return address;
  }

  public boolean isRunning() {
    return running != null;
  }

  /**
   * Ends it at once, with all its connections, as if its process had died. A member's data is kept
   * for {@link #restart()}.
   */
  public void kill() {
    orders.lock();
    try {
      P process = running;
      if (process != null) {
        running = null;
        end(process);
      }
    } finally {
      orders.unlock();
    }
  }

  /** Starts it again at its address, a member on its data; kills it first when it runs. */
  public void restart() {
    orders.lock();
    try {
      kill();
      whims.resume();
      start();
    } finally {
      orders.unlock();
    }
  }

  /**
   * It goes on accepting connections and requests, and answers none, and says nothing of its own
   * accord, until {@link #resume()}.
   */
  public void pause() {
    whims.pause();
  }

  public void resume() {
    whims.resume();
  }

  /**
   * Answers to clients take that much longer from now on, as if it were far away; the members of a
   * set are as near to each other as before.
   */
  public void delay(Duration duration) {
    whims.delay(duration);
  }

  /**
   * Sets a fail point.
   *
   * @param command {@code {configureFailPoint: "failCommand", mode: …, data: {…}}}
   */
  public void failPoint(BsonDocument command) {
    failPoints(running()).configure(command);
  }

  /** How often clients, not other members, have asked it for that command since it was made. */
  public long commandsServed(String command) {
    return whims.served(command);
  }

  /** What runs now; null while it is killed. */
  final @Nullable P runningNow() {
    return running;
  }

  /**
   * What runs.
   *
   * @throws IllegalStateException while it is killed
   */
  final P running() {
    P process = running;
    if (process == null) {
      throw new IllegalStateException(name + " does not run");
    }
    return process;
  }

  /** Ends it for good. */
  @Override
  public void close() {
    whims.resume();
    orders.lock();
    try {
      kill();
      afterwards();
    } finally {
      orders.unlock();
    }
  }
}
