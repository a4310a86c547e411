// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import static io.fairlead.wire.codec.LittleEndian.putInt32;

import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.MessageTooLargeException;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages into one buffer that is used again and again, so that each goes out with a single
 * write and costs no memory of its own. Not for several threads at a time.
 */
public final class MessageEncoder {

  private static final int BUFFER_BYTES = 8 * 1024;
  private static final int BUFFER_BYTES_KEPT = 256 * 1024;

  /** Commands that never travel compressed: the handshake, and what carries secrets. */
  private static final Set<String> PLAIN =
      Set.of(
          "hello",
          "isMaster",
          "ismaster",
          "saslStart",
          "saslContinue",
          "getnonce",
          "authenticate",
          "createUser",
          "updateUser",
          "copydbSaslStart",
          "copydbgetnonce",
          "copydb");

  private final int messageBytesMax;
  private BsonOutput buffer = new BsonOutput(BUFFER_BYTES);

  public MessageEncoder(int messageBytesMax) {
    this.messageBytesMax = messageBytesMax;
  }

  /**
   * Writes a message into the buffer, in place of the one before.
   *
   * @return its length; the bytes are the first ones of {@link #bytes()}
   * @throws MessageTooLargeException if it exceeds the limit
   */
  public int encode(Message message, @Nullable Compressor compressor)
      throws MessageTooLargeException {
    if (buffer.bytes().length > BUFFER_BYTES_KEPT) {
      buffer = new BsonOutput(BUFFER_BYTES);
    } else {
      buffer.clear();
    }
    boolean compressed = compressor != null && !PLAIN.contains(commandName(message.body()));
    switch (message.kind()) {
      case MSG -> writeMsg(message, !compressed && message.checksumPresent());
      case LEGACY_QUERY -> writeQuery(message);
      case LEGACY_REPLY -> writeReply(message);
    }
    if (compressor != null && compressed) {
      compress(message, compressor);
    }
    return buffer.size();
  }

  /** The buffer that the last message was written into. */
  public byte[] bytes() {
    return buffer.bytes();
  }

  private void writeMsg(Message message, boolean checksum) throws MessageTooLargeException {
    writeHeader(message, Protocol.OP_MSG);
    buffer.int32(checksum ? message.flagBits() : message.flagBits() & ~Message.CHECKSUM_PRESENT);
    buffer.int8(0);
    writeDocument(message.body());
    List<DocumentSequence> sequences = message.sequences();
    for (int i = 0; i < sequences.size(); i++) {
      writeSequence(sequences.get(i));
    }
    int length = buffer.size() + (checksum ? 4 : 0);
    writeLength(length);
    if (checksum) {
      CRC32C crc = new CRC32C();
      crc.update(buffer.bytes(), 0, length - 4);
      buffer.int32((int) crc.getValue());
    }
  }

  private void writeSequence(DocumentSequence sequence) throws MessageTooLargeException {
    buffer.int8(1);
    int start = buffer.size();
    buffer.int32(0);
    buffer.cString(sequence.identifier());
    List<RawBsonDocument> documents = sequence.documents();
    for (int i = 0; i < documents.size(); i++) {
      writeDocument(documents.get(i));
    }
    putInt32(buffer.bytes(), start, buffer.size() - start);
  }

  private void writeQuery(Message message) throws MessageTooLargeException {
    BsonValue database = message.body().get("$db");
    String name = database instanceof BsonString string ? string.getValue() : "admin";
    BsonDocument body = new BsonDocument();
    message.body().forEach(body::put);
    body.remove("$db");
    writeHeader(message, Protocol.OP_QUERY);
    buffer.int32(Protocol.QUERY_SECONDARY_OK);
    buffer.cString(name + ".$cmd");
    buffer.int32(0);
    buffer.int32(-1);
    writeDocument(body);
    writeLength(buffer.size());
  }

  private void writeReply(Message message) throws MessageTooLargeException {
    writeHeader(message, Protocol.OP_REPLY);
    buffer.int32(Protocol.REPLY_AWAIT_CAPABLE);
    buffer.int64(0);
    buffer.int32(0);
    buffer.int32(1);
    writeDocument(message.body());
    writeLength(buffer.size());
  }

  private void writeHeader(Message message, int opcode) {
    buffer.int32(0);
    buffer.int32(message.requestId());
    buffer.int32(message.responseTo());
    buffer.int32(opcode);
  }

  private void writeLength(int length) throws MessageTooLargeException {
    checkSize(length);
    putInt32(buffer.bytes(), 0, length);
  }

  private void writeDocument(BsonDocument document) throws MessageTooLargeException {
    if (document instanceof RawBsonDocument raw) {
      checkSize((long) buffer.size() + raw.getByteBuffer().remaining());
    }
    buffer.document(document);
  }

  private void compress(Message message, Compressor compressor) throws MessageTooLargeException {
    byte[] plain = buffer.bytes();
    int length = buffer.size() - Protocol.HEADER_BYTES;
    int opcode = LittleEndian.int32(plain, 12);
    byte[] packed = Compression.compress(compressor, plain, Protocol.HEADER_BYTES, length);
    buffer.clear();
    writeHeader(message, Protocol.OP_COMPRESSED);
    buffer.int32(opcode);
    buffer.int32(length);
    buffer.int8(compressor.id());
    buffer.bytes(packed, 0, packed.length);
    writeLength(buffer.size());
  }

  private void checkSize(long length) throws MessageTooLargeException {
    if (length > messageBytesMax) {
      throw new MessageTooLargeException(
          "a message of " + length + " bytes or more exceeds the limit of " + messageBytesMax);
    }
  }

  private static String commandName(BsonDocument body) {
    return body.isEmpty() ? "" : body.getFirstKey();
  }
}
