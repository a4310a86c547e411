// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.geo.GeoPredicate;
import io.fairlead.engine.geo.NearQuery;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What stands behind a field's name in a filter: a value, or operators. */
final class OperatorParser {
  private static final Set<String> NEAR = Set.of("$near", "$nearSphere", "$geoNear");

  private final FilterParser filters;
  private final OperationContext context;

  OperatorParser(FilterParser filters, OperationContext context) {
    this.filters = filters;
    this.context = context;
  }

  /** Adds the checks of {@code {path: operand}}. */
  void field(FieldPath path, BsonValue operand, List<Check> into) {
    if (operand.isDocument() && isOperators(operand.asDocument())) {
      operators(path, operand.asDocument(), into);
    } else if (operand instanceof BsonRegularExpression regex) {
      into.add(new Check.OnPath(path, Pattern.of(regex, context.interrupt())));
    } else {
      into.add(compare(path, Predicate.Operator.EQ, operand));
    }
  }

  /**
   * Whether a document is operators and not a value: its first field starts with {@code $}, and it
   * is no DBRef.
   */
  static boolean isOperators(BsonDocument document) {
    return !document.isEmpty()
        && document.getFirstKey().startsWith("$")
        && !(document.containsKey("$ref") && document.containsKey("$id"));
  }

  /** The same where a part of a DBRef is already none of operators. */
  private static boolean isOperatorsAndNoPartOfReference(BsonDocument document) {
    return !document.isEmpty()
        && document.getFirstKey().startsWith("$")
        && !document.containsKey("$ref")
        && !document.containsKey("$id")
        && !document.containsKey("$db");
  }

  void operators(FieldPath path, BsonDocument operators, List<Check> into) {
    filters.enter();
    try {
      each(path, operators, into);
    } finally {
      filters.leave();
    }
  }

  private void each(FieldPath path, BsonDocument operators, List<Check> into) {
    @Nullable BsonValue regex = operators.get("$regex");
    @Nullable BsonValue options = operators.get("$options");
    for (Map.Entry<String, BsonValue> entry : operators.entrySet()) {
      BsonValue operand = entry.getValue();
      switch (entry.getKey()) {
        case "$regex" -> into.add(regex(path, operand, options));
        case "$options" -> {
          if (regex == null) {
            throw bad("$options needs a $regex");
          }
        }
        case "$near", "$nearSphere", "$geoNear" ->
            into.add(new NearCheck(path, NearQuery.parse(entry.getKey(), operand, operators)));
        case "$minDistance", "$maxDistance" -> {
          if (operators.keySet().stream().noneMatch(NEAR::contains)) {
            throw bad(entry.getKey() + " needs a $near or $nearSphere");
          }
        }
        default -> operator(path, entry.getKey(), operand, into);
      }
    }
  }

  private void operator(FieldPath path, String name, BsonValue operand, List<Check> into) {
    switch (name) {
      case "$eq" -> into.add(compare(path, Predicate.Operator.EQ, operand));
      case "$gt" -> into.add(order(path, Predicate.Operator.GT, operand));
      case "$gte" -> into.add(order(path, Predicate.Operator.GTE, operand));
      case "$lt" -> into.add(order(path, Predicate.Operator.LT, operand));
      case "$lte" -> into.add(order(path, Predicate.Operator.LTE, operand));
      case "$ne" -> {
        if (operand instanceof BsonRegularExpression) {
          throw bad("Can't have regex as arg to $ne.");
        }
        into.add(new Check.Negation(compare(path, Predicate.Operator.EQ, operand)));
      }
      case "$in" -> into.add(oneOf(path, name, operand));
      case "$nin" -> into.add(new Check.Negation(oneOf(path, name, operand)));
      case "$not" -> into.add(not(path, operand));
      case "$exists" -> {
        Check exists = new Check.OnPath(path, new ValueTest.Exists());
        into.add(Values.truthy(operand) ? exists : new Check.Negation(exists));
      }
      case "$type" -> into.add(new Check.OnPath(path, new ValueTest.HasType(types(path, operand))));
      case "$size" -> into.add(new Check.OnPath(path, new ValueTest.HasSize(size(operand))));
      case "$mod" -> into.add(new Check.OnPath(path, modulo(operand)));
      case "$all" -> into.add(all(path, operand));
      case "$elemMatch" -> into.add(new Check.OnPath(path, elementMatch(operand)));
      case "$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear" ->
          into.add(new Check.OnPath(path, Bits.parse(name, path.dotted(), operand)));
      case "$comment" -> {}
      case "$geoWithin", "$within", "$geoIntersects" ->
          into.add(new Check.OnPath(path, new GeoTest(GeoPredicate.parse(name, operand))));
      default -> throw bad("unknown operator: " + name);
    }
  }

