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
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages into one buffer that is used again and again, so that each goes out with a single
 * write and costs no memory of its own. Not for several threads at a time.
 */
public final class MessageEncoder {

  private static final int BUFFER_BYTES = 8 * 1024;
  private static final int BUFFER_BYTES_KEPT = 256 * 1024;
  private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
  private static final EncoderContext CONTEXT = EncoderContext.builder().build();

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
  private BasicOutputBuffer buffer = new BasicOutputBuffer(BUFFER_BYTES);

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
    if (buffer.getInternalBuffer().length > BUFFER_BYTES_KEPT) {
      buffer = new BasicOutputBuffer(BUFFER_BYTES);
    } else {
      buffer.truncateToPosition(0);
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
    return buffer.getPosition();
  }

  /** The buffer that the last message was written into. */
  public byte[] bytes() {
    return buffer.getInternalBuffer();
  }

  private void writeMsg(Message message, boolean checksum) throws MessageTooLargeException {
    writeHeader(message, Protocol.OP_MSG);
    buffer.writeInt32(
        checksum ? message.flagBits() : message.flagBits() & ~Message.CHECKSUM_PRESENT);
    buffer.writeByte(0);
    writeDocument(message.body());
    List<DocumentSequence> sequences = message.sequences();
    for (int i = 0; i < sequences.size(); i++) {
      writeSequence(sequences.get(i));
    }
    int length = buffer.getPosition() + (checksum ? 4 : 0);
    writeLength(length);
    if (checksum) {
      CRC32C crc = new CRC32C();
      crc.update(buffer.getInternalBuffer(), 0, length - 4);
      buffer.writeInt32((int) crc.getValue());
    }
  }

  private void writeSequence(DocumentSequence sequence) throws MessageTooLargeException {
    buffer.writeByte(1);
    int start = buffer.getPosition();
    buffer.writeInt32(0);
    buffer.writeCString(sequence.identifier());
    List<RawBsonDocument> documents = sequence.documents();
    for (int i = 0; i < documents.size(); i++) {
      writeDocument(documents.get(i));
    }
    putInt32(buffer.getInternalBuffer(), start, buffer.getPosition() - start);
  }

  private void writeQuery(Message message) throws MessageTooLargeException {
    BsonValue database = message.body().get("$db");
    String name = database instanceof BsonString string ? string.getValue() : "admin";
    BsonDocument body = new BsonDocument();
    message.body().forEach(body::put);
    body.remove("$db");
    writeHeader(message, Protocol.OP_QUERY);
    buffer.writeInt32(Protocol.QUERY_SECONDARY_OK);
    buffer.writeCString(name + ".$cmd");
    buffer.writeInt32(0);
    buffer.writeInt32(-1);
    writeDocument(body);
    writeLength(buffer.getPosition());
  }

  private void writeReply(Message message) throws MessageTooLargeException {
    writeHeader(message, Protocol.OP_REPLY);
    buffer.writeInt32(Protocol.REPLY_AWAIT_CAPABLE);
    buffer.writeInt64(0);
    buffer.writeInt32(0);
    buffer.writeInt32(1);
    writeDocument(message.body());
    writeLength(buffer.getPosition());
  }

  private void writeHeader(Message message, int opcode) {
    buffer.writeInt32(0);
    buffer.writeInt32(message.requestId());
    buffer.writeInt32(message.responseTo());
    buffer.writeInt32(opcode);
  }

  private void writeLength(int length) throws MessageTooLargeException {
    checkSize(length);
    putInt32(buffer.getInternalBuffer(), 0, length);
  }

  private void writeDocument(BsonDocument document) throws MessageTooLargeException {
    if (document instanceof RawBsonDocument raw) {
      ByteBuf bytes = raw.getByteBuffer();
      checkSize((long) buffer.getPosition() + bytes.remaining());
      buffer.writeBytes(bytes.array(), bytes.position(), bytes.remaining());
    } else {
      DOCUMENTS.encode(new BsonBinaryWriter(buffer), document, CONTEXT);
    }
  }

  private void compress(Message message, Compressor compressor) throws MessageTooLargeException {
    byte[] plain = buffer.getInternalBuffer();
    int length = buffer.getPosition() - Protocol.HEADER_BYTES;
    int opcode = LittleEndian.int32(plain, 12);
    byte[] packed = Compression.compress(compressor, plain, Protocol.HEADER_BYTES, length);
    buffer.truncateToPosition(0);
    writeHeader(message, Protocol.OP_COMPRESSED);
    buffer.writeInt32(opcode);
    buffer.writeInt32(length);
    buffer.writeByte(compressor.id());
    buffer.writeBytes(packed, 0, packed.length);
    writeLength(buffer.getPosition());
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
