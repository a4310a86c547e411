// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Why a document does not match a filter: the {@code details} of a failed validation, as MongoDB
 * documents them. Made for people to read; nothing here decides.
 */
final class FilterFailure {
  private static final Set<String> NUMBERS =
      new TreeSet<>(List.of("decimal", "double", "int", "long"));
  private static final Set<String> TEXTS = new TreeSet<>(List.of("regex", "string", "symbol"));

  private final OperationContext context;
  private final RawBsonDocument document;

  FilterFailure(OperationContext context, RawBsonDocument document) {
    this.context = context;
    this.document = document;
  }

  /** One condition of a filter that has to hold, or has not to. */
  private record Clause(BsonDocument filter) {}

  BsonDocument of(BsonDocument filter) {
    return ofAll(filter, false);
  }

  /**
   * Of all conditions of a filter together.
   *
   * @param inverted whether the fault is that they hold
   */
  private BsonDocument ofAll(BsonDocument filter, boolean inverted) {
    List<Clause> clauses = clauses(filter);
    return clauses.size() == 1
        ? ofOne(clauses.getFirst().filter(), inverted)
        : several("$and", clauses, inverted, !inverted);
  }

  /** A filter's conditions, each operator on a field one of its own. */
  private static List<Clause> clauses(BsonDocument filter) {
    List<Clause> clauses = new ArrayList<>();
    for (Map.Entry<String, BsonValue> entry : filter.entrySet()) {
      String name = entry.getKey();
      BsonValue operand = entry.getValue();
      if (name.equals("$comment")) {
        continue;
      }
      if (name.startsWith("$")
          || !operand.isDocument()
          || !Matcher.isOperators(operand.asDocument())) {
        clauses.add(new Clause(new BsonDocument(name, operand)));
        continue;
      }
      BsonDocument operators = operand.asDocument();
      for (String operator : operators.keySet()) {
        if (!operator.equals("$options") && !operator.equals("$comment")) {
          BsonDocument one = new BsonDocument(operator, operators.get(operator));
          if (operator.equals("$regex") && operators.containsKey("$options")) {
            one.append("$options", operators.get("$options"));
          }
          clauses.add(new Clause(new BsonDocument(name, one)));
        }
      }
    }
    return clauses;
  }

  private boolean holds(BsonDocument filter) {
    return Matcher.compile(filter, context).matches(document);
  }

  /**
   * @param onlyAtFault whether the clauses that are as they should be are left out
   */
  private BsonDocument several(
      String name, List<Clause> clauses, boolean inverted, boolean onlyAtFault) {
    BsonArray told = new BsonArray();
    for (int i = 0; i < clauses.size(); i++) {
      BsonDocument clause = clauses.get(i).filter();
      if (!onlyAtFault || holds(clause) == inverted) {
        told.add(
            new BsonDocument("index", new BsonInt32(i)).append("details", ofAll(clause, inverted)));
      }
    }
    return operator(name).append(inverted ? "clausesSatisfied" : "clausesNotSatisfied", told);
  }

  private BsonDocument ofOne(BsonDocument clause, boolean inverted) {
    String name = clause.getFirstKey();
    BsonValue operand = Objects.requireNonNull(clause.get(name));
    return switch (name) {
      case "$and" -> several(name, listed(operand), inverted, !inverted);
      case "$or" -> several(name, listed(operand), inverted, inverted);
      case "$nor" -> several(name, listed(operand), !inverted, !inverted);
      case "$jsonSchema" ->
          inverted
              ? reason(operator(name), "schema matched")
              : new SchemaFailure(context).of(operand.asDocument(), document);
      case "$expr" -> expression(clause, operand, inverted);
      default ->
          name.startsWith("$")
              ? reason(
                  specified(name, clause),
                  "expression always evaluates to " + (inverted ? "true" : "false"))
              : onField(name, operand, clause, inverted);
    };
  }

  private static List<Clause> listed(BsonValue operand) {
    return operand.asArray().stream().map(clause -> new Clause(clause.asDocument())).toList();
  }

