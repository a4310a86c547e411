// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import java.time.Duration;

/**
 * How a connection is opened and what it may carry.
 *
 * @param connectTimeout for opening it, over all addresses of the host together; default 10 s; zero
 *     waits as long as the operating system does
 * @param messageBytesMax the largest message accepted and sent; default and maximum 48,000,000
 *     bytes
 */
public record DialOptions(Duration connectTimeout, int messageBytesMax) {

  /** The largest message of MongoDB's protocol. */
  public static final int MESSAGE_BYTES_LIMIT = 48_000_000;

  /** 10 s and 48,000,000 bytes. */
  public static final DialOptions DEFAULT =
      new DialOptions(Duration.ofSeconds(10), MESSAGE_BYTES_LIMIT);

  public DialOptions {
    if (connectTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "connectTimeout must not be negative, was " + connectTimeout);
    }
    if (messageBytesMax < 1024 || messageBytesMax > MESSAGE_BYTES_LIMIT) {
      throw new IllegalArgumentException(
          "messageBytesMax must be 1024.." + MESSAGE_BYTES_LIMIT + ", was " + messageBytesMax);
    }
  }

  /** The same options with another connect timeout. */
  public DialOptions withConnectTimeout(Duration timeout) {
    return new DialOptions(timeout, messageBytesMax);
  }
}
