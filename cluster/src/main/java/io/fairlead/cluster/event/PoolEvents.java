// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.event;

import com.mongodb.connection.ConnectionId;
import com.mongodb.connection.ConnectionPoolSettings;
import com.mongodb.connection.ServerId;
import com.mongodb.event.ConnectionCheckOutFailedEvent;
import com.mongodb.event.ConnectionCheckOutStartedEvent;
import com.mongodb.event.ConnectionCheckedInEvent;
import com.mongodb.event.ConnectionCheckedOutEvent;
import com.mongodb.event.ConnectionClosedEvent;
import com.mongodb.event.ConnectionCreatedEvent;
import com.mongodb.event.ConnectionPoolClearedEvent;
import com.mongodb.event.ConnectionPoolClosedEvent;
import com.mongodb.event.ConnectionPoolCreatedEvent;
import com.mongodb.event.ConnectionPoolListener;
import com.mongodb.event.ConnectionPoolReadyEvent;
import com.mongodb.event.ConnectionReadyEvent;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Events of one server's pool. Every method only queues and may be called under the pool's lock.
 */
public final class PoolEvents {
  private final EventQueue queue;
  private final List<ConnectionPoolListener> listeners;
  private final ServerId server;

  public PoolEvents(EventQueue queue, List<ConnectionPoolListener> listeners, ServerId server) {
    this.queue = queue;
    this.listeners = List.copyOf(listeners);
    this.server = server;
  }

  /** Delivers what was queued. Not under a lock. */
  public void deliver() {
    if (!listeners.isEmpty()) {
      queue.deliver();
    }
  }

  public void poolCreated(ConnectionPoolSettings settings) {
    put(
        () -> new ConnectionPoolCreatedEvent(server, settings),
        ConnectionPoolListener::connectionPoolCreated);
  }

  public void poolReady() {
    put(() -> new ConnectionPoolReadyEvent(server), ConnectionPoolListener::connectionPoolReady);
  }

  public void poolCleared() {
    put(
        () -> new ConnectionPoolClearedEvent(server),
        ConnectionPoolListener::connectionPoolCleared);
  }

  public void poolClosed() {
    put(() -> new ConnectionPoolClosedEvent(server), ConnectionPoolListener::connectionPoolClosed);
  }

  public void checkOutStarted(long operation) {
    put(
        () -> new ConnectionCheckOutStartedEvent(server, operation),
        ConnectionPoolListener::connectionCheckOutStarted);
  }

  public void checkedOut(ConnectionId connection, long operation, long elapsedNanos) {
    put(
        () -> new ConnectionCheckedOutEvent(connection, operation, elapsedNanos),
        ConnectionPoolListener::connectionCheckedOut);
  }

  public void checkOutFailed(
      long operation, ConnectionCheckOutFailedEvent.Reason reason, long elapsedNanos) {
    put(
        () -> new ConnectionCheckOutFailedEvent(server, operation, reason, elapsedNanos),
        ConnectionPoolListener::connectionCheckOutFailed);
  }

  public void checkedIn(ConnectionId connection, long operation) {
    put(
        () -> new ConnectionCheckedInEvent(connection, operation),
        ConnectionPoolListener::connectionCheckedIn);
  }

  public void connectionCreated(ConnectionId connection) {
    put(() -> new ConnectionCreatedEvent(connection), ConnectionPoolListener::connectionCreated);
  }

  public void connectionReady(ConnectionId connection, long elapsedNanos) {
    put(
        () -> new ConnectionReadyEvent(connection, elapsedNanos),
        ConnectionPoolListener::connectionReady);
  }

  public void connectionClosed(ConnectionId connection, ConnectionClosedEvent.Reason reason) {
    put(
        () -> new ConnectionClosedEvent(connection, reason),
        ConnectionPoolListener::connectionClosed);
  }

  private <E> void put(Supplier<E> event, BiConsumer<ConnectionPoolListener, E> delivery) {
    if (listeners.isEmpty()) {
      return;
    }
    E made = event.get();
    for (ConnectionPoolListener listener : listeners) {
      queue.put(() -> delivery.accept(listener, made));
    }
  }
}
