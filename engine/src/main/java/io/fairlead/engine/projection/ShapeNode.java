// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.projection;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.ElementCursor;
import io.fairlead.engine.value.Indexes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a projection names at one level of documents. Input fields keep their order;
 * computed ones that the input lacks follow in the order of the specification. Arrays on the way
 * are shaped element by element.
 */
final class ShapeNode {
  /** What becomes of fields that are not named, and of values where a document was expected. */
  enum Mode {
    INCLUDE,
    EXCLUDE,
    /** Keeps everything and sets computed fields in their place. */
    ADD
  }

  /** What is done with one named field. */
  sealed interface Action {
    record Keep() implements Action {}

    record Drop() implements Action {}

    record Compute(Expression expression) implements Action {}

    record Nested(ShapeNode node) implements Action {}

    /** A find-only change of the field's own value. */
    record Change(FieldChange change) implements Action {}
  }

  /** Rewrites the value of one field, as find's {@code $slice} does. */
  @FunctionalInterface
  interface FieldChange {
    /** The new value; null to leave the field out. */
    @Nullable BsonValue apply(BsonValue value, Shaping shaping);
  }

  /** One document being shaped. */
  record Shaping(RawBsonDocument root) {}

  private final Mode mode;
  private final List<String> names = new ArrayList<>();
  private final List<byte[]> nameBytes = new ArrayList<>();
  private final List<Action> actions = new ArrayList<>();
  private boolean computes;

  ShapeNode(Mode mode) {
    this.mode = mode;
  }

  void put(List<String> path, int part, Action action, String dotted) {
    String name = path.get(part);
    int index = names.indexOf(name);
    computes |= action instanceof Action.Compute;
    if (part == path.size() - 1) {
      if (index >= 0) {
        throw collision(31250, "Path collision at " + dotted);
      }
      add(name, action);
      return;
    }
    if (index < 0) {
      index = names.size();
      add(name, new Action.Nested(new ShapeNode(mode)));
    }
    if (!(actions.get(index) instanceof Action.Nested nested)) {
      throw collision(
          31249,
          "Path collision at "
              + dotted
              + " remaining portion "
              + String.join(".", path.subList(part + 1, path.size())));
    }
    nested.node.put(path, part + 1, action, dotted);
  }

  /** Fields that are added have one code for all collisions. */
  private EngineException collision(int code, String message) {
    return mode == Mode.ADD
        ? new EngineException(40176, "specification contains two conflicting paths: " + message)
        : new EngineException(code, message);
  }

  private void add(String name, Action action) {
    names.add(name);
    nameBytes.add(name.getBytes(StandardCharsets.UTF_8));
    actions.add(action);
  }

  private int find(ElementCursor cursor) {
    for (int i = 0; i < nameBytes.size(); i++) {
      if (cursor.nameEquals(nameBytes.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Writes the shaped fields of the document at {@code offset}. */
  void write(byte[] bytes, int offset, Shaping shaping, DocumentWriter out) {
    boolean[] done = computes ? new boolean[names.size()] : NONE;
    ElementCursor cursor = new ElementCursor(bytes, offset);
    while (cursor.next()) {
      int index = find(cursor);
      if (index < 0) {
        if (mode != Mode.INCLUDE) {
          out.element(cursor);
        }
      } else {
        boolean settled = field(cursor, actions.get(index), shaping, out);
        if (computes) {
          done[index] = settled;
        }
      }
    }
    if (computes) {
      appendComputed(done, shaping, out);
    }
  }

  private static final boolean[] NONE = new boolean[0];

  private void appendComputed(boolean[] done, Shaping shaping, DocumentWriter out) {
    for (int i = 0; i < done.length; i++) {
      if (done[i]) {
        continue;
      }
      switch (actions.get(i)) {
        case Action.Compute compute -> {
          BsonValue value = compute.expression.evaluate(shaping.root);
          if (value != null) {
            out.value(names.get(i), value);
          }
        }
        case Action.Nested nested when nested.node.computes -> {
          out.startDocument(names.get(i));
          nested.node.computedOnly(shaping, out);
          out.end();
        }
        default -> {}
      }
    }
  }

  private void computedOnly(Shaping shaping, DocumentWriter out) {
    appendComputed(new boolean[names.size()], shaping, out);
  }

  /**
   * Writes one named field that the input has; false when it is to be computed after the input's
   * fields.
   */
  private boolean field(ElementCursor cursor, Action action, Shaping shaping, DocumentWriter out) {
    switch (action) {
      case Action.Keep keep -> out.element(cursor);
      case Action.Drop drop -> {}
      case Action.Compute compute -> {
        if (mode != Mode.ADD) {
          return false;
        }
        BsonValue value = compute.expression.evaluate(shaping.root);
        if (value != null) {
          out.value(cursor.bytes(), cursor.nameStart(), cursor.nameEnd(), value);
        }
      }
      case Action.Change change -> {
        BsonValue value = change.change.apply(cursor.value(), shaping);
        if (value != null) {
          out.value(cursor.bytes(), cursor.nameStart(), cursor.nameEnd(), value);
        }
      }
      case Action.Nested nested -> {
        ShapeNode node = nested.node;
        if (mode == Mode.INCLUDE
            && node.computes
            && cursor.type() != BsonTypes.DOCUMENT
            && cursor.type() != BsonTypes.ARRAY) {
          return false;
        }
        node.value(cursor, shaping, out, null);
      }
    }
    return true;
  }

  /**
   * Writes a value where this node expects a document, under the cursor's name or, in arrays, under
   * {@code index}.
   */
  private boolean value(
      ElementCursor cursor, Shaping shaping, DocumentWriter out, @Nullable String index) {
    if (cursor.type() == BsonTypes.DOCUMENT) {
      start(cursor, index, out);
      write(cursor.bytes(), cursor.valueStart(), shaping, out);
      out.end();
      return true;
    }
    if (cursor.type() == BsonTypes.ARRAY) {
      if (index == null) {
        out.startArray(cursor.bytes(), cursor.nameStart(), cursor.nameEnd());
      } else {
        out.startArray(index);
      }
      ElementCursor elements = new ElementCursor(cursor.bytes(), cursor.valueStart());
      int next = 0;
      while (elements.next()) {
        if (value(elements, shaping, out, Indexes.text(next))) {
          next++;
        }
      }
      out.end();
      return true;
    }
    if (mode == Mode.INCLUDE && !computes) {
      return false;
    }
    if (computes) {
      start(cursor, index, out);
      computedOnly(shaping, out);
      out.end();
    } else if (index == null) {
      out.element(cursor);
    } else {
      out.value(index, cursor.value());
    }
    return true;
  }

  private static void start(ElementCursor cursor, @Nullable String index, DocumentWriter out) {
    if (index == null) {
      out.startDocument(cursor.bytes(), cursor.nameStart(), cursor.nameEnd());
    } else {
      out.startDocument(index);
    }
  }

  /** Adds the paths that are read: kept fields, and the fields of expressions. */
  void dependencies(String prefix, Set<String> into) {
    for (int i = 0; i < names.size(); i++) {
      String path = prefix + names.get(i);
      switch (actions.get(i)) {
        case Action.Keep keep -> into.add(path);
        case Action.Change change -> into.add(path);
        case Action.Drop drop -> {}
        case Action.Compute compute -> into.addAll(compute.expression.fields());
        case Action.Nested nested -> nested.node.dependencies(path + ".", into);
      }
    }
  }
}
