// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import io.fairlead.wire.codec.MessageDecoder;
import io.fairlead.wire.codec.MessageEncoder;
import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.MalformedMessageException;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.NestedTooDeepException;
import io.fairlead.wire.message.ReadTimeoutException;
import io.fairlead.wire.message.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A channel over a TCP socket. A message goes out with a single write; what comes in is read into a
 * buffer that is used again and grows only as bytes really arrive, so an announced length alone
 * takes no memory. A read that times out leaves what it has in the buffer, and the next goes on
 * from there.
 */
public final class TcpChannel implements MessageChannel {

  private static final int BUFFER_BYTES = 8 * 1024;
  private static final int BUFFER_BYTES_KEPT = 256 * 1024;
  private static final long NOT_SENDING = 0;
  private static final long NOT_DUE = 0;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String peer;
  private final MessageEncoder encoder;
  private final MessageDecoder decoder;
  private final boolean watched;

  private byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private int socketTimeoutMillis;
  private @Nullable Compressor receivedWith;
  private volatile @Nullable Compressor compressWith;
  private volatile boolean open = true;
  private volatile long sendingSinceNanos = NOT_SENDING;
  private volatile long receiptDueNanos = NOT_DUE;
  private volatile boolean late;

  private TcpChannel(Socket socket, int messageBytesMax, boolean watched) throws IOException {
    this.socket = socket;
    this.watched = watched;
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    this.peer =
        socket.getRemoteSocketAddress() instanceof InetSocketAddress address
            ? address.getHostString() + ":" + address.getPort()
            : "unknown";
    this.encoder = new MessageEncoder(messageBytesMax);
    this.decoder = new MessageDecoder(messageBytesMax);
  }

  /**
   * A channel over a connected socket, which it owns from now on.
   *
   * @throws IOException if the socket is gone already
   */
  public static TcpChannel over(Socket socket, int messageBytesMax) throws IOException {
    return new TcpChannel(socket, messageBytesMax, false);
  }

  /**
   * A channel over a connected socket, which it owns from now on, whose timeouts are kept by
   * whoever calls {@link #closeIfLate} again and again: the socket itself waits without limit, so
   * that a message costs a platform thread one read, where a socket that times out costs it a read
   * in vain, a poll and a read. A receive that is late closes the channel.
   *
   * @throws IOException if the socket is gone already
   */
  public static TcpChannel watched(Socket socket, int messageBytesMax) throws IOException {
    return new TcpChannel(socket, messageBytesMax, true);
  }

  @Override
  public void send(Message message) throws WireException {
    int length = encoder.encode(message, compressWith);
    sendingSinceNanos = System.nanoTime() | 1;
    try {
      out.write(encoder.bytes(), 0, length);
    } catch (IOException broken) {
      throw closed("while sending", broken);
    } finally {
      sendingSinceNanos = NOT_SENDING;
    }
  }

  /** Whether a send has been waiting for the peer longer than this. May be asked by any thread. */
  public boolean sendingLongerThan(Duration limit) {
    long since = sendingSinceNanos;
    return since != NOT_SENDING && System.nanoTime() - since > limit.toNanos();
  }

  /**
   * Closes a {@link #watched} channel when its receive has waited longer than it may; the receive
   * ends with {@link ReadTimeoutException}. May be called by any thread.
   */
  public void closeIfLate() {
    long due = receiptDueNanos;
    if (due != NOT_DUE && System.nanoTime() - due >= 0) {
      late = true;
      close();
    }
  }

