// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.value.FieldPath;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A compiled filter. Immutable; may be used by many threads. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow their signatures
public final class Matcher {
  private Matcher() {}

  /**
   * Compiles a filter.
   *
   * @throws io.fairlead.engine.error.EngineException 2 for an unknown operator or a bad operand,
   *     and MongoDB's other codes
   */
  public static Matcher compile(BsonDocument filter, OperationContext context) {
    throw new UnsupportedOperationException();
  }

  public boolean matches(RawBsonDocument document) {
    throw new UnsupportedOperationException();
  }

  /**
   * Index, within the outermost array that the filter's conditions walked through, of the first
   * element that satisfied them: what the positional {@code $} means. -1 when no array took part,
   * or when the document does not match.
   */
  public int arrayIndex(RawBsonDocument document) {
    throw new UnsupportedOperationException();
  }

  /** The tree, for planning. */
  public Predicate predicate() {
    throw new UnsupportedOperationException();
  }

  /**
   * Paths that the filter fixes to one value ({@code $eq}, one-element {@code $in}, within
   * top-level {@code $and}).
   */
  public Map<String, BsonValue> equalities() {
    throw new UnsupportedOperationException();
  }

  /** Every path that is looked at. */
  public Set<FieldPath> paths() {
    throw new UnsupportedOperationException();
  }

  /** The filter as it was given. */
  public BsonDocument filter() {
    throw new UnsupportedOperationException();
  }
}
