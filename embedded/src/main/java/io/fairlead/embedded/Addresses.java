// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Gives every server its address before it starts, since the members of a set must know each
 * other's. Free ports are taken below the range from which systems draw them for outgoing
 * connections, so that a port stays free while its server is down.
 */
final class Addresses {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int TRIES = 1000;
  private static final AtomicLong CLUSTERS = new AtomicLong();
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final boolean inProcess;
  private final String cluster;
  private @Nullable Integer next;

  /**
   * The addresses of one cluster.
   *
   * @param firstPort ports are counted up from there; null or 0 takes free ones. In process it is
   *     part of every name, and clusters with the same one have the same addresses
   */
  Addresses(boolean inProcess, @Nullable Integer firstPort) {
    this.inProcess = inProcess;
    this.next = firstPort == null || firstPort == 0 ? null : firstPort;
    this.cluster = next == null ? String.valueOf(CLUSTERS.incrementAndGet()) : "port" + next;
  }

  /** A {@code host:port} for the server of that name. */
  String next(String name) {
    if (inProcess) {
      return name + "." + cluster + ".inprocess:27017";
    }
    if (next != null) {
      return "127.0.0.1:" + next++;
    }
    return "127.0.0.1:" + freePort();
  }

  private static int freePort() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (GIVEN.add(port) && isFree(port)) {
        return port;
      }
    }
    throw new UncheckedIOException(
        new IOException(
            "no free port found between "
                + LOWEST
                + " and "
                + HIGHEST
                + " in "
                + TRIES
                + " tries"));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  static String host(String address) {
    return address.substring(0, address.lastIndexOf(':'));
  }

  static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
