// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.update;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * An update written with operators: what is done at each path, in the order of the paths.
 * Immutable.
 */
final class OperatorUpdate {
  private static final Set<String> OPERATORS =
      Set.of(
          "$set",
          "$setOnInsert",
          "$unset",
          "$inc",
          "$mul",
          "$min",
          "$max",
          "$rename",
          "$currentDate",
          "$bit",
          "$push",
          "$addToSet",
          "$pop",
          "$pull",
          "$pullAll");

  /** A rename is two steps: the value is taken from one path and set at another. */
  private record Step(
      UpdatePath path, @Nullable Modifier modifier, @Nullable UpdatePath renamedFrom) {}

  private final List<Step> steps;
  private final ArrayFilters filters;
  private final boolean positions;
  private final Set<String> topFields;

  private OperatorUpdate(List<Step> steps, ArrayFilters filters) {
    this.steps = steps;
    this.filters = filters;
    this.positions =
        steps.size() > 1
            && steps.stream()
                .anyMatch(step -> step.path.hasPositional() || step.path.hasArrayUpdates());
    this.topFields = topFields(steps);
  }

  /** The names of all update operators. */
  static Set<String> names() {
    return new TreeSet<>(OPERATORS);
  }

  static OperatorUpdate parse(
      BsonDocument update, List<BsonDocument> arrayFilters, OperationContext context) {
    ArrayFilters filters = ArrayFilters.parse(arrayFilters, context);
    List<Step> steps = new ArrayList<>();
    for (Map.Entry<String, BsonValue> entry : update.entrySet()) {
      String operator = entry.getKey();
      if (!OPERATORS.contains(operator)) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "Unknown modifier: "
                + operator
                + ". Expected a valid update modifier or pipeline-style update specified as an"
                + " array");
      }
      if (!entry.getValue().isDocument()) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE,
            "Modifiers operate on fields but we found type "
                + BsonTypes.nameOf(entry.getValue())
                + " instead. For example: {$mod: {<field>: ...}} not {"
                + operator
                + ": "
                + Values.show(entry.getValue())
                + "}");
      }
      entry
          .getValue()
          .asDocument()
          .forEach((path, operand) -> steps.add(step(operator, path, operand, context)));
    }
    checkConflicts(steps);
    if (!filters.isEmpty() || hasArrayUpdates(steps)) {
      filters.check(steps.stream().map(Step::path).toList(), update);
    }
    steps.sort((a, b) -> UpdatePath.ORDER.compare(a.path, b.path));
    return new OperatorUpdate(List.copyOf(steps), filters);
  }

  private static boolean hasArrayUpdates(List<Step> steps) {
    for (Step step : steps) {
      if (step.path.hasArrayUpdates()) {
        return true;
      }
    }
    return false;
  }

  private static Step step(
      String operator, String dotted, BsonValue operand, OperationContext context) {
    if (operator.equals("$rename")) {
      return rename(dotted, operand);
    }
    UpdatePath path = UpdatePath.parse(dotted);
    Modifier modifier =
        switch (operator) {
          case "$set" -> new FieldModifiers.SetTo(operand, false);
          case "$setOnInsert" -> new FieldModifiers.SetTo(operand, true);
          case "$unset" -> new FieldModifiers.Unset();
          case "$inc", "$mul" -> FieldModifiers.Arithmetic.parse(operator, dotted, operand);
          case "$min" -> new FieldModifiers.Extreme(operand, true, context.order());
          case "$max" -> new FieldModifiers.Extreme(operand, false, context.order());
          case "$currentDate" -> FieldModifiers.CurrentDate.parse(operand, context);
          case "$bit" -> FieldModifiers.Bit.parse(operand);
          case "$push" -> ArrayModifiers.Push.parse(operand, context);
          case "$addToSet" -> ArrayModifiers.AddToSet.parse(operand, context.order());
          case "$pop" -> ArrayModifiers.Pop.parse(dotted, operand);
          case "$pull" -> ArrayModifiers.Pull.parse(operand, context);
          default -> ArrayModifiers.Pull.all(operand, context.order());
        };
    return new Step(path, modifier, null);
  }

  private static Step rename(String from, BsonValue to) {
    if (!to.isString()) {
      throw FieldModifiers.bad(
          "The 'to' field for $rename must be a string: " + from + ": " + Values.show(to));
    }
    UpdatePath source = UpdatePath.parse(from);
    UpdatePath target = UpdatePath.parse(to.asString().getValue());
    for (UpdatePath path : List.of(source, target)) {
      if (path.hasPositional() || path.hasArrayUpdates()) {
        throw FieldModifiers.bad(
            "The "
                + (path.equals(source) ? "source" : "destination")
                + " field for $rename may not be dynamic: "
                + path.dotted());
      }
    }
    if (source.equals(target)) {
      throw FieldModifiers.bad(
          "The source and target field for $rename must differ: " + from + ": " + Values.show(to));
    }
    if (source.conflictsWith(target)) {
      throw FieldModifiers.bad(
          "The source and target field for $rename must not be on the same path: "
              + from
              + ": "
              + Values.show(to));
    }
    return new Step(target, null, source);
  }

  private static void checkConflicts(List<Step> steps) {
    if (steps.size() == 1) {
      // a rename alone has looked at its two paths itself
      return;
    }
    List<UpdatePath> seen = new ArrayList<>();
    for (Step step : steps) {
      List<UpdatePath> own = new ArrayList<>(List.of(step.path));
      if (step.renamedFrom != null) {
        own.add(step.renamedFrom);
      }
      for (UpdatePath path : own) {
        for (UpdatePath other : seen) {
          if (path.conflictsWith(other)) {
            UpdatePath shorter = path.parts().size() < other.parts().size() ? path : other;
            throw new EngineException(
                ErrorCodes.CONFLICTING_UPDATE_OPERATORS,
                "Updating the path '"
                    + path.dotted()
                    + "' would create a conflict at '"
                    + shorter.dotted()
                    + "'");
          }
        }
      }
      seen.addAll(own);
    }
  }

  /**
   * The changed document, where every step only overwrites a top-level value by one of the same
   * type and length: a copy of the bytes with some of them changed. Null where there is more to do.
   */
  byte @Nullable [] overwrite(byte[] before) {
    byte[] bytes = before.clone();
    for (Step step : steps) {
      if (step.modifier == null
          || step.path.parts().size() != 1
          || step.path.dotted().equals("_id")
          || !Overwriting.write(bytes, step.path.dotted(), step.modifier)) {
        return null;
      }
    }
    return bytes;
  }

  /** Changes the document. */
  void apply(BsonDocument document, IntSupplier positional, boolean inserting) {
    Editing editing = new Editing(document, filters, positional, positions);
    for (Step step : steps) {
      Modifier modifier = step.modifier;
      if (modifier != null) {
        if (inserting || !modifier.onlyOnInsert()) {
          editing.apply(step.path, modifier);
        }
      } else {
        rename(document, java.util.Objects.requireNonNull(step.renamedFrom), step.path, editing);
      }
    }
  }

  private static void rename(BsonDocument root, UpdatePath from, UpdatePath to, Editing editing) {
    BsonDocument parent = root;
    for (int i = 0; i < from.parts().size() - 1; i++) {
      BsonValue child = parent.get(from.parts().get(i));
      if (child != null && child.isArray()) {
        throw FieldModifiers.bad(
            "The source field cannot be an array element, '"
                + from.dotted()
                + "' in doc with "
                + FieldModifiers.id(root.get("_id"))
                + " has an array field called '"
                + from.parts().get(i)
                + "'");
      }
      if (child == null) {
        return;
      }
      if (!(child instanceof BsonDocument document)) {
        String element = "{" + from.parts().get(i) + ": " + Values.show(child) + "}";
        throw new EngineException(
            ErrorCodes.PATH_NOT_VIABLE, Editing.notViable(from.parts().get(i + 1), from, element));
      }
      BsonDocument open = Mutable.of(document);
      parent.put(from.parts().get(i), open);
      parent = open;
    }
    String name = from.parts().getLast();
    BsonValue value = parent.get(name);
    if (value == null) {
      return;
    }
    checkTarget(root, to);
    parent.remove(name);
    editing.apply(to, new FieldModifiers.SetTo(value, false));
  }

  private static void checkTarget(BsonDocument root, UpdatePath to) {
    BsonValue at = root;
    for (int i = 0; i < to.parts().size() - 1 && at instanceof BsonDocument document; i++) {
      at = document.get(to.parts().get(i));
      if (at != null && at.isArray()) {
        throw FieldModifiers.bad(
            "The destination field cannot be an array element, '"
                + to.dotted()
                + "' in doc with "
                + FieldModifiers.id(root.get("_id"))
                + " has an array field called '"
                + to.parts().get(i)
                + "'");
      }
    }
  }

  /** First parts of the paths that it may change. */
  Set<String> topFields() {
    return topFields;
  }

  private static Set<String> topFields(List<Step> steps) {
    if (steps.size() == 1 && steps.getFirst().renamedFrom == null) {
      return Set.of(steps.getFirst().path.parts().getFirst());
    }
    Set<String> fields = new TreeSet<>();
    for (Step step : steps) {
      fields.add(step.path.parts().getFirst());
      if (step.renamedFrom != null) {
        fields.add(step.renamedFrom.parts().getFirst());
      }
    }
    return fields;
  }
}
