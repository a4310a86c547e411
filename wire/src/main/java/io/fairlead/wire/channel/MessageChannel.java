// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One connection carrying whole messages. At a time one thread may send and one may receive; {@link
 * #close()} may come from any and wakes both with a {@link
 * io.fairlead.wire.message.ConnectionClosedException}. An interrupt of a virtual thread that waits
 * here closes the channel.
 */
public interface MessageChannel extends AutoCloseable {

  /**
   * Sends a message whole.
   *
   * @throws io.fairlead.wire.message.MessageTooLargeException if it is larger than the channel's
   *     limit; nothing was sent then
   * @throws io.fairlead.wire.message.ConnectionClosedException if the connection is or goes away
   */
  void send(Message message) throws WireException;

  /**
   * Waits for the next message.
   *
   * @param timeout for the whole message; zero waits without limit, for owners that bound the wait
   *     otherwise
   * @throws io.fairlead.wire.message.ReadTimeoutException if it did not arrive in time; the channel
   *     stays usable and the late message is what the next receive gets
   * @throws io.fairlead.wire.message.MalformedMessageException if what arrived is not a message;
   *     the channel is closed
   * @throws io.fairlead.wire.message.ConnectionClosedException if the connection is or goes away
   */
  default Message receive(Duration timeout) throws WireException {
    return receive(timeout, timeout);
  }

  /**
   * Waits for the next message with two limits.
   *
   * @param untilBegun for its first byte; zero waits without limit
   * @param untilWhole for its last byte, counted from the first that this call waits for or finds;
   *     zero waits without limit
   */
  Message receive(Duration untilBegun, Duration untilWhole) throws WireException;

  /**
   * Compresses what is sent from now on, except commands that must not be (the handshake and
   * authentication); null ends that. Ignored inside one JVM.
   */
  void compressWith(@Nullable Compressor compressor);

  /** The compressor that the last received message came with, or null. */
  @Nullable Compressor receivedWith();

  /** Closes the connection and wakes whoever waits on it. Does nothing the second time. */
  @Override
  void close();

  /** Whether neither side has been seen to close it yet. */
  boolean isOpen();

  /** The other side, as {@code host:port}, for logs. */
  String peer();
}
