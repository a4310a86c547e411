// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.replication.ReplicaSetMember;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.replication.protocol.MemberState;
import io.fairlead.wire.failpoint.FailPoints;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/**
 * One server of a cluster, and what may be done to it. Its data survives {@link #kill()}. Any
 * thread may call; orders to one member are obeyed one after the other.
 */
public final class EmbeddedMember extends EmbeddedProcess<Server> {
  private final ServerSettings settings;
  private final @Nullable Path dataDirectory;

  /** The data, from the first start on; guarded by the orders. */
  private @Nullable Engine disk;

  EmbeddedMember(
      String name,
      String address,
      ServerSettings settings,
      Whims whims,
      @Nullable Path dataDirectory) {
    super(name, address, whims);
    this.dataDirectory = dataDirectory == null ? null : dataDirectory.resolve(name);
    this.settings = settings.withServices(whims::before);
  }

  @Override
  Server launch() {
    return Server.start(settings, disk());
  }

  @Override
  void end(Server server) {
    server.close();
  }

  @Override
  void afterwards() {
    if (disk != null) {
      disk.close();
    }
  }

  @Override
  FailPoints failPoints(Server server) {
    return server.failPoints();
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

  /** Connects to this member alone, whatever it is at the moment. */
  public String connectionString() {
    return "mongodb://" + address() + "/?directConnection=true";
  }

  /** Whether it leads and accepts writes. */
  public boolean isPrimary() {
    Server running = runningNow();
    return running != null && !whims.isPaused() && running.coordinator().isWritablePrimary();
  }

  long term() {
    Server running = runningNow();
    return running != null && running.coordinator() instanceof ReplicaSetMember member
        ? member.term()
        : -1;
  }

  /** What it is at the moment; {@link MemberState#DOWN} while it is killed. */
  public MemberState state() {
    Server running = runningNow();
    return running == null ? MemberState.DOWN : running.coordinator().memberState();
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
      throw new IllegalStateException(
          "interrupted while " + name() + " was asked for " + command, e);
    }
  }

  /** The server behind it. */
  public Server server() {
    return running();
  }

  ReplicationCoordinator coordinator() {
    return running().coordinator();
  }

  private ReplicaSetMember member() {
    if (coordinator() instanceof ReplicaSetMember member) {
      return member;
    }
    throw new IllegalStateException(name() + " belongs to no replica set");
  }
}
