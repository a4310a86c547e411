// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.query.Matcher;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * A compiled update: operators, a replacement, or a pipeline. Immutable; may be used by many
 * threads.
 */
@SuppressWarnings("DoNotCallSuggester") // bodies follow their signatures
public final class Update {
  /** Which of the three languages the update is written in. */
  public enum Kind {
    OPERATORS,
    REPLACEMENT,
    PIPELINE
  }

  /**
   * What became of a document.
   *
   * @param document the new document; the same object as before when nothing changed
   * @param modified false for a no-op
   */
  public record Result(RawBsonDocument document, boolean modified) {}

  private Update() {}

  /**
   * Compiles an update.
   *
   * @param update a document (operators or replacement) or an array (pipeline)
   * @throws io.fairlead.engine.error.EngineException 9 for an unknown modifier, 40 for conflicting
   *     paths, and others
   */
  public static Update compile(
      BsonValue update, List<BsonDocument> arrayFilters, OperationContext context) {
    throw new UnsupportedOperationException();
  }

  public Kind kind() {
    throw new UnsupportedOperationException();
  }

  /**
   * Applies it to a document that the filter matches.
   *
   * @param filter for the positional {@code $}
   * @throws io.fairlead.engine.error.EngineException 66 when {@code _id} would change, 14, 28 and
   *     others
   */
  public Result apply(RawBsonDocument before, Matcher filter) {
    throw new UnsupportedOperationException();
  }

  /**
   * The document that an upsert inserts: the filter's equalities, then the update with {@code
   * $setOnInsert}. It has an {@code _id}, a new ObjectId when neither filter nor update gives one.
   */
  public RawBsonDocument upsert(Matcher filter) {
    throw new UnsupportedOperationException();
  }
}
