// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** Documents from JSON for tests; single quotes are fine. */
public final class Docs {
  private static final JsonWriterSettings JSON =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

  private Docs() {}

  public static BsonDocument doc(String json) {
    return BsonDocument.parse(json);
  }

  public static RawBsonDocument raw(String json) {
    return DocumentWriter.write(doc(json));
  }

  /** A value, written as JSON. */
  public static BsonValue value(String json) {
    return java.util.Objects.requireNonNull(doc("{v: " + json + "}").get("v"));
  }

  /** Documents of a JSON array. */
  public static List<BsonDocument> docs(String json) {
    List<BsonDocument> documents = new ArrayList<>();
    value(json).asArray().forEach(each -> documents.add(each.asDocument()));
    return documents;
  }

  public static String json(BsonDocument document) {
    return new BsonDocument("v", document).toJson(JSON);
  }

  public static OperationContext context() {
    return OperationContext.at(Instant.parse("2024-05-06T07:08:09.010Z"));
  }

  /** Asserts that the call fails with this code of MongoDB. */
  public static void fails(int code, ThrowingCallable call) {
    Assertions.assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> Assertions.assertThat(e.code()).as(e.message()).isEqualTo(code));
  }
}
