// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import io.fairlead.wire.message.WireException;

/** Opens connections. */
public final class Dialer {

  private Dialer() {}

  /**
   * Opens a connection to a host and port: inside this JVM when the address is registered in {@link
   * InProcessAddresses} or its host ends in {@code .inprocess}, else over TCP, trying each address
   * that the host resolves to. Name resolution is not covered by the connect timeout.
   *
   * @throws io.fairlead.wire.message.ConnectException if no connection came about
   */
  @SuppressWarnings("DoNotCallSuggester") // the transports arrive with the next commit
  public static MessageChannel dial(String host, int port, DialOptions options)
      throws WireException {
    throw new UnsupportedOperationException("dial " + host + ":" + port + " " + options);
  }
}
