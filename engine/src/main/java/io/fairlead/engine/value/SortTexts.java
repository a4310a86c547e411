// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.nio.charset.StandardCharsets;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonValue;

/** Values as an index with a collation has them: every string, however deep, is its sort key. */
public final class SortTexts {
  private SortTexts() {}

  /** The value with sort keys, as text, in the place of its strings. */
  public static BsonValue of(BsonValue value, StringOrder strings) {
    return switch (value.getBsonType()) {
      case STRING -> new BsonString(key(value.asString().getValue(), strings));
      case SYMBOL -> new BsonSymbol(key(value.asSymbol().getSymbol(), strings));
      case DOCUMENT -> {
        BsonDocument mapped = new BsonDocument();
        value.asDocument().forEach((name, each) -> mapped.append(name, of(each, strings)));
        yield mapped;
      }
      case ARRAY -> {
        BsonArray mapped = new BsonArray();
        value.asArray().forEach(each -> mapped.add(of(each, strings)));
        yield mapped;
      }
      default -> value;
    };
  }

  private static String key(String text, StringOrder strings) {
    return new String(strings.sortKey(text), StandardCharsets.UTF_8);
  }
}
