// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** One evaluation: the root document and the values of variables, each in its slot. */
final class Scope {
  /** {@code $$ROOT}. */
  final RawBsonDocument root;

  /** {@code $$CURRENT}, where fields are read from: the root, except where a stage descends. */
  final RawBsonDocument current;

  private final @Nullable BsonValue[] variables;

  Scope(RawBsonDocument root, RawBsonDocument current, int slots) {
    this.root = root;
    this.current = current;
    this.variables = new @Nullable BsonValue[slots];
  }

  @Nullable BsonValue get(int slot) {
    return variables[slot];
  }

  void set(int slot, @Nullable BsonValue value) {
    variables[slot] = value;
  }
}
