// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import static io.fairlead.wire.codec.LittleEndian.int32;
import static io.fairlead.wire.codec.LittleEndian.putInt32;

import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.MalformedMessageException;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.NestedTooDeepException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages out of a buffer. Documents are copied out of it, each into an array of its own, so
 * the buffer may be used again and a kept document keeps nothing else alive. Not for several
 * threads at a time.
 */
public final class MessageDecoder {

  private static final int KNOWN_REQUIRED_FLAGS = Message.CHECKSUM_PRESENT | Message.MORE_TO_COME;
  private static final int REQUIRED_FLAGS = 0xFFFF;

  private final int messageBytesMax;
  private @Nullable Compressor compressor;

  public MessageDecoder(int messageBytesMax) {
    this.messageBytesMax = messageBytesMax;
  }

  /** The bytes of a header, from which {@link #lengthOf} tells the rest. */
  public static int headerBytes() {
    return Protocol.HEADER_BYTES;
  }

  /** The length of the message whose header starts at an offset, when it is one that can be. */
  public int lengthOf(byte[] bytes, int at) throws MalformedMessageException {
    int length = int32(bytes, at);
    if (length < Protocol.HEADER_BYTES + 5 || length > messageBytesMax) {
      throw new MalformedMessageException(
          "a message of "
              + length
              + " bytes; "
              + (Protocol.HEADER_BYTES + 5)
              + " to "
              + messageBytesMax
              + " are possible");
    }
    int opcode = int32(bytes, at + 12);
    switch (opcode) {
      case Protocol.OP_MSG, Protocol.OP_QUERY, Protocol.OP_REPLY, Protocol.OP_COMPRESSED -> {}
      default ->
          throw new MalformedMessageException(
              "no support for messages of opcode "
                  + opcode
                  + ", the drivers of today send OP_MSG (2013)");
    }
    return length;
  }

  /** The compressor of the last message decoded, or null. */
  public @Nullable Compressor compressor() {
    return compressor;
  }

  /** Reads the message whose bytes are these, length and all. */
  public Message decode(byte[] bytes, int offset, int length) throws MalformedMessageException {
    if (length < Protocol.HEADER_BYTES || length != lengthOf(bytes, offset)) {
      throw new MalformedMessageException(
          "a message whose header disagrees with its length of " + length);
    }
    compressor = null;
    int opcode = int32(bytes, offset + 12);
    return opcode == Protocol.OP_COMPRESSED
        ? decompressed(bytes, offset, offset + length)
        : plain(bytes, offset, offset + length, opcode);
  }

  private Message plain(byte[] bytes, int offset, int end, int opcode)
      throws MalformedMessageException {
    try {
      return switch (opcode) {
        case Protocol.OP_MSG -> msg(bytes, offset, end);
        case Protocol.OP_QUERY -> query(bytes, offset, end);
        case Protocol.OP_REPLY -> reply(bytes, offset, end);
        default ->
            throw new MalformedMessageException(
                "no support for compressed messages of opcode " + opcode);
      };
    } catch (BsonStructure.TooDeepException deep) {
      throw new NestedTooDeepException(
          "documents nest deeper than " + Protocol.NESTING_MAX, head(bytes, offset, opcode));
    }
  }

  private static Message head(byte[] bytes, int offset, int opcode) {
    Message.Kind kind =
        switch (opcode) {
          case Protocol.OP_QUERY -> Message.Kind.LEGACY_QUERY;
          case Protocol.OP_REPLY -> Message.Kind.LEGACY_REPLY;
          default -> Message.Kind.MSG;
        };
    return new Message(
        kind,
        int32(bytes, offset + 4),
        int32(bytes, offset + 8),
        kind == Message.Kind.MSG ? int32(bytes, offset + 16) : 0,
        new BsonDocument(),
        List.of());
  }

