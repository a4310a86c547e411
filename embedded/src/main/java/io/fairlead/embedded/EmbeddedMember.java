// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.replication.ReplicaSetMember;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.replication.protocol.MemberState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * One server of a cluster, and what may be done to it. Its data survives {@link #kill()}. Any
 * thread may call; orders to one member are obeyed one after the other.
 */
public final class EmbeddedMember implements AutoCloseable {
  private final String name;
  private final String address;
  private final ServerSettings settings;
  private final Whims whims;
  private final @Nullable Path dataDirectory;

  /** The data, from the first start on; guarded by the orders. */
  private @Nullable Engine disk;

  private final ReentrantLock orders = new ReentrantLock();
  private volatile @Nullable Server server;

  EmbeddedMember(
      String name,
      String address,
      ServerSettings settings,
      Whims whims,
      @Nullable Path dataDirectory) {
    this.dataDirectory = dataDirectory == null ? null : dataDirectory.resolve(name);
    this.name = name;
    this.address = address;
    this.settings = settings.withServices(whims::before);
    this.whims = whims;
  }

  void start() {
    orders.lock();
    try {
      if (server == null) {
        server = Server.start(settings, disk());
      }
    } finally {
      orders.unlock();
    }
  }

  private Engine disk() {
    Engine opened = disk;
    if (opened == null) {
      opened =
          dataDirectory == null
              ? Engine.open(EngineOptions.defaults())
              : Engine.open(EngineOptions.defaults(), dataDirectory);
      disk = opened;
    }
    return opened;
  }

  /** {@code rs0-1} for the second member of the set rs0. */
  public String name() {
    return name;
  }

  /** {@code host:port}. */
  public String address() {
    return address;
  }

  /** Connects to this member alone, whatever it is at the moment. */
  public String connectionString() {
    return "mongodb://" + address + "/?directConnection=true";
  }

  public boolean isRunning() {
    return server != null;
  }

  /** Whether it leads and accepts writes. */
  public boolean isPrimary() {
    Server running = server;
    return running != null && !whims.isPaused() && running.coordinator().isWritablePrimary();
  }

  long term() {
    Server running = server;
    return running != null && running.coordinator() instanceof ReplicaSetMember member
        ? member.term()
        : -1;
  }

  /** What it is at the moment; {@link MemberState#DOWN} while it is killed. */
  public MemberState state() {
    Server running = server;
    return running == null ? MemberState.DOWN : running.coordinator().memberState();
  }

  /**
   * Ends it at once, with all its connections, as if its process had died. Its data is kept for
   * {@link #restart()}.
   */
  public void kill() {
    orders.lock();
    try {
      Server running = server;
      if (running != null) {
        server = null;
        running.close();
      }
    } finally {
      orders.unlock();
    }
  }

  /** Starts it again on its data, at its address; kills it first when it runs. */
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
   * Answers to clients take that much longer from now on, as if it were far away; the other members
   * are as near as before.
   */
  public void delay(Duration duration) {
    whims.delay(duration);
  }

  /**
   * As a secondary it applies writes only when they are that old; zero ends that. Kept only while
   * it runs.
   */
  public void lag(Duration duration) {
    member().lagBehind(duration);
  }

  /**
   * Hands the lead over to another member that has everything, and does not stand for election for
   * a minute.
   */
  public void stepDown() {
    stepDown(Duration.ofSeconds(60));
  }

  /**
   * Hands the lead over to another member that has everything.
   *
   * @param notBefore when it may stand for election again
   */
  public void stepDown(Duration notBefore) {
    run(
        "replSetStepDown",
        new BsonDocument("replSetStepDown", new BsonInt64(Math.max(1, notBefore.toSeconds())))
            .append(
                "secondaryCatchUpPeriodSecs",
                new BsonInt64(Math.min(10, Math.max(1, notBefore.toSeconds())))));
  }

  /** Gives up the lead at once, whether or not another member has everything. */
  public void stepDownByForce() {
    run(
        "replSetStepDown",
        new BsonDocument("replSetStepDown", new BsonInt64(60)).append("force", BsonBoolean.TRUE));
  }

  /** Stands for election at once. */
  public void stepUp() {
    run("replSetStepUp", new BsonDocument("replSetStepUp", new BsonInt64(1)));
  }

  private void run(String command, BsonDocument document) {
    try {
      coordinator().run(command, document);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + name + " was asked for " + command, e);
    }
  }

  /**
   * Sets a fail point.
   *
   * @param command {@code {configureFailPoint: "failCommand", mode: …, data: {…}}}
   */
  public void failPoint(BsonDocument command) {
    running().failPoints().configure(command);
  }

  /**
   * How often clients, not other members, have asked this member for that command since it was
   * made.
   */
  public long commandsServed(String command) {
    return whims.served(command);
  }

  /** The server behind it. */
  public Server server() {
    return running();
  }

  private Server running() {
    Server running = server;
    if (running == null) {
      throw new IllegalStateException(name + " does not run");
    }
    return running;
  }

  ReplicationCoordinator coordinator() {
    return running().coordinator();
  }

  private ReplicaSetMember member() {
    if (coordinator() instanceof ReplicaSetMember member) {
      return member;
    }
    throw new IllegalStateException(name + " belongs to no replica set");
  }

  /** Ends it for good. */
  @Override
  public void close() {
    whims.resume();
    kill();
    orders.lock();
    try {
      if (disk != null) {
        disk.close();
      }
    } finally {
      orders.unlock();
    }
  }
}
