// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.channel.InProcessAddresses;
import java.util.Set;

/**
 * Accepts connections inside this JVM and gives each a virtual thread, as {@link WireListener} does
 * over TCP.
 */
public final class InProcessListener implements AutoCloseable {

  private final String host;
  private final int port;
  private final ConnectionTable table;

  private InProcessListener(String host, int port, ConnectionTable table) {
    this.host = host;
    this.port = port;
    this.table = table;
  }

  /**
   * Starts listening on an address of this JVM.
   *
   * @throws IllegalStateException if the address is served already
   */
  public static InProcessListener start(ListenerSettings settings, ServiceFactory services) {
    ConnectionTable table = new ConnectionTable(settings.host(), settings, services);
    table.start();
    try {
      int port =
          InProcessAddresses.register(
              settings.host(), settings.port(), settings.messageBytesMax(), table::accept);
      return new InProcessListener(settings.host(), port, table);
    } catch (IllegalStateException taken) {
      table.close();
      throw taken;
    }
  }

  /** Starts listening with the default limits. */
  public static InProcessListener start(String host, int port, ServiceFactory services) {
    return start(ListenerSettings.on(host, port), services);
  }

  /** The host it listens on. */
  public String host() {
    return host;
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** The connections that are open now. */
  public Set<ClientConnection> connections() {
    return table.connections();
  }

  /** Turns new clients away from now on; those that are connected go on being served. */
  public void stopAccepting() {
    InProcessAddresses.unregister(host, port);
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
