// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** One evaluation: the root document and the values of variables, each in its slot. */
final class Scope {
  final RawBsonDocument root;
  private final @Nullable BsonValue[] variables;

  Scope(RawBsonDocument root, int slots) {
    this.root = root;
    this.variables = new @Nullable BsonValue[slots];
  }

  @Nullable BsonValue get(int slot) {
    return variables[slot];
  }

  void set(int slot, @Nullable BsonValue value) {
    variables[slot] = value;
  }
}
