// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.router.Router;
import io.fairlead.router.RouterSettings;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** One router of a cluster, and what may be done to it. Any thread may call. */
public final class EmbeddedRouter implements AutoCloseable {
  private final String name;
  private final String address;
  private final RouterSettings settings;
  private final Whims whims = new Whims();
  private final ReentrantLock orders = new ReentrantLock();
  private volatile @Nullable Router router;

  EmbeddedRouter(String name, String address, RouterSettings settings) {
    this.name = name;
    this.address = address;
    this.settings = settings.withServices(whims::before);
  }

  void start() {
    orders.lock();
    try {
      if (router == null) {
        router = Router.start(settings);
      }
    } finally {
      orders.unlock();
    }
  }

  /** {@code router-0} for the first. */
  public String name() {
    return name;
  }

  /** {@code host:port}. */
  public String address() {
    return address;
  }

  /** Connects to this router alone. */
  public String connectionString() {
    return "mongodb://" + address + "/";
  }

  public boolean isRunning() {
    return router != null;
  }

  /** Ends it at once, with all its connections. */
  public void kill() {
    orders.lock();
    try {
      Router running = router;
      if (running != null) {
        router = null;
        running.close();
      }
    } finally {
      orders.unlock();
    }
  }

  /** Starts it again at its address; kills it first when it runs. */
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

  /** It goes on accepting connections and requests and answers none until {@link #resume()}. */
  public void pause() {
    whims.pause();
  }

  public void resume() {
    whims.resume();
  }

  /** Answers take that much longer from now on. */
  public void delay(Duration duration) {
    whims.delay(duration);
  }

  /**
   * Sets a fail point.
   *
   * @param command {@code {configureFailPoint: "failCommand", mode: …, data: {…}}}
   */
  public void failPoint(BsonDocument command) {
    router().failPoints().configure(command);
  }

  /** How often clients have asked this router for that command since it was made. */
  public long commandsServed(String command) {
    return whims.served(command);
  }

  /** The router behind it. */
  public Router router() {
    Router running = router;
    if (running == null) {
      throw new IllegalStateException(name + " does not run");
    }
    return running;
  }

  @Override
  public void close() {
    whims.resume();
    kill();
  }
}
