// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.expression;

import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $a.b}: a field of the root, read in place. Where an array lies on the way the result is
 * the array of what its documents have there; numeric parts are names only.
 */
final class FieldNode extends Node {
  final FieldPath path;

  FieldNode(FieldPath path) {
    this.path = path;
  }

  @Override
  @Nullable BsonValue evaluate(Scope scope) {
    return read(scope.current, path, 0);
  }

  /** The value of a path, from {@code part} on, in a document. */
  static @Nullable BsonValue read(BsonDocument document, FieldPath path, int part) {
    if (document instanceof RawBsonDocument raw) {
      return read(RawBytes.bytes(raw), RawBytes.offset(raw), path, part);
    }
    BsonValue value = document.get(path.parts().get(part));
    return part == path.size() - 1 || value == null ? value : within(value, path, part + 1);
  }

  /**
   * The value of a path, from {@code part} on, in a value that may be a document or an array of
   * them.
   */
  static @Nullable BsonValue within(@Nullable BsonValue value, FieldPath path, int part) {
    if (value instanceof BsonDocument document) {
      return read(document, path, part);
    }
    if (value instanceof BsonArray array) {
      BsonArray found = new BsonArray();
      for (BsonValue element : array) {
        if (element instanceof BsonDocument document) {
          BsonValue nested = read(document, path, part);
          if (nested != null) {
            found.add(nested);
          }
        }
      }
      return found;
    }
    return null;
  }

  private static @Nullable BsonValue read(byte[] bytes, int offset, FieldPath path, int from) {
    Slice slice = new Slice();
    int at = offset;
    for (int part = from; ; part++) {
      if (!slice.moveToField(bytes, at, path.name(part)) || part == path.size() - 1) {
        return slice.value();
      }
      if (slice.isArray()) {
        return elements(bytes, slice.start(), path, part + 1);
      }
      if (!slice.isDocument()) {
        return null;
      }
      at = slice.start();
    }
  }

  private static BsonValue elements(byte[] bytes, int offset, FieldPath path, int part) {
    BsonArray found = new BsonArray();
    ElementCursor cursor = new ElementCursor(bytes, offset);
    while (cursor.next()) {
      if (cursor.type() == BsonTypes.DOCUMENT) {
        BsonValue nested = read(bytes, cursor.valueStart(), path, part);
        if (nested != null) {
          found.add(nested);
        }
      }
    }
    return found;
  }

  @Override
  void eachField(Consumer<String> action) {
    action.accept(path.dotted());
  }

  /** A path within a value that another node gives: {@code $$variable.a.b}. */
  static final class Within extends Node {
    private final Node base;
    private final FieldPath path;

    Within(Node base, FieldPath path) {
      this.base = base;
      this.path = path;
    }

    @Override
    @Nullable BsonValue evaluate(Scope scope) {
      return within(base.evaluate(scope), path, 0);
    }

    @Override
    void eachField(Consumer<String> action) {
      base.eachField(action);
    }
  }

  /** {@code $$ROOT}. */
  static final class Root extends Node {
    @Override
    BsonValue evaluate(Scope scope) {
      return scope.root;
    }

    @Override
    void eachField(Consumer<String> action) {
      action.accept("");
    }
  }

  /** {@code $$CURRENT}. */
  static final class Current extends Node {
    @Override
    BsonValue evaluate(Scope scope) {
      return scope.current;
    }

    @Override
    void eachField(Consumer<String> action) {
      action.accept("");
    }
  }

  /** A variable in a slot. */
  static final class Variable extends Node {
    private final int slot;

    Variable(int slot) {
      this.slot = slot;
    }

    @Override
    @Nullable BsonValue evaluate(Scope scope) {
      return scope.get(slot);
    }

    @Override
    void eachField(Consumer<String> action) {}
  }

  /**
   * A variable of the operation's {@code let}; looked up at each evaluation, as {@code $lookup}
   * rebinds its own. Undefined stands for a variable that is missing.
   */
  static final class Let extends Node {
    private final BsonDocument let;
    private final String name;

    Let(BsonDocument let, String name) {
      this.let = let;
      this.name = name;
    }

    @Override
    @Nullable BsonValue evaluate(Scope scope) {
      BsonValue value = Values.field(let, name);
      return value instanceof BsonUndefined ? null : value;
    }

    @Override
    void eachField(Consumer<String> action) {}
  }
}
