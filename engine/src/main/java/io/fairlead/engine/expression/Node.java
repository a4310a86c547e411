// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import java.util.function.Consumer;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A part of a compiled expression. Null stands for a missing value. */
abstract class Node {
  abstract @Nullable BsonValue evaluate(Scope scope);

  /**
   * The value when it is the same for every document and evaluation; null when it is not, or is
   * missing.
   */
  @Nullable BsonValue constant() {
    return null;
  }

  boolean isConstant() {
    return false;
  }

  /**
   * Tells which fields of the root it reads, as dotted paths; the empty path stands for the whole
   * document.
   */
  abstract void eachField(Consumer<String> action);

  /** A value known beforehand. */
  static final class Constant extends Node {
    private final @Nullable BsonValue value;

    Constant(@Nullable BsonValue value) {
      this.value = value;
    }

    @Override
    @Nullable BsonValue evaluate(Scope scope) {
      return value;
    }

    @Override
    @Nullable BsonValue constant() {
      return value;
    }

    @Override
    boolean isConstant() {
      return true;
    }

    @Override
    void eachField(Consumer<String> action) {}
  }
}
