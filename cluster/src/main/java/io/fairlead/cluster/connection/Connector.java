// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ConnectionId;
import com.mongodb.connection.ServerId;
import io.fairlead.topology.HostAddress;
import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens handshaken connections to one server. Any thread may call; each call blocks until its
 * connection is there.
 */
public final class Connector {
  private final HostAddress server;
  private final ServerId serverId;
  private final Handshake handshake;
  private final Duration connectTimeout;
  private final AtomicLong lastId;

  /**
   * @param ids numbers the connections of one client
   * @param connectTimeout for dialling, and again for the handshake's reply; zero: without limit
   */
  public Connector(
      HostAddress server,
      ClusterId cluster,
      Handshake handshake,
      Duration connectTimeout,
      AtomicLong ids) {
    this.server = server;
    this.serverId = new ServerId(cluster, new ServerAddress(server.host(), server.port()));
    this.handshake = handshake;
    this.connectTimeout = connectTimeout;
    this.lastId = ids;
  }

  /** The server in the public driver's words. */
  public ServerId serverId() {
    return serverId;
  }

  /** The id of a connection that is about to be opened. */
  public ConnectionId nextId() {
    return new ConnectionId(serverId, lastId.incrementAndGet(), null);
  }

  /**
   * Opens a connection and shakes hands.
   *
   * @throws Handshake.RefusedException if the server answered the handshake with an error
   * @throws IOException if no connection came about, or it failed
   */
  public Connection open(ConnectionId id) throws IOException {
    MessageChannel channel =
        Dialer.dial(
            server.host(), server.port(), DialOptions.DEFAULT.withConnectTimeout(connectTimeout));
    boolean opened = false;
    try {
      Connection connection =
          new Connection(server, channel, handshake.shake(channel, id, connectTimeout));
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        channel.close();
      }
    }
  }
}
