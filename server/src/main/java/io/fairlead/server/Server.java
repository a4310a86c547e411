// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.server.command.CommandTable;
import io.fairlead.server.command.Connections;
import io.fairlead.server.command.Counters;
import io.fairlead.server.command.Dispatcher;
import io.fairlead.server.command.Operations;
import io.fairlead.server.command.ServerParts;
import io.fairlead.server.cursor.Cursors;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.sessions.Sessions;
import io.fairlead.server.transaction.Transactions;
import io.fairlead.server.ttl.TtlMonitor;
import io.fairlead.wire.failpoint.FailPoints;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * One mongod: an engine, its part in a replica set, and listeners whose commands run on both. All
 * its threads are started in {@link #start} and have ended when {@link #close} returns.
 */
public final class Server implements AutoCloseable {
  private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);
  private static final Duration LOCK_WAIT_MAX = Duration.ofSeconds(60);

  private final ServerParts parts;
  private final Listeners listeners;
  private final Sweeper sweeper;
  private final boolean closesEngine;

  private Server(ServerParts parts, Listeners listeners, Sweeper sweeper, boolean closesEngine) {
    this.closesEngine = closesEngine;
    this.parts = parts;
    this.listeners = listeners;
    this.sweeper = sweeper;
  }

  /**
   * Starts a server and returns when it listens.
   *
   * @throws java.io.UncheckedIOException when its address cannot be listened on
   */
  public static Server start(ServerSettings settings) {
    return start(
        settings,
        Engine.open(
            new EngineOptions(
                settings.clock(), System::nanoTime, settings.random(), LOCK_WAIT_MAX)),
        true);
  }

  /**
   * Starts a server on data that is there already, such as that of a server that was closed. The
   * engine is the caller's: closing the server leaves it open.
   */
  public static Server start(ServerSettings settings, Engine engine) {
    return start(settings, engine, false);
  }

  private static Server start(ServerSettings settings, Engine engine, boolean closesEngine) {
    Listeners listeners = Listeners.start(settings);
    ReplicationCoordinator coordinator = Coordinators.start(settings, engine);
    Connections connections = new Connections();
    ServerParts parts = assemble(settings, listeners.address(), engine, coordinator, connections);
    Dispatcher dispatcher = new Dispatcher(parts);
    listeners.serve(
        settings
            .services()
            .apply(connections.servedBy(dispatcher, parts.counters(), settings.clock())));
    Sweeper sweeper =
        Sweeper.start(
            "sweeper-" + listeners.address(),
            SWEEP_EVERY,
            () -> {
              parts.cursors().sweep();
              parts.sessions().sweep();
              parts.transactions().sweep();
            });
    parts.ttl().start();
    return new Server(parts, listeners, sweeper, closesEngine);
  }

  private static ServerParts assemble(
      ServerSettings settings,
      String address,
      Engine engine,
      ReplicationCoordinator coordinator,
      Connections connections) {
    LongSupplier nanoTime = System::nanoTime;
    CommandTable table = CommandFamilies.table(coordinator);
    Cursors cursors = new Cursors(settings.cursorTimeout(), nanoTime, settings.random());
    Transactions transactions = new Transactions(coordinator, nanoTime);
    return new ServerParts(
        settings,
        address,
        engine,
        coordinator,
        table,
        cursors,
        new Sessions(
            settings.sessionTimeout(),
            nanoTime,
            session -> {
              transactions.end(session);
              cursors.killOfSession(session);
            }),
        transactions,
        FailPoints.ofServer(settings.random()),
        new Operations(connections, nanoTime),
        new TtlMonitor(address, engine, coordinator, settings.clock()),
        new Counters(),
        connections::all,
        settings.clock().instant());
  }

  /** {@code host:port} of its listener. */
  public String address() {
    return parts.address();
  }

  /** The port it listens on. */
  public int port() {
    return listeners.port();
  }

  /** Its data. */
  public Engine engine() {
    return parts.engine();
  }

  /** Its part in a replica set. */
  public ReplicationCoordinator coordinator() {
    return parts.coordinator();
  }

  /** The fail points set on it. */
  public FailPoints failPoints() {
    return parts.failPoints();
  }

  /** How often a command of this name has run here. */
  public long commandsServed(String command) {
    return parts.counters().byCommand().getOrDefault(command, 0L);
  }

  /**
   * Stops what runs, closes every connection, and waits for all threads that this server started.
   */
  @Override
  public void close() {
    sweeper.close();
    parts.ttl().close();
    // a client whose command is killed must not find its retry's way here
    listeners.stopAccepting();
    parts.operations().killAll(11600);
    listeners.close();
    parts.transactions().close();
    parts.coordinator().close();
    parts.cursors().killAll();
    if (closesEngine) {
      parts.engine().close();
    }
  }
}
