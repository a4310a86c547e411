// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Numbers;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A stage that only counts what comes: {@code {$count: 'n'}}, or {@code {$group: {_id: 1, n: {$sum:
 * 1}}}}, which is how drivers count. What is counted need not be read, where the trees know its
 * number.
 *
 * @param id the group's key; null where there is none
 */
record Counted(@Nullable BsonValue id, String field) {
  /** What the stage counts into, or null when it does something else. */
  static @Nullable Counted of(BsonDocument stage) {
    BsonValue operand = stage.get(stage.getFirstKey());
    if (stage.containsKey("$count") && operand instanceof BsonString name) {
      return new Counted(null, name.getValue());
    }
    if (!stage.containsKey("$group")
        || !(operand instanceof BsonDocument group)
        || group.size() != 2) {
      return null;
    }
    BsonValue id = group.get("_id");
    if (id == null || !isConstant(id)) {
      return null;
    }
    for (String field : group.keySet()) {
      if (!field.equals("_id")
          && group.get(field) instanceof BsonDocument sum
          && sum.size() == 1
          && sum.get("$sum") instanceof BsonInt32 one
          && one.getValue() == 1) {
        return new Counted(id, field);
      }
    }
    return null;
  }

  private static boolean isConstant(BsonValue id) {
    return switch (id.getBsonType()) {
      case INT32, INT64, DOUBLE, NULL, BOOLEAN -> true;
      case STRING -> !id.asString().getValue().startsWith("$");
      default -> false;
    };
  }

  /** The stage's one document; none where there was nothing to count. */
  DocumentCursor run(LongSupplier number) {
    return new DocumentCursor() {
      private boolean done;

      @Override
      public @Nullable RawBsonDocument next() {
        if (done) {
          return null;
        }
        done = true;
        long count = number.getAsLong();
        if (count == 0) {
          return null;
        }
        BsonDocument result = new BsonDocument();
        if (id != null) {
          result.append("_id", id);
        }
        return DocumentWriter.write(result.append(field, Numbers.whole(count, true)));
      }
    };
  }
}
