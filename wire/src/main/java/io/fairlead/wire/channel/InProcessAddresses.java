// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that are served inside this JVM. By convention their hosts end in {@value #SUFFIX},
 * so that no resolver is ever asked for one. Any thread may call.
 */
public final class InProcessAddresses {

  /** The ending of host names that exist only inside a JVM. */
  public static final String SUFFIX = ".inprocess";

  private static final int FIRST_PORT = 27_017;
  private static final ConcurrentHashMap<String, Entry> ENTRIES = new ConcurrentHashMap<>();

  private InProcessAddresses() {}

  private record Entry(Consumer<MessageChannel> acceptor, int messageBytesMax) {}

  /** An address that is served, until its owner ends that. */
  public static final class Registration {
    private final String host;
    private final int port;
    private final Entry entry;

    private Registration(String host, int port, Entry entry) {
      this.host = host;
      this.port = port;
      this.entry = entry;
    }

    public String host() {
      return host;
    }

    public int port() {
      return port;
    }

    /**
     * Ends serving the address; does nothing the second time, whoever serves it then. Connections
     * that exist are their owner's to close.
     */
    public void end() {
      ENTRIES.remove(key(host, port), entry);
    }
  }

  /**
   * Serves an address: the acceptor gets the server's end of each connection that is dialled, on
   * the dialling thread, and must return at once.
   *
   * @param port 0 takes a free one from 27017 up
   * @throws IllegalStateException if the address is served already
   */
  public static Registration register(
      String host, int port, int messageBytesMax, Consumer<MessageChannel> acceptor) {
    Entry entry = new Entry(acceptor, messageBytesMax);
    if (port != 0) {
      if (ENTRIES.putIfAbsent(key(host, port), entry) != null) {
        throw new IllegalStateException(host + ":" + port + " is served already in this JVM");
      }
      return new Registration(host, port, entry);
    }
    int free = FIRST_PORT;
    while (ENTRIES.putIfAbsent(key(host, free), entry) != null) {
      free++;
    }
    return new Registration(host, free, entry);
  }

  /** Whether an address is served, or by its name could only be served, inside this JVM. */
  static boolean isInProcess(String host, int port) {
    return ENTRIES.containsKey(key(host, port)) || host.toLowerCase(Locale.ROOT).endsWith(SUFFIX);
  }

  /** The client's end of a new connection, or null when nobody serves the address. */
  static @Nullable MessageChannel connect(String host, int port, DialOptions options) {
    Entry entry = ENTRIES.get(key(host, port));
    if (entry == null) {
      return null;
    }
    InProcessChannel.Pair pair =
        InProcessChannel.pair(key(host, port), options.messageBytesMax(), entry.messageBytesMax);
    entry.acceptor.accept(pair.server());
    return pair.client();
  }

  private static String key(String host, int port) {
    return host.toLowerCase(Locale.ROOT) + ":" + port;
  }
}
