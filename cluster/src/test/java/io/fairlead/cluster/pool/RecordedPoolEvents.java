// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** Keeps a pool's events as the specification's files write them. */
final class RecordedPoolEvents implements ConnectionPoolListener {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition came = lock.newCondition();
  private final List<BsonDocument> events = new ArrayList<>();

  List<BsonDocument> all() {
    lock.lock();
    try {
      return List.copyOf(events);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until that many of a type have come, counted from the start. */
  void await(String type, int count, Duration patience) throws InterruptedException {
    long left = patience.toNanos();
    lock.lock();
    try {
      while (events.stream().filter(event -> isOf(event, type)).count() < count) {
        if (left <= 0) {
          throw new AssertionError(
              count + " × " + type + " did not come within " + patience + ": " + events);
        }
        left = came.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean isOf(BsonDocument event, String type) {
    return event.getString("type").getValue().equals(type);
  }

  private void add(BsonDocument event) {
    lock.lock();
    try {
      events.add(event);
      came.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static BsonDocument event(String type, ServerId server) {
    return new BsonDocument("type", new BsonString(type))
        .append("address", new BsonString(server.getAddress().toString()));
  }

  private static BsonDocument event(String type, ConnectionId connection) {
    return event(type, connection.getServerId())
        .append("connectionId", new BsonInt32((int) connection.getLocalValue()));
  }

  private static BsonInt64 millis(long millis) {
    return new BsonInt64(millis);
  }

  @Override
  public void connectionPoolCreated(ConnectionPoolCreatedEvent event) {
    ConnectionPoolSettings settings = event.getSettings();
    BsonDocument options =
        new BsonDocument("maxPoolSize", new BsonInt32(settings.getMaxSize()))
            .append("minPoolSize", new BsonInt32(settings.getMinSize()))
            .append(
                "maxIdleTimeMS",
                new BsonInt32((int) settings.getMaxConnectionIdleTime(TimeUnit.MILLISECONDS)));
    add(event("ConnectionPoolCreated", event.getServerId()).append("options", options));
  }

  @Override
  public void connectionPoolReady(ConnectionPoolReadyEvent event) {
    add(event("ConnectionPoolReady", event.getServerId()));
  }

  @Override
  public void connectionPoolCleared(ConnectionPoolClearedEvent event) {
    add(event("ConnectionPoolCleared", event.getServerId()));
  }

  @Override
  public void connectionPoolClosed(ConnectionPoolClosedEvent event) {
    add(event("ConnectionPoolClosed", event.getServerId()));
  }

  @Override
  public void connectionCheckOutStarted(ConnectionCheckOutStartedEvent event) {
    add(event("ConnectionCheckOutStarted", event.getServerId()));
  }

  @Override
  public void connectionCheckedOut(ConnectionCheckedOutEvent event) {
    add(
        event("ConnectionCheckedOut", event.getConnectionId())
            .append("duration", millis(event.getElapsedTime(TimeUnit.MILLISECONDS))));
  }

  @Override
  public void connectionCheckOutFailed(ConnectionCheckOutFailedEvent event) {
    String reason =
        switch (event.getReason()) {
          case POOL_CLOSED -> "poolClosed";
          case TIMEOUT -> "timeout";
          case CONNECTION_ERROR -> "connectionError";
          case UNKNOWN -> "unknown";
        };
    add(
        event("ConnectionCheckOutFailed", event.getServerId())
            .append("reason", new BsonString(reason))
            .append("duration", millis(event.getElapsedTime(TimeUnit.MILLISECONDS))));
  }

  @Override
  public void connectionCheckedIn(ConnectionCheckedInEvent event) {
    add(event("ConnectionCheckedIn", event.getConnectionId()));
  }

  @Override
  public void connectionCreated(ConnectionCreatedEvent event) {
    add(event("ConnectionCreated", event.getConnectionId()));
  }

  @Override
  public void connectionReady(ConnectionReadyEvent event) {
    add(
        event("ConnectionReady", event.getConnectionId())
            .append("duration", millis(event.getElapsedTime(TimeUnit.MILLISECONDS))));
  }

  @Override
  public void connectionClosed(ConnectionClosedEvent event) {
    String reason =
        switch (event.getReason()) {
          case STALE -> "stale";
          case IDLE -> "idle";
          case ERROR -> "error";
          case POOL_CLOSED -> "poolClosed";
        };
    add(
        event("ConnectionClosed", event.getConnectionId())
            .append("reason", new BsonString(reason)));
  }
}
