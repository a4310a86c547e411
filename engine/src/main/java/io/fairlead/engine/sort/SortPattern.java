// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.sort;

import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.FieldPath;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A sort specification. Immutable. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow their signatures
public final class SortPattern {
  /**
   * One key of the pattern.
   *
   * @param meta {@code textScore}, {@code randVal} …, or empty when the key is a path
   */
  public record Part(FieldPath path, boolean ascending, String meta) {}

  private SortPattern() {}

  /**
   * Parses a pattern; an empty one keeps the order.
   *
   * @throws io.fairlead.engine.error.EngineException 15975 and others for a bad direction
   */
  public static SortPattern parse(BsonDocument spec) {
    throw new UnsupportedOperationException();
  }

  public List<Part> parts() {
    throw new UnsupportedOperationException();
  }

  public boolean isEmpty() {
    throw new UnsupportedOperationException();
  }

  /** The pattern as it was given. */
  public BsonDocument spec() {
    throw new UnsupportedOperationException();
  }

  /**
   * Compares whole documents; ascending keys use the smallest element of an array, descending ones
   * the greatest.
   */
  public Comparator<RawBsonDocument> comparator(BsonOrder order) {
    throw new UnsupportedOperationException();
  }

  /**
   * The sort key of a document: one value per part, a missing one as null. Sort once, compare
   * often.
   */
  public BsonValue[] key(RawBsonDocument document, BsonOrder order) {
    throw new UnsupportedOperationException();
  }

  /** Compares two keys made by {@link #key}. */
  public int compareKeys(BsonValue[] a, BsonValue[] b, BsonOrder order) {
    throw new UnsupportedOperationException();
  }
}
