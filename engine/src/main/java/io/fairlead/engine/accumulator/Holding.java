// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.accumulator;

import io.fairlead.engine.value.RawBytes;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** An accumulator that keeps many values, and knows about how much memory they take. */
public abstract class Holding extends Accumulator {
  private static final int VALUE_BYTES = 32;

  private long held;

  /** About how many bytes the values that it keeps take. */
  public final long held() {
    return held;
  }

  final void keeps(BsonValue value) {
    held += bytes(value);
  }

  final void letsGo(BsonValue value) {
    held -= bytes(value);
  }

  private static long bytes(BsonValue value) {
    return VALUE_BYTES
        + switch (value.getBsonType()) {
          case STRING -> value.asString().getValue().length();
          case BINARY -> value.asBinary().getData().length;
          case DOCUMENT ->
              value instanceof RawBsonDocument raw
                  ? RawBytes.length(raw)
                  : bytes(value.asDocument());
          case ARRAY -> bytes(value.asArray());
          default -> 0;
        };
  }

  private static long bytes(BsonDocument document) {
    long bytes = 0;
    for (var field : document.entrySet()) {
      bytes += field.getKey().length() + bytes(field.getValue());
    }
    return bytes;
  }

  private static long bytes(BsonArray array) {
    long bytes = 0;
    for (BsonValue value : array) {
      bytes += bytes(value);
    }
    return bytes;
  }
}
