// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.channel;

import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.MessageTooLargeException;
import io.fairlead.wire.message.ReadTimeoutException;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * A channel between two ends in this JVM. The message itself changes hands, its body made bytes
 * once so that neither end sees what the other does to its document later. It is never compressed;
 * a checksum has nothing to guard here.
 */
final class InProcessChannel implements MessageChannel {

  private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
  private static final AtomicLong CLIENTS = new AtomicLong();
  private static final int OVERHEAD_BYTES = 26;

  private final Mailbox incoming;
  private final Mailbox outgoing;
  private final String peer;
  private final int messageBytesMax;
  private final AtomicBoolean closed = new AtomicBoolean();

  private InProcessChannel(Mailbox incoming, Mailbox outgoing, String peer, int messageBytesMax) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.peer = peer;
    this.messageBytesMax = messageBytesMax;
  }

  /** The two ends of a new connection. */
  record Pair(InProcessChannel client, InProcessChannel server) {}

  static Pair pair(String serverName, int clientBytesMax, int serverBytesMax) {
    Mailbox requests = new Mailbox();
    Mailbox replies = new Mailbox();
    int bytesMax = Math.min(clientBytesMax, serverBytesMax);
    return new Pair(
        new InProcessChannel(replies, requests, serverName, clientBytesMax),
        new InProcessChannel(
            requests, replies, "client-" + CLIENTS.incrementAndGet() + ".inprocess", bytesMax));
  }

  @Override
  public void send(Message message) throws WireException {
    Message sealed = sealed(message);
    checkSize(sealed);
    try {
      if (closed.get() || !outgoing.put(sealed)) {
        throw gone();
      }
    } catch (InterruptedException interrupted) {
      throw interrupted();
    }
  }

  private static Message sealed(Message message) {
    if (message.body() instanceof RawBsonDocument) {
      return message;
    }
    RawBsonDocument body = new RawBsonDocument(message.body(), DOCUMENTS);
    Message.Kind kind = message.kind();
    return new Message(
        kind,
        message.requestId(),
        message.responseTo(),
        message.flagBits(),
        body,
        message.sequences());
  }

  private void checkSize(Message message) throws MessageTooLargeException {
    long size = OVERHEAD_BYTES + (long) size((RawBsonDocument) message.body());
    for (DocumentSequence sequence : message.sequences()) {
      for (RawBsonDocument document : sequence.documents()) {
        size += size(document);
      }
    }
    if (size > messageBytesMax) {
      throw new MessageTooLargeException(
          "a message of " + size + " bytes exceeds the limit of " + messageBytesMax);
    }
  }

  private static int size(RawBsonDocument document) {
    return document.getByteBuffer().remaining();
  }

  @Override
  public Message receive(Duration untilBegun, Duration untilWhole) throws WireException {
    try {
      Mailbox.Taken taken = incoming.take(Mailbox.nanos(untilBegun));
      Message message = taken.message();
      if (message != null) {
        return message;
      }
      if (taken.gone()) {
        throw gone();
      }
      throw new ReadTimeoutException(
          "no whole message from " + peer + " within " + untilBegun.toMillis() + " ms");
    } catch (InterruptedException interrupted) {
      throw interrupted();
    }
  }

  private ConnectionClosedException gone() {
    boolean byUs = closed.get();
    close();
    return new ConnectionClosedException(
        "connection to " + peer + " closed " + (byUs ? "on this side" : "by the peer"));
  }

  private ConnectionClosedException interrupted() {
    Thread.currentThread().interrupt();
    close();
    return new ConnectionClosedException(
        "connection to " + peer + " closed on this side: interrupted");
  }

  @Override
  public void compressWith(@Nullable Compressor compressor) {
    // documented: nothing is compressed inside one JVM
  }

  @Override
  public @Nullable Compressor receivedWith() {
    return null;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      outgoing.senderCloses();
      incoming.receiverCloses();
    }
  }

  @Override
  public boolean isOpen() {
    return !closed.get();
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public String toString() {
    return "in-process connection to " + peer;
  }
}
