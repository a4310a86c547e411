// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.channel.TcpChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections over TCP. */
public final class WireListener implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WireListener.class);
  private static final int BACKLOG = 1024;
  private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ListenerSettings settings;
  private final ServerSocket socket;
  private final ConnectionTable table;
  private final Thread acceptor;

  private WireListener(ListenerSettings settings, ServerSocket socket, ServiceFactory services) {
    this.settings = settings;
    this.socket = socket;
    String name = String.valueOf(socket.getLocalPort());
    this.table = new ConnectionTable(name, settings, services);
    this.acceptor =
        Thread.ofVirtual().name("wire-accept-" + name).unstarted(this::acceptConnections);
  }

  /**
   * Starts listening.
   *
   * @throws UncheckedIOException if the address cannot be listened on
   */
  public static WireListener start(ListenerSettings settings, ServiceFactory services) {
    WireListener listener = new WireListener(settings, bind(settings), services);
    listener.table.start();
    listener.acceptor.start();
    return listener;
  }

  private static ServerSocket bind(ListenerSettings settings) {
    String address = settings.host() + ":" + settings.port();
    try {
      ServerSocket socket = new ServerSocket();
      try {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(settings.host(), settings.port()), BACKLOG);
        return socket;
      } catch (IOException taken) {
        socket.close();
        throw taken;
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "cannot listen on " + address + ": " + failed.getMessage(), failed);
    }
  }

  private void acceptConnections() {
    while (!socket.isClosed() && !table.isClosing()) {
      try {
        accept(socket.accept());
      } catch (IOException failed) {
        if (!socket.isClosed()) {
          LOG.warn("port {} cannot accept a connection: {}", port(), failed.getMessage());
          LockSupport.parkNanos(
              ACCEPT_PAUSE_NANOS); // such as too many open files: others must end first
        }
      }
    }
  }

  private void accept(Socket client) {
    try {
      table.accept(TcpChannel.watched(client, settings.messageBytesMax()));
    } catch (IOException gone) {
      LOG.debug("port {}: a client went before it was served: {}", port(), gone.getMessage());
      try {
        client.close();
      } catch (IOException ignored) {
        // it is gone already
      }
    }
  }

  /** The host it listens on. */
  public String host() {
    return settings.host();
  }

  /** The port it listens on. */
  public int port() {
    return socket.getLocalPort();
  }

  /** The connections that are open now. */
  public Set<ClientConnection> connections() {
    return table.connections();
  }

  /** Whether the accepting thread runs. */
  boolean isAccepting() {
    return acceptor.isAlive();
  }

  /**
   * Turns new clients away from now on; those that are connected go on being served. Waits for the
   * accepting thread, up to 5 s: the system lets clients in for as long as a call of its is under
   * way.
   */
  public void stopAccepting() {
    try {
      socket.close();
    } catch (IOException failed) {
      LOG.warn("port {} did not close cleanly: {}", port(), failed.getMessage());
    }
    ConnectionTable.awaitEnd(
        "acceptor of port " + port(), acceptor, System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
  }

  /**
   * Stops listening, closes every connection and waits for their threads, up to 20 s. Does nothing
   * the second time.
   */
  @Override
  public void close() {
    stopAccepting();
    table.close();
  }
}
