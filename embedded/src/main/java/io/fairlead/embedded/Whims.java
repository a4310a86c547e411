// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.wire.listener.ClientConnection;
import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.Replies;
import io.fairlead.wire.listener.ServiceFactory;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.Message;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What a server does to those who talk to it, put before its real services: it answers later (to
 * clients, not to its peers), or not at all while it is paused. Counts what clients asked for. Any
 * thread may change it at any time.
 */
final class Whims {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition resumed = lock.newCondition();
  private final Map<String, LongAdder> served = new ConcurrentHashMap<>();
  private volatile boolean paused;
  private volatile Duration delay = Duration.ZERO;

  void pause() {
    paused = true;
  }

  void resume() {
    lock.lock();
    try {
      paused = false;
      resumed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isPaused() {
    return paused;
  }

  /** Every answer to a client comes that much later. */
  void delay(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a delay must not be negative, was " + duration);
    }
    delay = duration;
  }

  Duration delay() {
    return delay;
  }

  /**
   * How often clients have asked for that command; members and routers' monitoring of themselves do
   * not count as clients.
   */
  long served(String command) {
    LongAdder count = served.get(command);
    return count == null ? 0 : count.sum();
  }

  ServiceFactory before(ServiceFactory real) {
    return connection -> new Wrapped(real.open(connection), connection);
  }

  private final class Wrapped implements ConnectionService {
    private final ConnectionService real;
    private final ClientConnection connection;
    private boolean peer;

    Wrapped(ConnectionService real, ClientConnection connection) {
      this.real = real;
      this.connection = connection;
    }

    @Override
    public @Nullable BsonDocument handle(Message request, Replies more)
        throws InterruptedException {
      awaitResumed();
      String command = request.body().getFirstKey();
      peer |= isHello(command) && request.body().containsKey("internalClient");
      if (peer) {
        return real.handle(request, more);
      }
      served.computeIfAbsent(command, name -> new LongAdder()).increment();
      Thread.sleep(delay);
      BsonDocument reply = real.handle(request, later(more));
      awaitResumed();
      return reply;
    }

    private static boolean isHello(String command) {
      return command.equals("hello") || command.equalsIgnoreCase("ismaster");
    }

    /** A streamed answer is late as well; the connection's own thread sends it, so it may wait. */
    private Replies later(Replies more) {
      return reply -> {
        try {
          awaitResumed();
          Thread.sleep(delay);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          connection.close();
          throw new ConnectionClosedException("the connection is being closed");
        }
        more.more(reply);
      };
    }

    private void awaitResumed() throws InterruptedException {
      if (!paused) {
        return;
      }
      lock.lockInterruptibly();
      try {
        while (paused) {
          resumed.await();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