  private Message decompressed(byte[] bytes, int offset, int end) throws MalformedMessageException {
    int content = offset + Protocol.HEADER_BYTES + 9;
    if (content >= end) {
      throw new MalformedMessageException("a compressed message is cut off");
    }
    int opcode = int32(bytes, offset + 16);
    int size = int32(bytes, offset + 20);
    int id = bytes[offset + 24];
    if (size < 5 || size > messageBytesMax - Protocol.HEADER_BYTES) {
      throw new MalformedMessageException(
          "a compressed message of "
              + size
              + " bytes; up to "
              + (messageBytesMax - Protocol.HEADER_BYTES)
              + " are possible");
    }
    byte[] unpacked = unpack(id, bytes, content, end - content, size);
    putInt32(unpacked, 0, unpacked.length);
    System.arraycopy(bytes, offset + 4, unpacked, 4, 8);
    putInt32(unpacked, 12, opcode);
    return plain(unpacked, 0, unpacked.length, opcode);
  }

  private byte[] unpack(int id, byte[] bytes, int offset, int length, int size)
      throws MalformedMessageException {
    if (id == 0) { // "noop" of the specification
      if (length != size) {
        throw new MalformedMessageException(
            "uncompressed content of " + length + " bytes, announced were " + size);
      }
      byte[] copy = new byte[Protocol.HEADER_BYTES + size];
      System.arraycopy(bytes, offset, copy, Protocol.HEADER_BYTES, size);
      return copy;
    }
    Compressor found = Compressor.ofId(id);
    if (found == null || !found.isAvailable()) {
      throw new MalformedMessageException(
          "compressor "
              + (found == null ? String.valueOf(id) : found.wireName())
              + " was not agreed on");
    }
    compressor = found;
    return Compression.decompress(found, bytes, offset, length, size, Protocol.HEADER_BYTES);
  }

  private static Message msg(byte[] bytes, int offset, int end) throws MalformedMessageException {
    int flags = int32(bytes, offset + 16);
    if ((flags & REQUIRED_FLAGS & ~KNOWN_REQUIRED_FLAGS) != 0) {
      throw new MalformedMessageException(
          "unknown required flag bits in 0x" + Integer.toHexString(flags));
    }
    int limit = end;
    if ((flags & Message.CHECKSUM_PRESENT) != 0) {
      limit = end - 4;
      if (limit < offset + Protocol.HEADER_BYTES + 4) {
        throw new MalformedMessageException("a checksum is cut off");
      }
      verifyChecksum(bytes, offset, limit);
    }
    RawBsonDocument body = null;
    List<DocumentSequence> sequences = List.of();
    int position = offset + Protocol.HEADER_BYTES + 4;
    while (position < limit) {
      int kind = bytes[position++];
      switch (kind) {
        case 0 -> {
          if (body != null) {
            throw new MalformedMessageException("a message with two bodies");
          }
          body = document(bytes, position, limit);
          position += int32(bytes, position);
        }
        case 1 -> {
          int sectionEnd = sectionEnd(bytes, position, limit);
          DocumentSequence sequence = sequence(bytes, position, sectionEnd);
          sequences = withSequence(sequences, sequence);
          position = sectionEnd;
        }
        default -> throw new MalformedMessageException("no support for sections of kind " + kind);
      }
    }
    if (body == null) {
      throw new MalformedMessageException("a message without a body");
    }
    return new Message(
        Message.Kind.MSG,
        int32(bytes, offset + 4),
        int32(bytes, offset + 8),
        flags,
        body,
        sequences);
  }

