// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import com.mongodb.connection.ConnectionId;
import java.util.function.Consumer;

/** A connection that is being opened, on a thread of its own. */
final class Dial {
  private final ConnectionId id;
  private final long generation;
  private final Thread thread;
  private volatile boolean abandoned;

  /**
   * @param generation the pool's, when the opening begins
   * @param opening opens it, and tells the pool how that went
   */
  Dial(String server, ConnectionId id, long generation, Consumer<Dial> opening) {
    this.id = id;
    this.generation = generation;
    this.thread =
        Thread.ofVirtual().name("fairlead-dial-" + server).unstarted(() -> opening.accept(this));
  }

  ConnectionId id() {
    return id;
  }

  long generation() {
    return generation;
  }

  void start() {
    thread.start();
  }

  /** Nobody wants the connection any more: its thread is told to end. */
  void abandon() {
    abandoned = true;
    thread.interrupt();
  }

  boolean isAbandoned() {
    return abandoned;
  }
}