  static EngineException bad(String message) {
    return new EngineException(ErrorCodes.BAD_VALUE, message);
  }

  Check compare(FieldPath path, Predicate.Operator operator, BsonValue operand) {
    if (operand instanceof BsonUndefined) {
      throw bad("cannot compare to undefined");
    }
    return new Check.OnPath(path, ValueTest.Compare.of(operator, operand, context.order()));
  }

  private Check order(FieldPath path, Predicate.Operator operator, BsonValue operand) {
    if (operand instanceof BsonRegularExpression) {
      throw bad("Can't have RegEx as arg to predicate over field '" + path.dotted() + "'.");
    }
    return compare(path, operator, operand);
  }

  private Check oneOf(FieldPath path, String name, BsonValue operand) {
    if (!operand.isArray()) {
      throw bad(name + " needs an array");
    }
    List<BsonValue> values = new ArrayList<>();
    List<Pattern> patterns = new ArrayList<>();
    for (BsonValue value : operand.asArray()) {
      if (value.isDocument() && isOperators(value.asDocument())) {
        throw bad("cannot nest $ under " + name);
      }
      if (value instanceof BsonUndefined) {
        throw bad("InMatchExpression equality cannot be undefined");
      }
      if (value instanceof BsonRegularExpression regex) {
        patterns.add(Pattern.of(regex, context.interrupt()));
      } else {
        values.add(value);
      }
    }
    if (values.isEmpty() && patterns.isEmpty()) {
      return new Check.Fixed(false);
    }
    return new Check.OnPath(
        path, ValueTest.OneOf.of(List.copyOf(values), List.copyOf(patterns), context.order()));
  }

  private Check not(FieldPath path, BsonValue operand) {
    if (operand instanceof BsonRegularExpression regex) {
      return new Check.Negation(new Check.OnPath(path, Pattern.of(regex, context.interrupt())));
    }
    if (!operand.isDocument()) {
      throw bad("$not needs a regex or a document");
    }
    BsonDocument inner = operand.asDocument();
    if (inner.isEmpty()) {
      throw bad("$not cannot be empty");
    }
    if (!isOperators(inner)) {
      throw bad("unknown operator: " + inner.getFirstKey());
    }
    List<Check> checks = new ArrayList<>();
    operators(path, inner, checks);
    return new Check.Negation(
        checks.size() == 1 ? checks.getFirst() : new Check.All(List.copyOf(checks)));
  }

  private Check regex(FieldPath path, BsonValue operand, @Nullable BsonValue options) {
    String flags = "";
    if (options != null) {
      if (!options.isString()) {
        throw bad("$options has to be a string");
      }
      flags = options.asString().getValue();
    }
    String pattern;
    if (operand instanceof BsonRegularExpression regex) {
      if (options != null && !regex.getOptions().isEmpty()) {
        throw new EngineException(51075, "options set in both $regex and $options");
      }
      pattern = regex.getPattern();
      flags = options == null ? regex.getOptions() : flags;
    } else if (operand.isString()) {
      pattern = operand.asString().getValue();
    } else {
      throw bad("$regex has to be a string");
    }
    // compiled with the options as given: BsonRegularExpression sorts them, an unknown one must
    // still be refused
    return new Check.OnPath(
        path, Pattern.of(new BsonRegularExpression(pattern, flags), context.interrupt()));
  }

  static Set<Integer> types(FieldPath path, BsonValue operand) {
    Set<Integer> codes = new LinkedHashSet<>();
    if (operand.isArray()) {
      if (operand.asArray().isEmpty()) {
        throw new EngineException(
            ErrorCodes.FAILED_TO_PARSE, path.dotted() + " must match at least one type");
      }
      operand.asArray().forEach(type -> addType(type, codes));
    } else {
      addType(operand, codes);
    }
    return Set.copyOf(codes);
  }

