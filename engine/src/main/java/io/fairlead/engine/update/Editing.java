// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.Indexes;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One document being changed: walks a modifier's path, making what is missing, and applies it at
 * every end.
 */
final class Editing {
  private static final int BACKFILL_MAX = 1_500_000;

  private final BsonDocument root;
  private final ArrayFilters filters;
  private final IntSupplier positional;
  private final @Nullable List<List<String>> touched;

  /**
   * Starts on a document.
   *
   * @param positional the index that {@code $} means, -1 when there is none
   * @param trackConflicts whether paths with positions may meet only here
   */
  Editing(BsonDocument root, ArrayFilters filters, IntSupplier positional, boolean trackConflicts) {
    this.root = root;
    this.filters = filters;
    this.positional = positional;
    this.touched = trackConflicts ? new ArrayList<>() : null;
  }

  void apply(UpdatePath path, Modifier modifier) {
    new Walk(path, modifier).document(root, 0);
  }

  /** Why nothing lies beyond an element on a path. */
  static String notViable(String part, UpdatePath path, String element) {
    return "Cannot use the part ("
        + part
        + " of "
        + path.dotted()
        + ") to traverse the element ("
        + element
        + ")";
  }

  /** One modifier on its way. */
  private final class Walk {
    private final UpdatePath path;
    private final Modifier modifier;
    private final List<String> taken = new ArrayList<>();

    Walk(UpdatePath path, Modifier modifier) {
      this.path = path;
      this.modifier = modifier;
    }

    private boolean isLast(int part) {
      return part == path.parts().size() - 1;
    }

    private String name(int part) {
      String name = path.parts().get(part);
      if (!name.equals("$")) {
        return name;
      }
      int index = positional.getAsInt();
      if (index < 0) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "The positional operator did not find the match needed from the query.");
      }
      return Indexes.text(index);
    }

    void document(BsonDocument document, int part) {
      String name = name(part);
      if (UpdatePath.isArrayUpdate(name)) {
        throw notAnArray(document);
      }
      taken.add(name);
      if (isLast(part)) {
        end(new InDocument(document, name));
      } else {
        BsonValue child = document.get(name);
        if (child == null) {
          missing(part, made -> document.put(name, made));
        } else {
          BsonValue open = Mutable.of(child);
          document.put(name, open);
          descend(open, part + 1);
        }
      }
      taken.removeLast();
    }

    private void missing(int part, java.util.function.Consumer<BsonValue> put) {
      if (!modifier.creates()) {
        return;
      }
      if (UpdatePath.isArrayUpdate(path.parts().get(part + 1))) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "The path '"
                + String.join(".", taken)
                + "' must exist in the document in order to apply array updates.");
      }
      BsonDocument made = new BsonDocument();
      put.accept(made);
      document(made, part + 1);
    }

    private void descend(BsonValue value, int part) {
      switch (value) {
        case BsonDocument document -> document(document, part);
        case BsonArray array -> array(array, part);
        default -> blocked(value, part);
      }
    }

    private void blocked(BsonValue value, int part) {
      if (UpdatePath.isArrayUpdate(path.parts().get(part))) {
        throw notAnArray(value);
      }
      if (modifier.needsOpenPath()) {
        String element = "{" + taken.getLast() + ": " + Values.show(value) + "}";
        throw new EngineException(
            ErrorCodes.PATH_NOT_VIABLE,
            modifier.creates()
                ? "Cannot create field '" + name(part) + "' in element " + element
                : notViable(name(part), path, element));
      }
    }

    private EngineException notAnArray(BsonValue value) {
      return new EngineException(
          ErrorCodes.BAD_VALUE,
          "Cannot apply array updates to non-array element "
              + (taken.isEmpty() ? "" : taken.getLast() + ": ")
              + Values.show(value));
    }

    private void array(BsonArray array, int part) {
      String name = name(part);
      if (UpdatePath.isArrayUpdate(name)) {
        String identifier = UpdatePath.identifier(name);
        for (int i = 0; i < array.size(); i++) {
          if (identifier.isEmpty() || filters.matches(identifier, array.get(i))) {
            element(array, i, part);
          }
        }
        return;
      }
      int index = Indexes.parse(name);
      if (index < 0) {
        blocked(array, part);
        return;
      }
      element(array, index, part);
    }

    private void element(BsonArray array, int index, int part) {
      taken.add(Indexes.text(index));
      if (isLast(part)) {
        end(new InArray(array, index));
      } else if (index < array.size()) {
        BsonValue open = Mutable.of(array.get(index));
        array.set(index, open);
        descend(open, part + 1);
      } else {
        missing(part, made -> new InArray(array, index).set(made));
      }
      taken.removeLast();
    }

    private void end(Modifier.Place place) {
      if (touched != null) {
        for (List<String> other : touched) {
          int length = Math.min(other.size(), taken.size());
          if (other.subList(0, length).equals(taken.subList(0, length))) {
            throw new EngineException(
                ErrorCodes.CONFLICTING_UPDATE_OPERATORS,
                "Update created a conflict at '"
                    + String.join(".", taken.subList(0, length))
                    + "'");
          }
        }
        touched.add(List.copyOf(taken));
      }
      modifier.apply(place);
    }

    private abstract class Anywhere implements Modifier.Place {
      @Override
      public String path() {
        return String.join(".", taken);
      }

      @Override
      public String document() {
        return FieldModifiers.id(root.get("_id"));
      }
    }

    private final class InDocument extends Anywhere {
      private final BsonDocument parent;
      private final String name;

      InDocument(BsonDocument parent, String name) {
        this.parent = parent;
        this.name = name;
      }

      @Override
      public @Nullable BsonValue get() {
        return parent.get(name);
      }

      @Override
      public void set(BsonValue value) {
        parent.put(name, value);
      }

      @Override
      public void remove() {
        parent.remove(name);
      }
    }

    private final class InArray extends Anywhere {
      private final BsonArray parent;
      private final int index;

      InArray(BsonArray parent, int index) {
        this.parent = parent;
        this.index = index;
      }

      @Override
      public @Nullable BsonValue get() {
        return index < parent.size() ? parent.get(index) : null;
      }

      @Override
      public void set(BsonValue value) {
        if (index > parent.size() + BACKFILL_MAX) {
          throw new EngineException(
              34, "can't backfill array to larger than " + BACKFILL_MAX + " elements");
        }
        while (parent.size() < index) {
          parent.add(BsonNull.VALUE);
        }
        if (index == parent.size()) {
          parent.add(value);
        } else {
          parent.set(index, value);
        }
      }

      @Override
      public void remove() {
        if (index < parent.size()) {
          parent.set(index, BsonNull.VALUE);
        }
      }
    }
  }
}
