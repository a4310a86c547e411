// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.command;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWrapper;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.Encoder;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.RawBsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a caller hands over (filters, updates, pipelines, values) as BSON, each exactly once.
 */
public final class BsonEncoding {
  private static final EncoderContext PLAIN = EncoderContext.builder().build();
  private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
  private static final BsonValueCodec VALUES = new BsonValueCodec();
  private static final RawBsonDocumentCodec RAW = new RawBsonDocumentCodec();

  private BsonEncoding() {}

  /** Writes a document that a caller gave as any {@link Bson}. */
  public static void write(
      BsonWriter writer, Bson bson, Class<?> documentClass, CodecRegistry codecs) {
    write(writer, bson.toBsonDocument(documentClass, codecs));
  }

  /** Writes a document; a wrapped one by its own encoder, a raw one by copying bytes. */
  public static void write(BsonWriter writer, BsonDocument document) {
    switch (document) {
      case RawBsonDocument raw -> RAW.encode(writer, raw, PLAIN);
      case BsonDocumentWrapper<?> wrapper -> writeWrapped(writer, wrapper);
      default -> DOCUMENTS.encode(writer, document, PLAIN);
    }
  }

  private static <T> void writeWrapped(BsonWriter writer, BsonDocumentWrapper<T> wrapper) {
    Encoder<T> encoder = wrapper.getEncoder();
    if (encoder == null) {
      DOCUMENTS.encode(writer, wrapper, PLAIN);
    } else {
      encoder.encode(writer, wrapper.getWrappedDocument(), PLAIN);
    }
  }

  /** Writes any value. */
  public static void write(BsonWriter writer, BsonValue value) {
    if (value instanceof BsonDocument document) {
      write(writer, document);
    } else {
      VALUES.encode(writer, value, PLAIN);
    }
  }

  /** A caller's own document, to be encoded by its codec when it is written. */
  public static <T> BsonDocument wrapped(T document, Encoder<T> encoder) {
    return document instanceof BsonDocument already
        ? already
        : new BsonDocumentWrapper<>(document, encoder);
  }

  /** The document that a caller gave, or null when none was given. */
  public static @Nullable BsonDocument document(
      @Nullable Bson bson, Class<?> documentClass, CodecRegistry codecs) {
    return bson == null ? null : bson.toBsonDocument(documentClass, codecs);
  }

  /**
   * The stages or documents of a list that a caller gave.
   *
   * @throws IllegalArgumentException if one of them is null
   */
  public static BsonArray array(
      List<? extends Bson> list, Class<?> documentClass, CodecRegistry codecs) {
    List<BsonDocument> documents = new ArrayList<>(list.size());
    for (Bson bson : list) {
      if (bson == null) {
        throw new IllegalArgumentException("All documents in the list must be non-null");
      }
      documents.add(bson.toBsonDocument(documentClass, codecs));
    }
    return new BsonArray(documents);
  }
}
