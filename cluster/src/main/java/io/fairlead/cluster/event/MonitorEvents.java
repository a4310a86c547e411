// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.event;

import com.mongodb.connection.ConnectionId;
import com.mongodb.event.ServerHeartbeatFailedEvent;
import com.mongodb.event.ServerHeartbeatStartedEvent;
import com.mongodb.event.ServerHeartbeatSucceededEvent;
import com.mongodb.event.ServerMonitorListener;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;

/** Events of the checks of servers. Every method but {@link #deliver} only queues. */
public final class MonitorEvents {
  private final EventQueue queue;
  private final List<ServerMonitorListener> listeners;

  public MonitorEvents(EventQueue queue, List<ServerMonitorListener> listeners) {
    this.queue = queue;
    this.listeners = List.copyOf(listeners);
  }

  /** Delivers what was queued. Not under a lock. */
  public void deliver() {
    queue.deliver();
  }

  /**
   * A hello is about to be said.
   *
   * @param awaited whether the hello waits on the server for news
   */
  public void started(ConnectionId connection, boolean awaited) {
    for (ServerMonitorListener listener : listeners) {
      queue.put(
          () ->
              listener.serverHearbeatStarted(new ServerHeartbeatStartedEvent(connection, awaited)));
    }
    deliver();
  }

  public void succeeded(
      ConnectionId connection, BsonDocument hello, Duration elapsed, boolean awaited) {
    for (ServerMonitorListener listener : listeners) {
      queue.put(
          () ->
              listener.serverHeartbeatSucceeded(
                  new ServerHeartbeatSucceededEvent(
                      connection, hello, elapsed.toNanos(), awaited)));
    }
  }

  public void failed(
      ConnectionId connection, Duration elapsed, boolean awaited, Throwable failure) {
    for (ServerMonitorListener listener : listeners) {
      queue.put(
          () ->
              listener.serverHeartbeatFailed(
                  new ServerHeartbeatFailedEvent(connection, elapsed.toNanos(), awaited, failure)));
    }
  }
}
