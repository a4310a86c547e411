// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The commands that are running now: at most one for each open connection. */
public final class Operations {
  private final Connections connections;
  private final LongSupplier nanoTime;
  private final AtomicLong lastId = new AtomicLong();

  public Operations(Connections connections, LongSupplier nanoTime) {
    this.connections = connections;
    this.nanoTime = nanoTime;
  }

  Operation begin(
      CommandSpec spec,
      String namespace,
      BsonDocument command,
      ClientState client,
      @Nullable Duration timeLimit) {
    Operation operation =
        new Operation(
            lastId.incrementAndGet(), spec, namespace, command, client, timeLimit, nanoTime);
    client.setRunning(operation);
    return operation;
  }

  void end(Operation operation) {
    operation.client().setRunning(null);
    operation.finish();
  }

  /** A snapshot of what is running. */
  public Collection<Operation> all() {
    return connections.running();
  }

  /** The operation of this number while it runs, or null. */
  public @Nullable Operation find(long id) {
    for (Operation operation : connections.running()) {
      if (operation.id() == id) {
        return operation;
      }
    }
    return null;
  }

  /**
   * Waits until the commands that are running now and match have ended. Later ones do not matter.
   *
   * @return false when one of them is still running after that time
   */
  public boolean awaitEnd(Predicate<Operation> which, Duration atMost) throws InterruptedException {
    long deadline = nanoTime.getAsLong() + atMost.toNanos();
    for (Operation operation : connections.running()) {
      if (which.test(operation)) {
        long left = deadline - nanoTime.getAsLong();
        if (!operation.awaitEnd(Duration.ofNanos(Math.max(0, left)))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Kills everything that runs, because the server closes. */
  public void killAll(int code) {
    connections.running().forEach(operation -> operation.kill(code));
  }
}
