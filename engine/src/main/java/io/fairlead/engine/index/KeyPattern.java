// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/**
 * The fields of an index or a sort in order, each ascending or descending. Immutable.
 *
 * @param fields at least one
 */
public record KeyPattern(List<Field> fields) {
  /** One field of a pattern. */
  public static final class Field {
    private final String path;
    private final boolean descending;
    final byte[][] parts;

    public Field(String path, boolean descending) {
      this.path = path;
      this.descending = descending;
      String[] names = path.split("\\.", -1);
      parts = new byte[names.length][];
      for (int i = 0; i < names.length; i++) {
        parts[i] = names[i].getBytes(StandardCharsets.UTF_8);
      }
    }

    /** The dotted path. */
    public String path() {
      return path;
    }

    public boolean descending() {
      return descending;
    }
  }

  public KeyPattern {
    fields = List.copyOf(fields);
  }

  /** Reads {@code {path: ±n, …}}; what is no number, as {@code "text"}, is ascending. */
  public static KeyPattern of(BsonDocument key) {
    List<Field> fields = new ArrayList<>(key.size());
    key.forEach(
        (path, direction) ->
            fields.add(
                new Field(path, direction.isNumber() && direction.asNumber().doubleValue() < 0)));
    return new KeyPattern(fields);
  }

  public int size() {
    return fields.size();
  }

  /** The place of that path, or -1. */
  public int indexOf(String path) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).path().equals(path)) {
        return i;
      }
    }
    return -1;
  }
}