  private BsonDocument expression(BsonDocument clause, BsonValue operand, boolean inverted) {
    BsonDocument failure = specified("$expr", clause);
    try {
      BsonValue result = Expression.compile(operand, context).evaluate(document);
      reason(failure, inverted ? "expression did match" : "expression did not match");
      return result == null ? failure : failure.append("expressionResult", result);
    } catch (EngineException e) {
      return reason(failure, "failed to evaluate aggregation expression")
          .append(
              "details",
              new BsonDocument("code", new BsonInt32(e.code()))
                  .append("codeName", new BsonString(e.codeName()))
                  .append("errmsg", new BsonString(e.getMessage())));
    }
  }

  private BsonDocument onField(
      String path, BsonValue operand, BsonDocument clause, boolean inverted) {
    if (operand instanceof BsonRegularExpression) {
      return leaf(path, "$regex", clause, inverted);
    }
    if (!operand.isDocument() || !Matcher.isOperators(operand.asDocument())) {
      return leaf(path, "$eq", clause, inverted);
    }
    String name = operand.asDocument().getFirstKey();
    BsonValue argument = Objects.requireNonNull(operand.asDocument().get(name));
    return switch (name) {
      case "$ne", "$nin" -> leaf(path, name, clause, !inverted);
      case "$not" ->
          operator(name).append("details", ofAll(new BsonDocument(path, argument), !inverted));
      case "$exists" -> {
        boolean there = !Considered.at(path, document).isEmpty();
        yield reason(specified(name, clause), "path does " + (there ? "exist" : "not exist"));
      }
      default -> leaf(path, name, clause, inverted);
    };
  }

  /** What an operator says of the values that it looked at. */
  private BsonDocument leaf(String path, String name, BsonDocument clause, boolean inverted) {
    List<BsonValue> whole = Considered.at(path, document);
    boolean onArrays = name.equals("$size") || name.equals("$elemMatch") || name.equals("$all");
    List<BsonValue> values = onArrays ? whole : Considered.elements(whole);
    BsonDocument failure = specified(name, clause);
    if (whole.isEmpty()) {
      return reason(failure, "field was missing");
    }
    Set<String> expected = expected(name);
    boolean fits =
        expected == null
            || values.stream().anyMatch(value -> expected.contains(BsonTypes.nameOf(value)));
    if (fits || expected == null) {
      reason(failure, reason(name, inverted));
    } else {
      reason(failure, "type did not match");
      Considered.appendTypes(failure, values);
      Considered.appendNames(failure, "expectedType", expected);
    }
    Considered.append(failure, values);
    if (name.equals("$type")) {
      Considered.appendTypes(failure, values);
    }
    return failure;
  }

  private static @Nullable Set<String> expected(String name) {
    return switch (name) {
      case "$mod" -> NUMBERS;
      case "$regex" -> TEXTS;
      case "$size", "$elemMatch" -> Set.of("array");
      case "$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear" -> {
        Set<String> types = new TreeSet<>(NUMBERS);
        types.add("binData");
        yield types;
      }
      default -> null;
    };
  }

  private static String reason(String name, boolean inverted) {
    return switch (name) {
      case "$in", "$nin" -> (inverted ? "" : "no ") + "matching value found in array";
      case "$type" -> "type did " + (inverted ? "match" : "not match");
      case "$regex" -> "regular expression did " + (inverted ? "match" : "not match");
      case "$mod" -> "$mod did " + (inverted ? "" : "not ") + "evaluate to expected remainder";
      case "$size" -> "array length was " + (inverted ? "" : "not ") + "equal to given size";
      case "$all" -> "array did " + (inverted ? "" : "not ") + "contain all specified values";
      case "$elemMatch" -> "array did " + (inverted ? "" : "not ") + "satisfy the child predicate";
      case "$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear" ->
          inverted ? "bitwise operator matched successfully" : "bitwise operator failed to match";
      case "$geoWithin", "$within" ->
          (inverted
                  ? "at least one of considered geometries was"
                  : "none of the considered geometries were")
              + " contained within the expression’s geometry";
      case "$geoIntersects" ->
          (inverted ? "at least one of considered geometries" : "none of the considered geometries")
              + " intersected the expression’s geometry";
      default -> inverted ? "comparison succeeded" : "comparison failed";
    };
  }

  private static BsonDocument specified(String name, BsonDocument clause) {
    return operator(name).append("specifiedAs", clause);
  }

  private static BsonDocument operator(String name) {
    return new BsonDocument("operatorName", new BsonString(name));
  }

  private static BsonDocument reason(BsonDocument failure, String reason) {
    return failure.append("reason", new BsonString(reason));
  }
}
