// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.value.MetaDocument;
import java.util.function.Consumer;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $meta}: what is known of the document besides its fields; missing where it is not. */
final class MetaNode extends Node {
  private final String kind;

  MetaNode(String kind) {
    this.kind = kind;
  }

  @Override
  @Nullable BsonValue evaluate(Scope scope) {
    return MetaDocument.get(scope.root, kind);
  }

  @Override
  void eachField(Consumer<String> action) {}
}
