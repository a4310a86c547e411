// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.WireException;
import java.time.Duration;

/** Opens connections from this member to another one. A test network puts its rules here. */
@FunctionalInterface
public interface PeerDialer {

  /** The real network. */
  PeerDialer DIRECT =
      (host, timeout) -> {
        int colon = host.lastIndexOf(':');
        return Dialer.dial(
            host.substring(0, colon),
            Integer.parseInt(host.substring(colon + 1)),
            DialOptions.DEFAULT.withConnectTimeout(timeout));
      };

  /**
   * Opens a connection.
   *
   * @param host {@code host:port} as the configuration names the member
   * @throws io.fairlead.wire.message.ConnectException if no connection came about
   */
  MessageChannel dial(String host, Duration timeout) throws WireException;
}
