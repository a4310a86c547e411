// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.projection;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Parses projections of find and of {@code $project}: which kind it is, and what becomes of each
 * path.
 */
final class ShapeParser {
  private record Entry(String dotted, Kind kind, BsonValue value) {}

  private enum Kind {
    INCLUDE,
    EXCLUDE,
    COMPUTE,
    SLICE,
    ELEMENT_MATCH,
    POSITIONAL
  }

  private final OperationContext context;
  private final @Nullable Matcher filter;
  private final List<Entry> entries = new ArrayList<>();

  private ShapeParser(OperationContext context, @Nullable Matcher filter) {
    this.context = context;
    this.filter = filter;
  }

  static ShapeParser forPipeline(OperationContext context) {
    return new ShapeParser(context, null);
  }

  static ShapeParser forFind(OperationContext context, Matcher filter) {
    return new ShapeParser(context, filter);
  }

  Shape parse(BsonDocument spec) {
    collect("", spec);
    ShapeNode.Mode mode = mode();
    ShapeNode node = new ShapeNode(mode);
    boolean idNamed = false;
    for (Entry entry : entries) {
      idNamed |= entry.dotted.equals("_id") || entry.dotted.startsWith("_id.");
    }
    if (mode == ShapeNode.Mode.INCLUDE && !idNamed) {
      node.put(List.of("_id"), 0, new ShapeNode.Action.Keep(), "_id");
    }
    int positional = 0;
    for (Entry entry : entries) {
      if (entry.kind == Kind.POSITIONAL && ++positional > 1) {
        throw new EngineException(
            31276, "Cannot specify more than one positional projection per query.");
      }
      if (entry.kind == Kind.POSITIONAL) {
        checkNamedInFilter(entry.dotted);
      }
      if (mode == ShapeNode.Mode.INCLUDE && entry.kind == Kind.EXCLUDE) {
        // only _id; not naming it is how it is left out
        continue;
      }
      List<String> path = FieldPath.validated(entry.dotted).parts();
      node.put(path, 0, action(entry, mode), entry.dotted);
    }
    return new Shape(node, mode);
  }

  private void checkNamedInFilter(String dotted) {
    String first = FieldPath.of(dotted).parts().getFirst();
    if (filter == null
        || filter.paths().stream().noneMatch(path -> path.parts().getFirst().equals(first))) {
      throw new EngineException(
          31277, "Positional projection '" + dotted + ".$' does not match the query document.");
    }
  }

  private void collect(String prefix, BsonDocument spec) {
    for (Map.Entry<String, BsonValue> field : spec.entrySet()) {
      String dotted = prefix + field.getKey();
      BsonValue value = field.getValue();
      if (filter != null
          && (dotted.endsWith(".$") || dotted.contains(".$.") || dotted.startsWith("$."))) {
        positional(dotted, value);
      } else if (value.isNumber() || value instanceof BsonBoolean) {
        FieldPath.validated(dotted);
        entries.add(new Entry(dotted, Values.truthy(value) ? Kind.INCLUDE : Kind.EXCLUDE, value));
      } else if (value.isDocument()) {
        document(dotted, value.asDocument());
      } else {
        entries.add(new Entry(dotted, Kind.COMPUTE, value));
      }
    }
  }

  private void positional(String dotted, BsonValue value) {
    if (!dotted.endsWith(".$") || dotted.indexOf(".$.") >= 0 || dotted.startsWith("$.")) {
      throw new EngineException(
          31394,
          "As of 4.4, it's illegal to specify positional operator in the middle of a"
              + " path.Positional projection may only be used at the end, for example: a.b.$. If"
              + " the query previously used a form like a.b.$.d, remove the parts following the '$'"
              + " and the results will be equivalent.");
    }
    if (!Values.truthy(value)) {
      throw new EngineException(31395, "positional projection cannot be used with exclusion");
    }
    entries.add(new Entry(dotted.substring(0, dotted.length() - 2), Kind.POSITIONAL, value));
  }