  private static void verifyChecksum(byte[] bytes, int offset, int limit)
      throws MalformedMessageException {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, limit - offset);
    if ((int) crc.getValue() != int32(bytes, limit)) {
      throw new MalformedMessageException("the checksum of a message is wrong");
    }
  }

  private static int sectionEnd(byte[] bytes, int at, int limit) throws MalformedMessageException {
    if (limit - at < 5) {
      throw new MalformedMessageException("a document sequence is cut off");
    }
    int size = int32(bytes, at);
    if (size < 5 || size > limit - at) {
      throw new MalformedMessageException(
          "a document sequence of " + size + " bytes where " + (limit - at) + " are left");
    }
    return at + size;
  }

  private static DocumentSequence sequence(byte[] bytes, int at, int end)
      throws MalformedMessageException {
    int nameStart = at + 4;
    int nameEnd = terminator(bytes, nameStart, end);
    String identifier = new String(bytes, nameStart, nameEnd - nameStart, StandardCharsets.UTF_8);
    List<RawBsonDocument> documents = new ArrayList<>();
    int position = nameEnd + 1;
    while (position < end) {
      documents.add(document(bytes, position, end));
      position += int32(bytes, position);
    }
    return new DocumentSequence(identifier, documents);
  }

  private static List<DocumentSequence> withSequence(
      List<DocumentSequence> sequences, DocumentSequence sequence)
      throws MalformedMessageException {
    if (sequences.isEmpty()) {
      return List.of(sequence);
    }
    List<DocumentSequence> more = new ArrayList<>(sequences);
    for (DocumentSequence other : more) {
      if (other.identifier().equals(sequence.identifier())) {
        throw new MalformedMessageException(
            "two document sequences named " + printable(sequence.identifier()));
      }
    }
    if (more.size() >= 16) {
      throw new MalformedMessageException("more document sequences than any command has");
    }
    more.add(sequence);
    return more;
  }

  private static Message query(byte[] bytes, int offset, int end) throws MalformedMessageException {
    int flags = int32(bytes, offset + 16);
    int nameStart = offset + 20;
    int nameEnd = terminator(bytes, nameStart, end);
    String collection = new String(bytes, nameStart, nameEnd - nameStart, StandardCharsets.UTF_8);
    int position = nameEnd + 1 + 8;
    if (!collection.endsWith(".$cmd") || collection.length() == ".$cmd".length()) {
      throw new MalformedMessageException(
          "OP_QUERY is supported for commands only, not for " + printable(collection));
    }
    RawBsonDocument command = document(bytes, position, end);
    String database = collection.substring(0, collection.length() - ".$cmd".length());
    RawBsonDocument body =
        LegacyCommand.normalised(command, database, (flags & Protocol.QUERY_SECONDARY_OK) != 0);
    return new Message(
        Message.Kind.LEGACY_QUERY,
        int32(bytes, offset + 4),
        int32(bytes, offset + 8),
        0,
        body,
        List.of());
  }

  private static Message reply(byte[] bytes, int offset, int end) throws MalformedMessageException {
    int position = offset + Protocol.HEADER_BYTES + 20;
    if (position > end || int32(bytes, position - 4) != 1) {
      throw new MalformedMessageException("a legacy reply without exactly one document");
    }
    RawBsonDocument body = document(bytes, position, end);
    if (position + int32(bytes, position) != end) {
      throw new MalformedMessageException("bytes after the document of a legacy reply");
    }
    return new Message(
        Message.Kind.LEGACY_REPLY,
        int32(bytes, offset + 4),
        int32(bytes, offset + 8),
        0,
        body,
        List.of());
  }

  private static RawBsonDocument document(byte[] bytes, int at, int limit)
      throws MalformedMessageException {
    if (at > limit - 5) {
      throw new MalformedMessageException("a document is cut off");
    }
    if (int32(bytes, at) > Protocol.DOCUMENT_BYTES_MAX) {
      throw new MalformedMessageException(
          "a document of "
              + int32(bytes, at)
              + " bytes, the limit is "
              + Protocol.DOCUMENT_BYTES_MAX);
    }
    int end = BsonStructure.check(bytes, at, limit);
    return new RawBsonDocument(Arrays.copyOfRange(bytes, at, end));
  }

  private static int terminator(byte[] bytes, int at, int limit) throws MalformedMessageException {
    for (int position = at; position < limit; position++) {
      if (bytes[position] == 0) {
        return position;
      }
    }
    throw new MalformedMessageException("a name does not end");
  }

  /** A name from the network as it may stand in a log. */
  private static String printable(String name) {
    String shown = name.length() > 100 ? name.substring(0, 100) + "…" : name;
    return '\'' + shown.replaceAll("\\p{Cntrl}", "?") + '\'';
  }
}