  private static void addType(BsonValue type, Set<Integer> codes) {
    if (type.isString()) {
      String name = type.asString().getValue();
      if (name.equals("number")) {
        codes.addAll(
            List.of(BsonTypes.DOUBLE, BsonTypes.INT32, BsonTypes.INT64, BsonTypes.DECIMAL128));
        return;
      }
      OptionalInt code = BsonTypes.codeOf(name);
      if (code.isEmpty()) {
        throw bad("Unknown type name alias: " + name);
      }
      codes.add(code.getAsInt());
      return;
    }
    if (!type.isNumber()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH, "type must be represented as a number or a string");
    }
    if (Numbers.isInt(type) && Numbers.toLong(type) == 0) {
      throw bad("Invalid numerical type code: 0. Instead use {$exists:false}.");
    }
    if (!Numbers.isInt(type) || !BsonTypes.isCode((int) Numbers.toLong(type))) {
      throw bad("Invalid numerical type code: " + Values.show(type));
    }
    codes.add((int) Numbers.toLong(type));
  }

  private static long size(BsonValue operand) {
    if (!operand.isNumber()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "Failed to parse $size. Expected a number in: $size: " + Values.show(operand));
    }
    if (!Numbers.isLong(operand)) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "Failed to parse $size. Expected an integer: $size: " + Values.show(operand));
    }
    long size = Numbers.toLong(operand);
    if (size < 0) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "Failed to parse $size. Expected a non-negative number in: $size: "
              + Values.show(operand));
    }
    return size;
  }

  private static ValueTest modulo(BsonValue operand) {
    if (!operand.isArray()) {
      throw bad("malformed mod, needs to be an array");
    }
    BsonArray numbers = operand.asArray();
    if (numbers.size() < 2) {
      throw bad("malformed mod, not enough elements");
    }
    if (numbers.size() > 2) {
      throw bad("malformed mod, too many elements");
    }
    long divisor = modNumber(numbers.get(0), "divisor");
    long remainder = modNumber(numbers.get(1), "remainder");
    if (divisor == 0) {
      throw bad("divisor cannot be 0");
    }
    return new ValueTest.Modulo(divisor, remainder);
  }

  private static long modNumber(BsonValue value, String what) {
    if (!value.isNumber()) {
      throw bad("malformed mod, " + what + " not a number");
    }
    double real = Numbers.toDouble(value);
    if (Double.isNaN(real) || Double.isInfinite(real)) {
      throw bad(
          "malformed mod, "
              + what
              + " value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type");
    }
    if (real >= 0x1p63 || real < -0x1p63) {
      throw bad(
          "malformed mod, "
              + what
              + " value is invalid :: caused by :: Out of bounds coercing to integral value");
    }
    return Numbers.toLong(value);
  }

  private Check all(FieldPath path, BsonValue operand) {
    if (!operand.isArray()) {
      throw bad("$all needs an array");
    }
    BsonArray wanted = operand.asArray();
    if (wanted.isEmpty()) {
      return new Check.Fixed(false);
    }
    boolean elementMatches = isElementMatch(wanted.get(0));
    List<Check> checks = new ArrayList<>();
    for (BsonValue value : wanted) {
      if (elementMatches != isElementMatch(value)) {
        throw bad(
            elementMatches ? "$all/$elemMatch has to be consistent" : "no $ expressions in $all");
      }
      if (elementMatches) {
        BsonValue inner = java.util.Objects.requireNonNull(value.asDocument().get("$elemMatch"));
        checks.add(new Check.OnPath(path, elementMatch(inner)));
      } else if (value.isDocument() && isOperators(value.asDocument())) {
        throw bad("no $ expressions in $all");
      } else if (value instanceof BsonRegularExpression regex) {
        checks.add(new Check.OnPath(path, Pattern.of(regex, context.interrupt())));
      } else {
        checks.add(compare(path, Predicate.Operator.EQ, value));
      }
    }
    return checks.size() == 1 ? checks.getFirst() : new Check.All(List.copyOf(checks));
  }

  private static boolean isElementMatch(BsonValue value) {
    return value.isDocument()
        && !value.asDocument().isEmpty()
        && value.asDocument().getFirstKey().equals("$elemMatch");
  }

  private ValueTest elementMatch(BsonValue operand) {
    if (!operand.isDocument()) {
      throw bad("$elemMatch needs an Object");
    }
    BsonDocument inner = operand.asDocument();
    if (isOperatorsAndNoPartOfReference(inner) && !isLogical(inner.getFirstKey())) {
      List<Check> checks = new ArrayList<>();
      operators(FieldPath.SELF, inner, checks);
      return new ValueTest.ElementValue(
          checks.size() == 1 ? checks.getFirst() : new Check.All(List.copyOf(checks)));
    }
    return new ValueTest.ElementDocument(filters.parse(inner, false));
  }

  private static boolean isLogical(String name) {
    return name.equals("$and")
        || name.equals("$or")
        || name.equals("$nor")
        || name.equals("$where")
        || name.equals("$expr")
        || name.equals("$jsonSchema");
  }
}
