// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Values in messages: short enough to be read. */
public final class Texts {
  private static final int LENGTH_MAX = 600;

  private Texts() {}

  public static String of(@Nullable BsonValue value) {
    if (value == null) {
      return "nothing";
    }
    String text = value.isDocument() ? json(value.asDocument()) : value.toString();
    return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX) + "…";
  }

  private static String json(BsonDocument document) {
    try {
      return document.toJson();
    } catch (RuntimeException notJson) {
      return document.toString();
    }
  }
}
