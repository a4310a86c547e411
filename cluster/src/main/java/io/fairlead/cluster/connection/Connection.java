// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import com.mongodb.connection.ConnectionDescription;
import io.fairlead.topology.HostAddress;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.MessageTooLargeException;
import io.fairlead.wire.message.ReadTimeoutException;
import io.fairlead.wire.message.WireException;
import java.io.IOException;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * One handshaken connection. Whoever holds it runs one command at a time; {@link #close} may come
 * from any thread and wakes the holder.
 *
 * <p>After a reply did not come in time the connection is broken: the late reply would answer the
 * next command.
 */
public final class Connection {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private final HostAddress server;
  private final MessageChannel channel;
  private final Handshake.Result handshake;
  private final ConnectionDescription description;
  private volatile boolean broken;

  Connection(HostAddress server, MessageChannel channel, Handshake.Result handshake) {
    this.server = server;
    this.channel = channel;
    this.handshake = handshake;
    this.description = handshake.description();
  }

  /** The server's name in the topology. */
  public HostAddress server() {
    return server;
  }

  /** What the server said in the handshake, in the public driver's words. */
  public ConnectionDescription description() {
    return description;
  }

  /** What the server said in the handshake. */
  public Handshake.Result handshake() {
    return handshake;
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @param timeout for the reply; zero: without limit
   * @return the reply's body, whatever its {@code ok}
   * @throws ReadTimeoutException if the reply did not come in time; the connection is broken then
   * @throws IOException if the connection failed or its reply answers something else
   */
  public RawBsonDocument exchange(Message command, Duration timeout) throws IOException {
    send(command);
    return receiveReply(command.requestId(), timeout);
  }

  /** Waits for the reply to {@code requestId}: its body as bytes. */
  public RawBsonDocument receiveReply(int requestId, Duration timeout) throws IOException {
    return asRaw(receive(requestId, timeout).body());
  }

  /** Sends a command that expects no reply, or the first of an exhaust exchange. */
  public void send(Message command) throws WireException {
    try {
      channel.send(command);
    } catch (MessageTooLargeException refused) {
      throw refused; // nothing of it was sent
    } catch (WireException failure) {
      broken = true;
      throw failure;
    }
  }

  /**
   * Waits for the message that answers {@code requestId}.
   *
   * @param requestId of the command, or of the last exhaust reply
   */
  public Message receive(int requestId, Duration timeout) throws IOException {
    Message reply;
    try {
      reply = channel.receive(timeout);
    } catch (WireException failure) {
      broken = true;
      throw failure;
    }
    if (reply.responseTo() != requestId) {
      close();
      throw new UnexpectedReplyException(
          server
              + " answered request "
              + reply.responseTo()
              + " when "
              + requestId
              + " was waited for");
    }
    return reply;
  }

  /** Whether it can run another command. */
  public boolean isUsable() {
    return !broken && channel.isOpen();
  }

  /** Closes the connection and wakes whoever waits for a reply on it. */
  public void close() {
    broken = true;
    channel.close();
  }

  /** The body as bytes: as it came from the network, or encoded when it was built in this JVM. */
  static RawBsonDocument asRaw(BsonDocument body) {
    return body instanceof RawBsonDocument raw ? raw : new RawBsonDocument(body, CODEC);
  }

  @Override
  public String toString() {
    @Nullable Long local = description.getConnectionId().getLocalValue();
    return "connection " + local + " to " + server;
  }
}
