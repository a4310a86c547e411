// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.channel.DialOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Where a listener listens and what it allows its clients. Timeouts over TCP are noticed up to a
 * second late.
 *
 * @param host the address to listen on; default 127.0.0.1
 * @param port the port to listen on; 0 takes a free one
 * @param connectionsMax further clients are turned away by closing their connection; default 20,000
 * @param messageBytesMax the largest request; default and maximum 48,000,000 bytes
 * @param handshakeTimeout from the connection to the last byte of its first request; default 30 s
 * @param messageTimeout from the first byte of a request to its last, and for a client to take a
 *     reply; default 60 s
 * @param idleTimeout from a reply to the first byte of the next request; default 24 h
 */
public record ListenerSettings(
    String host,
    int port,
    int connectionsMax,
    int messageBytesMax,
    Duration handshakeTimeout,
    Duration messageTimeout,
    Duration idleTimeout) {

  public ListenerSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0..65535, was " + port);
    }
    if (connectionsMax < 1) {
      throw new IllegalArgumentException("connectionsMax must be positive, was " + connectionsMax);
    }
    if (messageBytesMax < 1024 || messageBytesMax > DialOptions.MESSAGE_BYTES_LIMIT) {
      throw new IllegalArgumentException(
          "messageBytesMax must be 1024.."
              + DialOptions.MESSAGE_BYTES_LIMIT
              + ", was "
              + messageBytesMax);
    }
    positive("handshakeTimeout", handshakeTimeout);
    positive("messageTimeout", messageTimeout);
    positive("idleTimeout", idleTimeout);
  }

  /** The defaults, on loopback. */
  public static ListenerSettings loopback(int port) {
    return on("127.0.0.1", port);
  }

  /** The defaults, on this address. */
  public static ListenerSettings on(String host, int port) {
    return new ListenerSettings(
        host,
        port,
        20_000,
        DialOptions.MESSAGE_BYTES_LIMIT,
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofHours(24));
  }

  /** The timeout that is over first. */
  Duration shortestTimeout() {
    return Collections.min(List.of(handshakeTimeout, messageTimeout, idleTimeout));
  }

  public ListenerSettings withConnectionsMax(int max) {
    return new ListenerSettings(
        host, port, max, messageBytesMax, handshakeTimeout, messageTimeout, idleTimeout);
  }

  public ListenerSettings withMessageBytesMax(int max) {
    return new ListenerSettings(
        host, port, connectionsMax, max, handshakeTimeout, messageTimeout, idleTimeout);
  }

  public ListenerSettings withTimeouts(Duration handshake, Duration message, Duration idle) {
    return new ListenerSettings(
        host, port, connectionsMax, messageBytesMax, handshake, message, idle);
  }

  private static void positive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, was " + duration);
    }
  }
}
