// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import java.util.Locale;

/**
 * A server's name in the topology: lower-case host, explicit port. Two spellings of one server are
 * equal.
 *
 * @param host host name or address literal, an IPv6 literal without its brackets
 * @param port 1 to 65535
 */
public record HostAddress(String host, int port) implements Comparable<HostAddress> {
  public static final int DEFAULT_PORT = 27017;

  public HostAddress {
    host = host.toLowerCase(Locale.ROOT);
    if (host.isEmpty()) {
      throw new IllegalArgumentException("a host name is needed, was empty");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("port of " + host + " must be 1..65535, was " + port);
    }
  }

  /**
   * Reads {@code host}, {@code host:port}, {@code [v6]} or {@code [v6]:port}.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  public static HostAddress parse(String text) {
    if (text.startsWith("[")) {
      int close = text.indexOf(']');
      if (close < 0) {
        throw new IllegalArgumentException("no closing bracket in address " + text);
      }
      String host = text.substring(1, close);
      if (close == text.length() - 1) {
        return new HostAddress(host, DEFAULT_PORT);
      }
      if (text.charAt(close + 1) != ':') {
        throw new IllegalArgumentException("a colon must follow the bracket in address " + text);
      }
      return new HostAddress(host, portOf(text, text.substring(close + 2)));
    }
    int colon = text.indexOf(':');
    if (colon < 0) {
      return new HostAddress(text, DEFAULT_PORT);
    }
    if (colon != text.lastIndexOf(':')) {
      throw new IllegalArgumentException("an IPv6 address needs brackets: " + text);
    }
    return new HostAddress(text.substring(0, colon), portOf(text, text.substring(colon + 1)));
  }

  private static int portOf(String text, String port) {
    try {
      return Integer.parseInt(port);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("no port number in address " + text, e);
    }
  }

  @Override
  public int compareTo(HostAddress other) {
    int byHost = host.compareTo(other.host);
    return byHost != 0 ? byHost : Integer.compare(port, other.port);
  }

  /** {@code host:port}, with brackets around an IPv6 literal; {@link #parse} reads it back. */
  @Override
  public String toString() {
    return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
  }
}
