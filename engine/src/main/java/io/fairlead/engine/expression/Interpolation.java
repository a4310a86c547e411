// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A value on the line through two points, with the arithmetic and the types of expressions. */
public final class Interpolation {
  private Interpolation() {}

  /** The value at {@code x} on the line through {@code (x1, y1)} and {@code (x2, y2)}. */
  public static @Nullable BsonValue at(
      BsonValue x, BsonValue x1, BsonValue y1, BsonValue x2, BsonValue y2) {
    BsonValue slope = Arithmetic.divide(Arithmetic.subtract(y2, y1), Arithmetic.subtract(x2, x1));
    BsonValue rise =
        Arithmetic.multiply(new @Nullable BsonValue[] {Arithmetic.subtract(x, x1), slope});
    return Arithmetic.add(new @Nullable BsonValue[] {y1, rise});
  }
}
