// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import static io.fairlead.engine.error.ErrorCodes.DOCUMENT_VALIDATION_FAILURE;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.key.BsonBytes;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * The error of a document that a validator refuses. Its {@code details} repeat parts of document
 * and validator: those are left out when they would make it too large to be sent, and all of it is
 * when it would be nested too deeply.
 */
final class ValidationFailure {
  private static final int BYTES_MAX = 12 * 1024 * 1024;
  private static final int DEPTH_MAX = 150;
  private static final Set<String> REPEATED =
      Set.of("specifiedAs", "consideredValue", "consideredValues");

  private ValidationFailure() {}

  static EngineException of(byte[] document, BsonDocument details) {
    int id = Documents.id(document);
    BsonDocument info = new BsonDocument();
    if (id >= 0) {
      info.append("failingDocumentId", BsonBytes.decode(document, id));
    }
    if (depth(details) > DEPTH_MAX) {
      info.append("truncated", BsonBoolean.TRUE);
    } else if (new RawBsonDocument(details, new BsonDocumentCodec()).getByteBuffer().remaining()
        > BYTES_MAX) {
      info.append("truncated", BsonBoolean.TRUE).append("details", shortened(details));
    } else {
      info.append("details", details);
    }
    return new EngineException(
        DOCUMENT_VALIDATION_FAILURE,
        "Document failed validation",
        new BsonDocument("errInfo", info));
  }

  private static int depth(BsonValue value) {
    int deepest = -1;
    if (value.isDocument()) {
      for (BsonValue inner : value.asDocument().values()) {
        deepest = Math.max(deepest, depth(inner));
      }
    } else if (value.isArray()) {
      for (BsonValue inner : value.asArray()) {
        deepest = Math.max(deepest, depth(inner));
      }
    }
    return deepest + 1;
  }

  private static BsonValue shortened(BsonValue value) {
    if (value.isArray()) {
      BsonArray shorter = new BsonArray();
      value.asArray().forEach(inner -> shorter.add(shortened(inner)));
      return shorter;
    }
    if (!value.isDocument()) {
      return value;
    }
    BsonDocument shorter = new BsonDocument();
    value
        .asDocument()
        .forEach(
            (name, inner) -> {
              if (!REPEATED.contains(name)) {
                shorter.append(name, shortened(inner));
              }
            });
    return shorter;
  }
}
