// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.Comparator;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** MongoDB's total order of values across types. */
@SuppressWarnings("DoNotCallSuggester") // bodies follow their signatures
public final class BsonOrder {
  /** The order without a collation: strings by their UTF-8 bytes. */
  public static final BsonOrder SIMPLE = new BsonOrder(null);

  private final @Nullable StringOrder strings;

  private BsonOrder(@Nullable StringOrder strings) {
    this.strings = strings;
  }

  /** The order in which strings are compared by a collation. */
  public static BsonOrder collated(StringOrder strings) {
    return new BsonOrder(strings);
  }

  /** The collation; null for plain comparison. */
  public @Nullable StringOrder strings() {
    return strings;
  }

  /**
   * Compares two values; null stands for a missing value, which sorts after MinKey and before null.
   *
   * @return negative, zero or positive
   */
  public int compare(@Nullable BsonValue a, @Nullable BsonValue b) {
    throw new UnsupportedOperationException();
  }

  /** Compares in place. */
  public int compare(Slice a, Slice b) {
    throw new UnsupportedOperationException();
  }

  public boolean equal(@Nullable BsonValue a, @Nullable BsonValue b) {
    return compare(a, b) == 0;
  }

  /** A hash that is equal for values that compare as equal. */
  public int hash(@Nullable BsonValue value) {
    throw new UnsupportedOperationException();
  }

  public Comparator<@Nullable BsonValue> comparator() {
    return this::compare;
  }
}
