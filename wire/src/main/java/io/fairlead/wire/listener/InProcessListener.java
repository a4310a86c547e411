// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.channel.InProcessAddresses;
import java.util.Set;

/**
 * Accepts connections inside this JVM and gives each a virtual thread, as {@link WireListener} does
 * over TCP.
 */
public final class InProcessListener implements AutoCloseable {

  private final InProcessAddresses.Registration registration;
  private final ConnectionTable table;

  private InProcessListener(InProcessAddresses.Registration registration, ConnectionTable table) {
    this.registration = registration;
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
      return new InProcessListener(
          InProcessAddresses.register(
              settings.host(), settings.port(), settings.messageBytesMax(), table::accept),
          table);
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
    return registration.host();
  }

  /** The port it listens on. */
  public int port() {
    return registration.port();
  }

  /** The connections that are open now. */
  public Set<ClientConnection> connections() {
    return table.connections();
  }

  /** Turns new clients away from now on; those that are connected go on being served. */
  public void stopAccepting() {
    registration.end();
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
