// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import io.fairlead.wire.message.ConnectException;
import io.fairlead.wire.message.WireException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

/**
 * Opens connections. Blocks the calling thread, which is best a virtual one; its interrupt ends the
 * attempt.
 */
public final class Dialer {

  private Dialer() {}

  /**
   * Opens a connection to a host and port: inside this JVM when the address is registered in {@link
   * InProcessAddresses} or its host ends in {@code .inprocess}, else over TCP, trying each address
   * that the host resolves to. Name resolution is not covered by the connect timeout.
   *
   * @throws ConnectException if no connection came about
   */
  public static MessageChannel dial(String host, int port, DialOptions options)
      throws WireException {
    if (InProcessAddresses.isInProcess(host, port)) {
      MessageChannel channel = InProcessAddresses.connect(host, port, options);
      if (channel == null) {
        throw new ConnectException(
            "cannot connect to " + host + ":" + port + ": nobody listens there in this JVM");
      }
      return channel;
    }
    return dialTcp(host, port, options);
  }

  private static MessageChannel dialTcp(String host, int port, DialOptions options)
      throws WireException {
    InetAddress[] addresses;
    try {
      addresses = InetAddress.getAllByName(host);
    } catch (UnknownHostException unknown) {
      throw new ConnectException(
          "cannot connect to " + host + ":" + port + ": unknown host", unknown);
    }
    long deadline = System.nanoTime() + options.connectTimeout().toNanos();
    IOException last = new IOException("no address left to try");
    for (int i = 0; i < addresses.length; i++) {
      int millis = 0;
      if (!options.connectTimeout().isZero()) {
        long share = (deadline - System.nanoTime()) / (addresses.length - i);
        if (share <= 0) {
          break;
        }
        millis = (int) Math.clamp(TimeUnit.NANOSECONDS.toMillis(share), 1L, Integer.MAX_VALUE);
      }
      try {
        return connect(
            new InetSocketAddress(addresses[i], port), millis, options.messageBytesMax());
      } catch (IOException refused) {
        last = refused;
      }
    }
    throw new ConnectException(
        "cannot connect to " + host + ":" + port + ": " + last.getMessage(), last);
  }

  private static MessageChannel connect(InetSocketAddress address, int millis, int messageBytesMax)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(address, millis);
      return TcpChannel.over(socket, messageBytesMax);
    } catch (IOException failed) {
      socket.close();
      throw failed;
    }
  }
}
