// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ConnectionDescription;
import com.mongodb.connection.ServerDescription;
import com.mongodb.event.ClusterClosedEvent;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import com.mongodb.event.ClusterOpeningEvent;
import com.mongodb.event.CommandEvent;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
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
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerHeartbeatFailedEvent;
import com.mongodb.event.ServerHeartbeatStartedEvent;
import com.mongodb.event.ServerHeartbeatSucceededEvent;
import com.mongodb.event.ServerListener;
import com.mongodb.event.ServerMonitorListener;
import io.fairlead.conformance.unified.match.ObservedEvent;
import io.fairlead.conformance.unified.match.ObservedEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** What a client has told its listeners. Written by the client's threads, read by any. */
public final class EventLog
    implements CommandListener,
        ConnectionPoolListener,
        ClusterListener,
        ServerListener,
        ServerMonitorListener {
  private static final Set<String> SENSITIVE =
      Set.of(
          "authenticate",
          "saslStart",
          "saslContinue",
          "getnonce",
          "createUser",
          "updateUser",
          "copydbgetnonce",
          "copydbsaslstart",
          "copydb");
  private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");

  private final Set<String> observed;
  private final Set<String> ignoredCommands;
  private final boolean observeSensitive;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<ObservedEvent> events = new ArrayList<>();
  private final List<BsonDocument> startedCommands = new ArrayList<>();
  private int checkedOut;
  private int ready;
  private @Nullable ClusterDescription topology;
  private boolean closed;

  EventLog(Set<String> observed, Set<String> ignoredCommands, boolean observeSensitive) {
    this.observed = Set.copyOf(observed);
    this.ignoredCommands = Set.copyOf(ignoredCommands);
    this.observeSensitive = observeSensitive;
  }

  /** The events so far that the test observes. */
  public List<ObservedEvent> events(Kind kind) {
    return locked(() -> events.stream().filter(each -> each.kind() == kind).toList());
  }

  /** The commands that were started so far, oldest first, whether observed or not. */
  public List<BsonDocument> startedCommands() {
    return locked(() -> List.copyOf(startedCommands));
  }

  /** How many connections are lent at the moment. */
  public int checkedOut() {
    return locked(() -> checkedOut);
  }

  /** The topology as the client told it last. */
  public @Nullable ClusterDescription topology() {
    lock.lock();
    try {
      return topology;
    } finally {
      lock.unlock();
    }
  }

  /** How many events so far are of this kind. */
  public long count(Predicate<ObservedEvent> wanted) {
    return locked(() -> events.stream().filter(wanted).count());
  }

  /** Waits until that many events are of this kind; false when they are not within the time. */
  public boolean await(Predicate<ObservedEvent> wanted, long count, Duration atMost)
      throws InterruptedException {
    return awaitThat(() -> events.stream().filter(wanted).count() >= count, atMost);
  }

  /** Waits until that many connections have become ready, then forgets all events. */
  boolean awaitReady(int connections, Duration atMost) throws InterruptedException {
    boolean reached = awaitThat(() -> ready >= connections, atMost);
    locked(
        () -> {
          events.clear();
          return true;
        });
    return reached;
  }

  /** Waits until the client knows of a topology that is wanted. */
  public boolean awaitTopology(Predicate<ClusterDescription> wanted, Duration atMost)
      throws InterruptedException {
    return awaitThat(() -> topology != null && wanted.test(topology), atMost);
  }

  /** Stops listening: what comes later is not the test's. */
  public void stop() {
    locked(() -> closed = true);
  }

  private boolean awaitThat(java.util.function.BooleanSupplier holds, Duration atMost)
      throws InterruptedException {
    long left = atMost.toNanos();
    lock.lock();
    try {
      while (!holds.getAsBoolean()) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private <T> T locked(java.util.function.Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  private void add(Kind kind, String name, BsonDocument facts) {
    if (observed.contains(name)) {
      locked(() -> closed || events.add(new ObservedEvent(kind, name, facts)));
    }
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    BsonDocument command = event.getCommand().clone();
    if (isIgnored(event, command)) {
      return;
    }
    locked(() -> closed || startedCommands.add(command));
    add(Kind.COMMAND, "commandStartedEvent", facts(event).append("command", command));
  }

  @Override
  public void commandSucceeded(CommandSucceededEvent event) {
    BsonDocument reply = event.getResponse().clone();
    if (!isIgnored(event, reply)) {
      add(Kind.COMMAND, "commandSucceededEvent", facts(event).append("reply", reply));
    }
  }

  @Override
  public void commandFailed(CommandFailedEvent event) {
    if (!isIgnored(event, null)) {
      add(Kind.COMMAND, "commandFailedEvent", facts(event));
    }
  }

  private boolean isIgnored(CommandEvent event, @Nullable BsonDocument content) {
    String name = event.getCommandName();
    boolean sensitive =
        SENSITIVE.contains(name) || (HELLO.contains(name) && content != null && content.isEmpty());
    return name.equals("configureFailPoint")
        || ignoredCommands.contains(name)
        || (sensitive && !observeSensitive);
  }

  private static BsonDocument facts(CommandEvent event) {
    BsonDocument facts =
        new BsonDocument("commandName", new BsonString(event.getCommandName()))
            .append("databaseName", new BsonString(event.getDatabaseName()));
    ConnectionDescription connection = event.getConnectionDescription();
    if (connection != null && connection.getServiceId() != null) {
      facts.append("serviceId", new BsonObjectId(connection.getServiceId()));
    }
    if (connection != null && connection.getConnectionId().getServerValue() != null) {
      facts.append(
          "serverConnectionId", new BsonInt64(connection.getConnectionId().getServerValue()));
    }
    return facts;
  }

  @Override
  public void connectionPoolCreated(ConnectionPoolCreatedEvent event) {
    add(Kind.CMAP, "poolCreatedEvent", new BsonDocument());
  }

  @Override
  public void connectionPoolReady(ConnectionPoolReadyEvent event) {
    add(Kind.CMAP, "poolReadyEvent", new BsonDocument());
  }

  @Override
  public void connectionPoolCleared(ConnectionPoolClearedEvent event) {
    BsonDocument facts = new BsonDocument();
    if (event.getServiceId() != null) {
      facts.append("serviceId", new BsonObjectId(event.getServiceId()));
    }
    add(Kind.CMAP, "poolClearedEvent", facts);
  }

  @Override
  public void connectionPoolClosed(ConnectionPoolClosedEvent event) {
    add(Kind.CMAP, "poolClosedEvent", new BsonDocument());
  }

  @Override
  public void connectionCreated(ConnectionCreatedEvent event) {
    add(Kind.CMAP, "connectionCreatedEvent", new BsonDocument());
  }

  @Override
  public void connectionReady(ConnectionReadyEvent event) {
    locked(() -> ++ready);
    add(Kind.CMAP, "connectionReadyEvent", new BsonDocument());
  }

  @Override
  public void connectionClosed(ConnectionClosedEvent event) {
    add(
        Kind.CMAP,
        "connectionClosedEvent",
        reason(
            switch (event.getReason()) {
              case STALE -> "stale";
              case IDLE -> "idle";
              case ERROR -> "error";
              case POOL_CLOSED -> "poolClosed";
            }));
  }

  @Override
  public void connectionCheckOutStarted(ConnectionCheckOutStartedEvent event) {
    add(Kind.CMAP, "connectionCheckOutStartedEvent", new BsonDocument());
  }

  @Override
  public void connectionCheckOutFailed(ConnectionCheckOutFailedEvent event) {
    add(
        Kind.CMAP,
        "connectionCheckOutFailedEvent",
        reason(
            switch (event.getReason()) {
              case TIMEOUT -> "timeout";
              case CONNECTION_ERROR -> "connectionError";
              case POOL_CLOSED -> "poolClosed";
              case UNKNOWN -> "unknown";
            }));
  }

  @Override
  public void connectionCheckedOut(ConnectionCheckedOutEvent event) {
    locked(() -> ++checkedOut);
    add(Kind.CMAP, "connectionCheckedOutEvent", new BsonDocument());
  }

  @Override
  public void connectionCheckedIn(ConnectionCheckedInEvent event) {
    locked(() -> --checkedOut);
    add(Kind.CMAP, "connectionCheckedInEvent", new BsonDocument());
  }

  private static BsonDocument reason(String reason) {
    return new BsonDocument("reason", new BsonString(reason));
  }

  @Override
  public void clusterOpening(ClusterOpeningEvent event) {
    add(Kind.SDAM, "topologyOpeningEvent", new BsonDocument());
  }

  @Override
  public void clusterClosed(ClusterClosedEvent event) {
    add(Kind.SDAM, "topologyClosedEvent", new BsonDocument());
  }

  @Override
  public void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
    locked(() -> topology = event.getNewDescription());
    add(
        Kind.SDAM,
        "topologyDescriptionChangedEvent",
        new BsonDocument("previousDescription", type(topologyType(event.getPreviousDescription())))
            .append("newDescription", type(topologyType(event.getNewDescription()))));
  }

  @Override
  public void serverDescriptionChanged(ServerDescriptionChangedEvent event) {
    add(
        Kind.SDAM,
        "serverDescriptionChangedEvent",
        new BsonDocument("previousDescription", type(serverType(event.getPreviousDescription())))
            .append("newDescription", type(serverType(event.getNewDescription()))));
  }

  @Override
  public void serverHearbeatStarted(ServerHeartbeatStartedEvent event) {
    add(Kind.SDAM, "serverHeartbeatStartedEvent", awaited(event.isAwaited()));
  }

  @Override
  public void serverHeartbeatSucceeded(ServerHeartbeatSucceededEvent event) {
    add(Kind.SDAM, "serverHeartbeatSucceededEvent", awaited(event.isAwaited()));
  }

  @Override
  public void serverHeartbeatFailed(ServerHeartbeatFailedEvent event) {
    add(Kind.SDAM, "serverHeartbeatFailedEvent", awaited(event.isAwaited()));
  }

  private static BsonDocument awaited(boolean awaited) {
    return new BsonDocument("awaited", BsonBoolean.valueOf(awaited));
  }

  private static BsonDocument type(String name) {
    return new BsonDocument("type", new BsonString(name));
  }

  /** The specification's name of a topology's type. */
  public static String topologyType(ClusterDescription description) {
    if (description.getConnectionMode() == ClusterConnectionMode.SINGLE
        && !description.getServerDescriptions().isEmpty()) {
      return "Single";
    }
    return switch (description.getType()) {
      case REPLICA_SET ->
          description.getServerDescriptions().stream().anyMatch(ServerDescription::isPrimary)
              ? "ReplicaSetWithPrimary"
              : "ReplicaSetNoPrimary";
      case SHARDED -> "Sharded";
      case LOAD_BALANCED -> "LoadBalanced";
      case STANDALONE -> "Single";
      case UNKNOWN -> "Unknown";
    };
  }

  private static String serverType(ServerDescription description) {
    return switch (description.getType()) {
      case STANDALONE -> "Standalone";
      case REPLICA_SET_PRIMARY -> "RSPrimary";
      case REPLICA_SET_SECONDARY -> "RSSecondary";
      case REPLICA_SET_ARBITER -> "RSArbiter";
      case REPLICA_SET_OTHER -> "RSOther";
      case REPLICA_SET_GHOST -> "RSGhost";
      case SHARD_ROUTER -> "Mongos";
      case LOAD_BALANCER -> "LoadBalancer";
      case UNKNOWN -> "Unknown";
    };
  }
}