  @Override
  public Message receive(Duration untilBegun, Duration untilWhole) throws WireException {
    if (start == end) {
      fill(deadline(untilBegun), untilBegun);
    }
    int headerBytes = MessageDecoder.headerBytes();
    try {
      long deadline =
          end - start >= headerBytes && end - start >= decoder.lengthOf(buffer, start)
              ? 0
              : deadline(untilWhole);
      while (end - start < headerBytes) {
        makeRoom(headerBytes);
        fill(deadline, untilWhole);
      }
      int length = decoder.lengthOf(buffer, start);
      while (end - start < length) {
        makeRoom(length);
        fill(deadline, untilWhole);
      }
      try {
        Message message = decoder.decode(buffer, start, length);
        receivedWith = decoder.compressor();
        return message;
      } finally {
        consume(length);
      }
    } catch (NestedTooDeepException intact) {
      throw intact;
    } catch (MalformedMessageException malformed) {
      close();
      throw malformed;
    }
  }

  private static long deadline(Duration timeout) {
    return timeout.isZero() ? 0 : (System.nanoTime() + timeout.toNanos()) | 1;
  }

  /** Reads what is there, at least one byte. */
  private void fill(long deadline, Duration timeout) throws WireException {
    try {
      int read = watched ? readWatched(deadline) : readWithin(deadline, timeout);
      if (read < 0) {
        throw closed("by the peer", null);
      }
      end += read;
    } catch (SocketTimeoutException tooLate) {
      throw timedOut(timeout);
    } catch (WireException told) {
      throw told;
    } catch (IOException broken) {
      if (late) {
        throw timedOut(timeout);
      }
      throw closed("while receiving", broken);
    }
  }

  private int readWatched(long deadline) throws IOException {
    receiptDueNanos = deadline;
    try {
      return in.read(buffer, end, buffer.length - end);
    } finally {
      receiptDueNanos = NOT_DUE;
    }
  }

  private int readWithin(long deadline, Duration timeout) throws IOException {
    setSocketTimeout(deadline, timeout);
    return in.read(buffer, end, buffer.length - end);
  }

  /**
   * The first read of a message takes the whole timeout, so that equal timeouts of successive
   * messages cost no calls.
   */
  private void setSocketTimeout(long deadline, Duration timeout) throws IOException {
    int millis = 0;
    if (deadline != 0) {
      long remaining = start == end ? timeout.toNanos() : deadline - System.nanoTime();
      if (remaining <= 0) {
        throw timedOut(timeout);
      }
      millis =
          (int)
              Math.clamp(TimeUnit.NANOSECONDS.toMillis(remaining + 999_999), 1L, Integer.MAX_VALUE);
    }
    if (millis != socketTimeoutMillis) {
      socket.setSoTimeout(millis);
      socketTimeoutMillis = millis;
    }
  }

  /**
   * Makes room for at least one more byte of a message of this length: moves it to the front, then
   * doubles.
   */
  private void makeRoom(int length) {
    if (start > 0 && start + length > buffer.length) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(length, 2L * buffer.length));
    }
  }

  private void consume(int length) {
    start += length;
    if (start == end) {
      start = 0;
      end = 0;
      if (buffer.length > BUFFER_BYTES_KEPT) {
        buffer = new byte[BUFFER_BYTES];
      }
    }
  }

  private ReadTimeoutException timedOut(Duration timeout) {
    return new ReadTimeoutException(
        "no whole message from " + peer + " within " + timeout.toMillis() + " ms");
  }

  private ConnectionClosedException closed(String how, @Nullable IOException cause) {
    boolean byUs = !open;
    close();
    String why = byUs ? "on this side" : how;
    String detail = cause == null || byUs ? "" : ": " + cause.getMessage();
    return new ConnectionClosedException(
        "connection to " + peer + " closed " + why + detail, cause);
  }

  @Override
  public void compressWith(@Nullable Compressor compressor) {
    compressWith = compressor;
  }

  @Override
  public @Nullable Compressor receivedWith() {
    return receivedWith;
  }

  @Override
  public void close() {
    open = false;
    try {
      socket.close();
    } catch (IOException ignored) {
      // nobody can use it any more, which is all that was wanted
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public String toString() {
    return "TCP connection to " + peer;
  }
}
