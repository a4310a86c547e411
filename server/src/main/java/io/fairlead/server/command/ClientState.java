// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.wire.listener.ClientConnection;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one connection's client. Written by the connection's own thread during the
 * handshake; anyone may read.
 */
public final class ClientState {
  private final ClientConnection connection;
  private final Instant since;
  private volatile @Nullable BsonDocument metadata;
  private volatile @Nullable String applicationName;
  private volatile boolean internal;
  private volatile boolean saidHello;
  private final ReentrantLock operationLock = new ReentrantLock();
  private volatile @Nullable Operation running;

  ClientState(ClientConnection connection, Instant since) {
    this.connection = connection;
    this.since = since;
  }

  /** The connection's number, as {@code hello} reports it. */
  public long connectionId() {
    return connection.id();
  }

  /** The client's address. */
  public String peer() {
    return connection.peer();
  }

  /** The name of the connection's thread in logs and fail points. */
  public String threadName() {
    return "conn" + connection.id();
  }

  /** When the connection was accepted. */
  public Instant since() {
    return since;
  }

  /** The {@code client} document of its handshake, or null. */
  public @Nullable BsonDocument metadata() {
    return metadata;
  }

  /** {@code client.application.name} of its handshake, or null. */
  public @Nullable String applicationName() {
    return applicationName;
  }

  /**
   * Whether it is a member or a router of the same deployment: it says {@code internalClient} in
   * its handshake.
   */
  public boolean isInternal() {
    return internal;
  }

  /** Whether it has sent a handshake. */
  public boolean saidHello() {
    return saidHello;
  }

  /** Notes the first handshake of the connection. */
  public void greet(
      @Nullable BsonDocument clientMetadata, @Nullable String name, boolean internalClient) {
    if (!saidHello) {
      metadata = clientMetadata;
      applicationName = name;
      internal = internalClient;
      saidHello = true;
    }
  }

  /** The command that runs for it now, or null. */
  @Nullable Operation running() {
    return running;
  }

  void setRunning(@Nullable Operation operation) {
    running = operation;
  }

  /** Guards the end and the kill of the command that runs; held for a few fields only. */
  ReentrantLock operationLock() {
    return operationLock;
  }

  /** Closes the connection. */
  public void close() {
    connection.close();
  }
}