  private void document(String dotted, BsonDocument value) {
    if (value.isEmpty()) {
      throw new EngineException(
          51270, "An empty sub-projection is not a valid value. Found empty object at path");
    }
    String first = value.getFirstKey();
    if (!first.startsWith("$")) {
      collect(dotted + ".", value);
    } else if (filter != null
        && first.equals("$slice")
        && value.size() == 1
        && isFindSlice(value.get("$slice"))) {
      entries.add(
          new Entry(dotted, Kind.SLICE, java.util.Objects.requireNonNull(value.get("$slice"))));
    } else if (filter != null && first.equals("$elemMatch") && value.size() == 1) {
      entries.add(new Entry(dotted, Kind.ELEMENT_MATCH, value));
    } else {
      entries.add(new Entry(dotted, Kind.COMPUTE, value));
    }
  }

  /**
   * {@code $slice: 3} and {@code $slice: [2, 3]} are find's; {@code $slice: ["$a", 3]} is the
   * expression.
   */
  private static boolean isFindSlice(@Nullable BsonValue operand) {
    if (operand == null || operand.isNumber()) {
      return true;
    }
    return !operand.isArray() || operand.asArray().stream().allMatch(BsonValue::isNumber);
  }

  private ShapeNode.Mode mode() {
    ShapeNode.Mode mode = null;
    boolean elementMatch = false;
    boolean meta = false;
    for (Entry entry : entries) {
      boolean id = entry.dotted.equals("_id");
      switch (entry.kind) {
        case INCLUDE, EXCLUDE -> {
          if (id) {
            continue;
          }
          ShapeNode.Mode wanted =
              entry.kind == Kind.INCLUDE ? ShapeNode.Mode.INCLUDE : ShapeNode.Mode.EXCLUDE;
          if (mode == null) {
            mode = wanted;
          } else if (mode != wanted) {
            throw mode == ShapeNode.Mode.INCLUDE
                ? new EngineException(
                    31254,
                    "Cannot do exclusion on field " + entry.dotted + " in inclusion projection")
                : new EngineException(
                    31253,
                    "Cannot do inclusion on field " + entry.dotted + " in exclusion projection");
          }
        }
        case COMPUTE -> {
          if (isMeta(entry.value)) {
            // what is known besides the fields says nothing about the fields
            meta = true;
            continue;
          }
          if (mode == ShapeNode.Mode.EXCLUDE) {
            throw new EngineException(
                31252, "Cannot use an expression other than $meta in exclusion projection");
          }
          mode = ShapeNode.Mode.INCLUDE;
        }
        case POSITIONAL -> {
          if (mode == ShapeNode.Mode.EXCLUDE) {
            throw new EngineException(31395, "positional projection cannot be used with exclusion");
          }
          mode = ShapeNode.Mode.INCLUDE;
        }
        case ELEMENT_MATCH -> elementMatch = true;
        case SLICE -> {}
      }
    }
    if (mode != null) {
      return mode;
    }
    if (elementMatch || (meta && filter == null)) {
      return ShapeNode.Mode.INCLUDE;
    }
    boolean onlyIdIncluded =
        !entries.isEmpty() && entries.stream().anyMatch(entry -> entry.kind == Kind.INCLUDE);
    return onlyIdIncluded ? ShapeNode.Mode.INCLUDE : ShapeNode.Mode.EXCLUDE;
  }

  private static boolean isMeta(BsonValue value) {
    return value.isDocument()
        && value.asDocument().size() == 1
        && value.asDocument().containsKey("$meta");
  }

  private ShapeNode.Action action(Entry entry, ShapeNode.Mode mode) {
    return switch (entry.kind) {
      case INCLUDE -> new ShapeNode.Action.Keep();
      case EXCLUDE -> new ShapeNode.Action.Drop();
      case COMPUTE -> new ShapeNode.Action.Compute(Expression.compile(entry.value, context));
      case SLICE -> new ShapeNode.Action.Change(FindOperators.slice(entry.value));
      case ELEMENT_MATCH ->
          new ShapeNode.Action.Change(
              FindOperators.elementMatch(entry.dotted, entry.value, mode, context));
      case POSITIONAL ->
          new ShapeNode.Action.Change(
              FindOperators.positional(java.util.Objects.requireNonNull(filter)));
    };
  }
}
