// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.command;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Collation;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Builds the body of one command as bytes, in the order of the calls. An option that was not set
 * (null) adds nothing, so a command reads as its list of options. Used once: {@link #end()} hands
 * the bytes over without copying them.
 */
public final class CommandBody {
  private static final int USUAL_BYTES = 512;

  private final BasicOutputBuffer buffer = new BasicOutputBuffer(USUAL_BYTES);
  private final BsonBinaryWriter writer = new BsonBinaryWriter(buffer);
  private final Class<?> documentClass;
  private final CodecRegistry codecs;

  private CommandBody(Class<?> documentClass, CodecRegistry codecs) {
    this.documentClass = documentClass;
    this.codecs = codecs;
    writer.writeStartDocument();
  }

  /** Starts a command on a collection. */
  public static CommandBody of(
      String name, String collection, Class<?> documentClass, CodecRegistry codecs) {
    CommandBody body = new CommandBody(documentClass, codecs);
    body.writer.writeString(name, collection);
    return body;
  }

  /** Starts a command on a database or on the deployment. */
  public static CommandBody of(String name, Class<?> documentClass, CodecRegistry codecs) {
    CommandBody body = new CommandBody(documentClass, codecs);
    body.writer.writeInt32(name, 1);
    return body;
  }

  /** Starts a command whose first field is a number, such as the cursor of a getMore. */
  public static CommandBody of(String name, long value, CodecRegistry codecs) {
    CommandBody body = new CommandBody(BsonDocument.class, codecs);
    body.writer.writeInt64(name, value);
    return body;
  }

  /** Starts a command whose first field is a document, such as the command that is explained. */
  public static CommandBody of(String name, RawBsonDocument value, CodecRegistry codecs) {
    return new CommandBody(BsonDocument.class, codecs).value(name, value);
  }

  /** Starts a command that is a document of the caller's own, read as it is. */
  public static RawBsonDocument whole(Bson command, Class<?> documentClass, CodecRegistry codecs) {
    BasicOutputBuffer buffer = new BasicOutputBuffer(USUAL_BYTES);
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      BsonEncoding.write(writer, command, documentClass, codecs);
    }
    return new RawBsonDocument(buffer.getInternalBuffer(), 0, buffer.getPosition());
  }

  public CommandBody string(String name, @Nullable String value) {
    if (value != null) {
      writer.writeString(name, value);
    }
    return this;
  }

  public CommandBody int32(String name, int value) {
    writer.writeInt32(name, value);
    return this;
  }

  public CommandBody int32(String name, @Nullable Integer value) {
    if (value != null) {
      writer.writeInt32(name, value);
    }
    return this;
  }

  public CommandBody int64(String name, long value) {
    writer.writeInt64(name, value);
    return this;
  }

  /** An array with one number in it. */
  public CommandBody int64s(String name, long value) {
    writer.writeStartArray(name);
    writer.writeInt64(value);
    writer.writeEndArray();
    return this;
  }

  /** A count that means "not set" when it is zero. */
  public CommandBody positive(String name, long value) {
    if (value != 0) {
      writer.writeInt64(name, value);
    }
    return this;
  }

  public CommandBody float64(String name, @Nullable Double value) {
    if (value != null) {
      writer.writeDouble(name, value);
    }
    return this;
  }

  public CommandBody bool(String name, @Nullable Boolean value) {
    if (value != null) {
      writer.writeBoolean(name, value);
    }
    return this;
  }

  /** A flag that travels only when set. */
  public CommandBody flag(String name, boolean value) {
    if (value) {
      writer.writeBoolean(name, true);
    }
    return this;
  }

  public CommandBody document(String name, @Nullable Bson document) {
    if (document != null) {
      writer.writeName(name);
      BsonEncoding.write(writer, document, documentClass, codecs);
    }
    return this;
  }

  public CommandBody value(String name, @Nullable BsonValue value) {
    if (value != null) {
      writer.writeName(name);
      BsonEncoding.write(writer, value);
    }
    return this;
  }

  /** An option for which an empty document means the same as none. */
  public CommandBody documentUnlessEmpty(String name, @Nullable Bson document) {
    BsonDocument encoded = BsonEncoding.document(document, documentClass, codecs);
    return encoded == null || encoded.isEmpty() ? this : value(name, encoded);
  }

  /** An array of documents; null adds nothing. */
  public CommandBody documents(String name, @Nullable List<? extends Bson> documents) {
    if (documents != null) {
      writer.writeStartArray(name);
      for (Bson document : documents) {
        if (document == null) {
          throw new IllegalArgumentException("All documents in the list must be non-null");
        }
        BsonEncoding.write(writer, document, documentClass, codecs);
      }
      writer.writeEndArray();
    }
    return this;
  }

  public CommandBody array(String name, @Nullable BsonArray array) {
    return value(name, array);
  }

  public CommandBody collation(@Nullable Collation collation) {
    return value("collation", collation == null ? null : collation.asDocument());
  }

  /** An index hint: the document form goes before the name. */
  public CommandBody hint(@Nullable Bson hint, @Nullable String hintString) {
    return hint != null ? document("hint", hint) : string("hint", hintString);
  }

  /** The cursor options of a command that answers with a cursor; always present, perhaps empty. */
  public CommandBody cursor(@Nullable Integer batchSize) {
    writer.writeStartDocument("cursor");
    if (batchSize != null) {
      writer.writeInt32("batchSize", batchSize);
    }
    writer.writeEndDocument();
    return this;
  }

  /** The time limit for the server, unless zero. */
  public CommandBody maxTime(long maxTimeMillis) {
    if (maxTimeMillis > 0) {
      writer.writeInt64("maxTimeMS", maxTimeMillis);
    }
    return this;
  }

  /** A read concern travels only when one was set. */
  public CommandBody readConcern(ReadConcern readConcern) {
    return readConcern.isServerDefault() ? this : value("readConcern", readConcern.asDocument());
  }

  /** A write concern travels only when one was set. */
  public CommandBody writeConcern(WriteConcern writeConcern) {
    return writeConcern.isServerDefault() ? this : value("writeConcern", writeConcern.asDocument());
  }

  /** The finished body. */
  public RawBsonDocument end() {
    writer.writeEndDocument();
    writer.close();
    return new RawBsonDocument(buffer.getInternalBuffer(), 0, buffer.getPosition());
  }

  /** Milliseconds of an option of the public API, which rejects what it cannot mean. */
  public static long millis(String name, long value, TimeUnit unit) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must be zero or more, was " + value + " " + unit);
    }
    return unit.toMillis(value);
  }
}
