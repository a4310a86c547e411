// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper.codec;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.Convention;
import org.bson.codecs.pojo.Conventions;
import org.bson.codecs.pojo.PojoCodecProvider;

/** The registry for entities. */
public final class EntityCodecs {
  private EntityCodecs() {}

  /**
   * A registry that also knows records and classes; what the given one knows already stays its own
   * business.
   */
  public static CodecRegistry over(CodecRegistry registry) {
    List<Convention> conventions = new ArrayList<>(Conventions.DEFAULT_CONVENTIONS);
    conventions.add(0, new IdConvention());
    return CodecRegistries.fromRegistries(
        CodecRegistries.fromProviders(new RecordCodecProvider()),
        registry,
        CodecRegistries.fromProviders(
            PojoCodecProvider.builder().automatic(true).conventions(conventions).build()));
  }

  /**
   * Gives an entity without an id a new one.
   *
   * @return the same object of a class, another one of a record
   * @throws IllegalArgumentException if no id of its type can be made
   */
  public static <T> T withNewId(Codec<T> codec, T entity) {
    if (codec instanceof CollectibleCodec<T> collectible) {
      return collectible.generateIdIfAbsentFromDocument(entity);
    }
    BsonDocument document = new BsonDocument();
    codec.encode(
        new BsonDocumentWriter(document),
        entity,
        EncoderContext.builder().isEncodingCollectibleDocument(true).build());
    if (!document.containsKey("_id")) {
      throw new IllegalArgumentException(
          codec.getEncoderClass().getName()
              + " has no id, and only an ObjectId can be made for it");
    }
    return entity;
  }
}
