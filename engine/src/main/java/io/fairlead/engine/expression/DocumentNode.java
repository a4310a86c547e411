// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;

/** {@code {a: expression, …}}: a document; missing values are left out. */
final class DocumentNode extends Node {
  private final Map<String, Node> fields;

  DocumentNode(Map<String, Node> fields) {
    this.fields = fields;
  }

  Map<String, Node> fields() {
    return fields;
  }

  @Override
  BsonValue evaluate(Scope scope) {
    BsonDocument document = new BsonDocument();
    for (Map.Entry<String, Node> field : fields.entrySet()) {
      BsonValue value = field.getValue().evaluate(scope);
      if (value != null) {
        document.put(field.getKey(), value);
      }
    }
    return document;
  }

  @Override
  void eachField(Consumer<String> action) {
    fields.values().forEach(field -> field.eachField(action));
  }

  /** {@code [expression, …]}: an array; missing values become null. */
  static final class OfArray extends Node {
    private final List<Node> elements;

    OfArray(List<Node> elements) {
      this.elements = elements;
    }

    @Override
    BsonValue evaluate(Scope scope) {
      BsonArray array = new BsonArray(elements.size());
      for (Node element : elements) {
        BsonValue value = element.evaluate(scope);
        array.add(value == null ? BsonNull.VALUE : value);
      }
      return array;
    }

    @Override
    void eachField(Consumer<String> action) {
      elements.forEach(element -> element.eachField(action));
    }
  }
}
