// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bson.BsonDocument;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * A command with fields appended. The command itself is shared by all attempts and stays as it is.
 * One that is bytes already is joined as bytes: decoding it would cost more than sending it.
 */
final class Appended {
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();
  private static final int LENGTH_BYTES = 4;
  private static final int END_BYTES = 1;

  private Appended() {}

  /**
   * @param extra fields that replace those of the same name; order is kept, new ones come last
   */
  static BsonDocument to(BsonDocument command, BsonDocument extra) {
    if (command instanceof RawBsonDocument raw
        && extra.keySet().stream().noneMatch(raw::containsKey)) {
      return joined(raw, new RawBsonDocument(extra, CODEC));
    }
    BsonDocument whole = new BsonDocument(command.size() + extra.size());
    whole.putAll(command);
    whole.putAll(extra);
    return whole;
  }

  private static RawBsonDocument joined(RawBsonDocument one, RawBsonDocument other) {
    ByteBuf first = one.getByteBuffer();
    ByteBuf second = other.getByteBuffer();
    try {
      int firstBody = first.remaining() - LENGTH_BYTES - END_BYTES;
      int secondBody = second.remaining() - LENGTH_BYTES - END_BYTES;
      byte[] bytes = new byte[LENGTH_BYTES + firstBody + secondBody + END_BYTES];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes.length);
      first.position(first.position() + LENGTH_BYTES);
      first.get(bytes, LENGTH_BYTES, firstBody);
      second.position(second.position() + LENGTH_BYTES);
      second.get(bytes, LENGTH_BYTES + firstBody, secondBody);
      return new RawBsonDocument(bytes);
    } finally {
      first.release();
      second.release();
    }
  }
}
