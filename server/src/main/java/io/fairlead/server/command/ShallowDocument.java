// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bson.BsonBinaryReader;
import org.bson.BsonDocument;
import org.bson.BsonSerializationException;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.ByteBufNIO;
import org.bson.RawBsonArray;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.DecoderContext;
import org.bson.io.ByteBufferBsonInput;

/**
 * A document's own fields, decoded once, with nested documents and arrays left as bytes: what a
 * command needs of its body, without decoding the documents that it carries.
 */
final class ShallowDocument {
  private static final BsonValueCodec VALUES = new BsonValueCodec();
  private static final DecoderContext CONTEXT = DecoderContext.builder().build();

  private ShallowDocument() {}

  /** The fields of the document, in order. A field that comes twice is refused with 40413. */
  static BsonDocument of(BsonDocument document) {
    if (!(document instanceof RawBsonDocument raw)) {
      return document;
    }
    ByteBuffer bytes = raw.getByteBuffer().asNIO().order(ByteOrder.LITTLE_ENDIAN);
    int start = bytes.position();
    byte[] array = bytes.array();
    int origin = bytes.arrayOffset() + start;
    ByteBuffer own =
        ByteBuffer.wrap(array, origin, bytes.remaining()).slice().order(ByteOrder.LITTLE_ENDIAN);
    BsonDocument fields = new BsonDocument();
    try (BsonBinaryReader reader =
        new BsonBinaryReader(new ByteBufferBsonInput(new ByteBufNIO(own)))) {
      reader.readStartDocument();
      BsonType type;
      while ((type = reader.readBsonType()) != BsonType.END_OF_DOCUMENT) {
        String name = reader.readName();
        if (fields.put(name, value(reader, type, array, origin)) != null) {
          throw Failures.of(40413, "BSON field '" + name + "' is a duplicate field");
        }
      }
    } catch (BsonSerializationException malformed) {
      throw Failures.of(22, "malformed command: " + malformed.getMessage());
    }
    return fields;
  }

  private static BsonValue value(BsonBinaryReader reader, BsonType type, byte[] array, int origin) {
    if (type != BsonType.DOCUMENT && type != BsonType.ARRAY) {
      return VALUES.decode(reader, CONTEXT);
    }
    int from = reader.getBsonInput().getPosition();
    reader.skipValue();
    int length = reader.getBsonInput().getPosition() - from;
    return type == BsonType.DOCUMENT
        ? new RawBsonDocument(array, origin + from, length)
        : new RawBsonArray(array, origin + from, length);
  }
}
