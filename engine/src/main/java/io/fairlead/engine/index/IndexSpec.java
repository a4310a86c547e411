// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import org.bson.BsonDocument;

/**
 * A wish for an index, as an element of createIndexes' {@code indexes} has it: {@code {key, name,
 * unique?, sparse?, …}}. It is checked when it is created.
 */
public record IndexSpec(BsonDocument declared) {
  /** An index on those fields, under the name MongoDB's drivers would give it. */
  public static IndexSpec on(BsonDocument key) {
    StringBuilder name = new StringBuilder();
    key.forEach(
        (field, kind) -> {
          if (!name.isEmpty()) {
            name.append('_');
          }
          name.append(field)
              .append('_')
              .append(
                  kind.isNumber()
                      ? String.valueOf(kind.asNumber().intValue())
                      : kind.asString().getValue());
        });
    return new IndexSpec(
        new BsonDocument("key", key).append("name", new org.bson.BsonString(name.toString())));
  }

  public IndexSpec unique() {
    BsonDocument copy = declared.clone();
    copy.put("unique", org.bson.BsonBoolean.TRUE);
    return new IndexSpec(copy);
  }
}
