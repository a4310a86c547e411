// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.text.TextQuery;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A filter document into checks: the logical operators and what belongs to the whole document. */
final class FilterParser {
  /** How deep filters may nest, as in MongoDB. */
  private static final int DEPTH_MAX = 100;

  private final OperationContext context;
  private final OperatorParser operators;
  private final boolean onlyFields;
  private int depth;

  FilterParser(OperationContext context) {
    this(context, false);
  }

  /**
   * Makes one.
   *
   * @param onlyFields whether conditions on whole documents are refused: {@code $expr} and {@code
   *     $jsonSchema}
   */
  FilterParser(OperationContext context, boolean onlyFields) {
    this.onlyFields = onlyFields;
    this.context = context;
    this.operators = new OperatorParser(this, context);
  }

  Check parse(BsonDocument filter, boolean root) {
    enter();
    try {
      return parseFields(filter, root);
    } finally {
      leave();
    }
  }

  /** Goes one level deeper; refuses to beyond {@link #DEPTH_MAX}. */
  void enter() {
    if (++depth > DEPTH_MAX) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, "exceeded maximum query tree depth of " + DEPTH_MAX);
    }
  }

  void leave() {
    depth--;
  }

  private Check parseFields(BsonDocument filter, boolean root) {
    List<Check> checks = new ArrayList<>();
    for (Map.Entry<String, BsonValue> entry : filter.entrySet()) {
      String name = entry.getKey();
      if (name.startsWith("$")) {
        checks.add(topLevel(name, entry.getValue(), root));
      } else {
        operators.field(FieldPath.of(name), entry.getValue(), checks);
      }
    }
    return checks.size() == 1 ? checks.getFirst() : new Check.All(List.copyOf(checks));
  }

  private Check topLevel(String name, BsonValue operand, boolean root) {
    return switch (name) {
      case "$and" -> {
        List<Check> clauses = clauses(name, operand, root);
        yield clauses.size() == 1 ? clauses.getFirst() : new Check.All(clauses);
      }
      case "$or" -> {
        List<Check> clauses = clauses(name, operand, root);
        yield clauses.size() == 1 ? clauses.getFirst() : new Check.Any(clauses, false);
      }
      case "$nor" -> new Check.Any(clauses(name, operand, root), true);
      case "$comment" -> new Check.All(List.of());
      case "$expr" -> {
        requireRoot(name, root);
        requireAllowed(name);
        Expression expression = Expression.compile(operand, context);
        yield new Check.OnRoot(
            "$expr",
            (bytes, offset, evaluation) -> Values.truthy(expression.evaluate(evaluation.root())));
      }
      case "$alwaysTrue", "$alwaysFalse" -> {
        if (!operand.isNumber() || io.fairlead.engine.value.Numbers.toDouble(operand) != 1) {
          throw new EngineException(
              ErrorCodes.FAILED_TO_PARSE, name + " must be an integer value of 1");
        }
        yield new Check.Fixed(name.equals("$alwaysTrue"));
      }
      case "$jsonSchema" -> {
        requireAllowed(name);
        yield JsonSchema.parse(operand, context);
      }
      case "$sampleRate" -> {
        requireRoot(name, root);
        if (!operand.isNumber()) {
          throw new EngineException(
              ErrorCodes.BAD_VALUE, "argument to $sampleRate must be a numeric type");
        }
        double rate = io.fairlead.engine.value.Numbers.toDouble(operand);
        if (!(rate >= 0 && rate <= 1)) {
          throw new EngineException(
              ErrorCodes.BAD_VALUE, "numeric argument to $sampleRate must be in [0, 1]");
        }
        yield new Check.OnRoot(
            name, (bytes, offset, evaluation) -> context.random().nextDouble() < rate);
      }
      case "$where" ->
          throw new EngineException(
              ErrorCodes.BAD_VALUE, "$where is not supported: there is no server-side JavaScript");
      case "$ref", "$id", "$db" -> // the fields of a reference
          operators.compare(FieldPath.of(name), Predicate.Operator.EQ, operand);
      case "$text" -> {
        requireRoot(name, root);
        yield new TextCheck(TextQuery.parse(operand));
      }
      default ->
          throw new EngineException(
              ErrorCodes.BAD_VALUE,
              "unknown top level operator: "
                  + name
                  + ". If you have a field name that starts with a '$' symbol, consider using"
                  + " $getField or $setField.");
    };
  }

  private void requireAllowed(String name) {
    if (onlyFields) {
      throw new EngineException(
          ErrorCodes.QUERY_FEATURE_NOT_ALLOWED, name + " is not allowed in this context");
    }
  }

  private static void requireRoot(String name, boolean root) {
    if (!root) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE, name + " can only be applied to the top-level document");
    }
  }

  List<Check> clauses(String name, BsonValue operand, boolean root) {
    if (!operand.isArray()) {
      throw new EngineException(ErrorCodes.BAD_VALUE, name + " must be an array");
    }
    if (operand.asArray().isEmpty()) {
      throw new EngineException(ErrorCodes.BAD_VALUE, "$and/$or/$nor must be a nonempty array");
    }
    List<Check> clauses = new ArrayList<>();
    for (BsonValue clause : operand.asArray()) {
      if (!clause.isDocument()) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE, "$or/$and/$nor entries need to be full objects");
      }
      clauses.add(parse(clause.asDocument(), root));
    }
    return List.copyOf(clauses);
  }
}
