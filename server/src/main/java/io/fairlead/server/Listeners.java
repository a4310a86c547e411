// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.wire.listener.ClientConnection;
import io.fairlead.wire.listener.CloseConnectionException;
import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.InProcessListener;
import io.fairlead.wire.listener.ListenerSettings;
import io.fairlead.wire.listener.ServiceFactory;
import io.fairlead.wire.listener.WireListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one server, at one address. They listen before the server knows its own port, so
 * a connection that comes first waits until it is served.
 */
final class Listeners implements AutoCloseable {
  private static final long SERVED_WITHIN_SECONDS = 30;

  private final ServerSettings settings;
  private final CompletableFuture<ServiceFactory> services = new CompletableFuture<>();
  private @Nullable WireListener tcp;
  private @Nullable InProcessListener inProcess;
  private int port;

  private Listeners(ServerSettings settings) {
    this.settings = settings;
    this.port = settings.port();
  }

  static Listeners start(ServerSettings settings) {
    Listeners listeners = new Listeners(settings);
    try {
      listeners.listen();
    } catch (RuntimeException failed) {
      listeners.close();
      throw failed;
    }
    return listeners;
  }

  private void listen() {
    ListenerSettings wished =
        ListenerSettings.on(settings.host(), settings.port())
            .withConnectionsMax(settings.connectionsMax());
    if (settings.transport() != ServerSettings.Transport.IN_PROCESS) {
      WireListener listener = WireListener.start(wished, this::open);
      tcp = listener;
      port = listener.port();
    }
    if (settings.transport() != ServerSettings.Transport.TCP) {
      ListenerSettings same =
          ListenerSettings.on(settings.host(), port).withConnectionsMax(settings.connectionsMax());
      InProcessListener listener = InProcessListener.start(same, this::open);
      inProcess = listener;
      port = listener.port();
    }
  }

  private ConnectionService open(ClientConnection connection) {
    try {
      return services.get(SERVED_WITHIN_SECONDS, TimeUnit.SECONDS).open(connection);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the server is closing");
    } catch (ExecutionException | TimeoutException notServed) {
      throw new CloseConnectionException("the server did not start: " + notServed);
    }
  }

  /** Serves what is connected and whoever connects. */
  void serve(ServiceFactory factory) {
    services.complete(factory);
  }

  int port() {
    return port;
  }

  String address() {
    return settings.host() + ":" + port;
  }

  /** Turns new clients away from now on; those that are connected go on being served. */
  void stopAccepting() {
    if (tcp != null) {
      tcp.stopAccepting();
    }
    if (inProcess != null) {
      inProcess.stopAccepting();
    }
  }

  @Override
  public void close() {
    if (tcp != null) {
      tcp.close();
    }
    if (inProcess != null) {
      inProcess.close();
    }
  }
}
