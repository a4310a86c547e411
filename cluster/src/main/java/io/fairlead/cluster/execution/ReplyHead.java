// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import io.fairlead.wire.message.MalformedMessageException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonType;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The few top-level fields of a reply that its client looks at, found in one walk over its bytes:
 * asking the document field by field would walk it four times, and a reply may be large. Fields of
 * a type that is not expected count as absent.
 *
 * @param ok whether the command succeeded
 * @param hasWriteConcernError whether it succeeded but for its write concern
 * @param operationTime null: none
 * @param clusterTime the {@code $clusterTime} document; null: none
 */
record ReplyHead(
    boolean ok,
    boolean hasWriteConcernError,
    @Nullable BsonTimestamp operationTime,
    @Nullable BsonDocument clusterTime) {
  private static final byte[] OK = bytes("ok");
  private static final byte[] WRITE_CONCERN_ERROR = bytes("writeConcernError");
  private static final byte[] OPERATION_TIME = bytes("operationTime");
  private static final byte[] CLUSTER_TIME = bytes("$clusterTime");

  /**
   * Reads the head of a reply.
   *
   * @throws MalformedMessageException if the bytes are not a document
   */
  static ReplyHead of(RawBsonDocument reply) throws MalformedMessageException {
    ByteBuf buffer = reply.getByteBuffer();
    try {
      return of(buffer.asNIO().order(ByteOrder.LITTLE_ENDIAN));
    } catch (IndexOutOfBoundsException | IllegalArgumentException malformed) {
      throw new MalformedMessageException("a reply is not a document: " + malformed.getMessage());
    } finally {
      buffer.release();
    }
  }

  private static ReplyHead of(ByteBuffer reply) {
    boolean ok = false;
    boolean concern = false;
    BsonTimestamp operationTime = null;
    BsonDocument clusterTime = null;
    int at = reply.position() + Integer.BYTES;
    for (byte type = reply.get(at); type != 0; type = reply.get(at)) {
      int name = at + 1;
      int value = name;
      while (reply.get(value) != 0) {
        value++;
      }
      int length = value - name;
      value++;
      if (is(OK, reply, name, length)) {
        ok = isOne(type, reply, value);
      } else if (is(WRITE_CONCERN_ERROR, reply, name, length)) {
        concern = type == BsonType.DOCUMENT.getValue();
      } else if (is(OPERATION_TIME, reply, name, length) && type == BsonType.TIMESTAMP.getValue()) {
        operationTime = new BsonTimestamp(reply.getLong(value));
      } else if (is(CLUSTER_TIME, reply, name, length) && type == BsonType.DOCUMENT.getValue()) {
        clusterTime = documentAt(reply, value);
      }
      int size = sizeOf(type, reply, value);
      if (size < 0) {
        throw new IllegalArgumentException("a value has a negative size");
      }
      at = value + size;
    }
    return new ReplyHead(ok, concern, operationTime, clusterTime);
  }

  private static boolean isOne(byte type, ByteBuffer reply, int at) {
    return switch (BsonType.findByValue(type)) {
      case DOUBLE -> reply.getDouble(at) == 1;
      case INT32 -> reply.getInt(at) == 1;
      case INT64 -> reply.getLong(at) == 1;
      case BOOLEAN -> reply.get(at) == 1;
      case null, default -> false;
    };
  }

  /** A copy, so that a large reply is not kept alive by its last field. */
  private static RawBsonDocument documentAt(ByteBuffer reply, int at) {
    byte[] bytes = new byte[Math.min(Math.max(0, reply.getInt(at)), reply.limit() - at)];
    reply.get(at, bytes);
    return new RawBsonDocument(bytes);
  }

  private static int sizeOf(byte type, ByteBuffer reply, int at) {
    return switch (BsonType.findByValue(type)) {
      case DOUBLE, DATE_TIME, TIMESTAMP, INT64 -> 8;
      case INT32 -> 4;
      case BOOLEAN -> 1;
      case NULL, UNDEFINED, MIN_KEY, MAX_KEY -> 0;
      case STRING, JAVASCRIPT, SYMBOL -> 4 + reply.getInt(at);
      case DOCUMENT, ARRAY, JAVASCRIPT_WITH_SCOPE -> reply.getInt(at);
      case BINARY -> 5 + reply.getInt(at);
      case OBJECT_ID -> 12;
      case DECIMAL128 -> 16;
      case DB_POINTER -> 16 + reply.getInt(at);
      case REGULAR_EXPRESSION -> twoStrings(reply, at);
      case END_OF_DOCUMENT -> throw new IllegalArgumentException("an element can't have type 0");
      case null -> throw new IllegalArgumentException("unknown BSON type " + type);
    };
  }

  private static int twoStrings(ByteBuffer reply, int at) {
    int end = at;
    for (int zeros = 0; zeros < 2; end++) {
      zeros += reply.get(end) == 0 ? 1 : 0;
    }
    return end - at;
  }

  private static boolean is(byte[] name, ByteBuffer reply, int at, int length) {
    if (length != name.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (reply.get(at + i) != name[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
