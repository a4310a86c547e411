// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import io.fairlead.driver.command.RawFields;
import org.bson.BsonBinaryWriter;
import org.bson.BsonObjectId;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Inserts one document. A collectible codec has put an {@code _id} into the document itself; where
 * the encoded document has none, one is added to its bytes, except to a raw document, which travels
 * as it is.
 */
record Insert<T>(T document, Codec<T> codec) implements Statement {
  private static final EncoderContext COLLECTIBLE =
      EncoderContext.builder().isEncodingCollectibleDocument(true).build();

  /**
   * The insert of a document, which gets an id if it has none and its codec knows how.
   *
   * @throws IllegalArgumentException if the document is null
   */
  static <T> Insert<T> of(@Nullable T document, Codec<T> codec) {
    if (document == null) {
      throw new IllegalArgumentException("document can not be null");
    }
    T identified =
        codec instanceof CollectibleCodec<T> collectible && !(document instanceof RawBsonDocument)
            ? collectible.generateIdIfAbsentFromDocument(document)
            : document;
    return new Insert<>(identified, codec);
  }

  @Override
  public Kind kind() {
    return Kind.INSERT;
  }

  @Override
  public boolean multi() {
    return false;
  }

  @Override
  public @Nullable String needsAcknowledgement() {
    return null;
  }

  @Override
  public @Nullable BsonValue write(BsonBinaryWriter writer, BasicOutputBuffer buffer) {
    return document(writer, buffer, buffer.getPosition());
  }

  @Override
  public @Nullable BsonValue writeOperation(
      BsonBinaryWriter writer, BasicOutputBuffer buffer, int namespace) {
    writer.writeStartDocument();
    writer.writeInt32("insert", namespace);
    int start = Statement.valueStart(buffer, "document");
    writer.writeName("document");
    BsonValue id = document(writer, buffer, start);
    writer.writeEndDocument();
    return id;
  }

  private @Nullable BsonValue document(
      BsonBinaryWriter writer, BasicOutputBuffer buffer, int start) {
    codec.encode(writer, document, COLLECTIBLE);
    RawFields fields = RawFields.of(buffer.getInternalBuffer(), start);
    if (fields.find("_id")) {
      return fields.value();
    }
    return document instanceof RawBsonDocument ? null : appendId(buffer, start);
  }

  private static BsonValue appendId(BasicOutputBuffer buffer, int start) {
    ObjectId id = new ObjectId();
    buffer.truncateToPosition(buffer.getPosition() - 1);
    buffer.writeByte(BsonType.OBJECT_ID.getValue());
    buffer.writeCString("_id");
    buffer.writeObjectId(id);
    buffer.writeByte(0);
    buffer.writeInt32(start, buffer.getPosition() - start);
    return new BsonObjectId(id);
  }
}
