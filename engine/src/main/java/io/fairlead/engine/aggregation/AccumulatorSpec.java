// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.accumulator.Collect;
import io.fairlead.engine.accumulator.Extreme;
import io.fairlead.engine.accumulator.Ranked;
import io.fairlead.engine.accumulator.Statistics;
import io.fairlead.engine.accumulator.Sum;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code field: {$operator: expression}} of a group: what is evaluated per document and what sums
 * it up.
 */
final class AccumulatorSpec {
  private static final Set<String> NAMES =
      Set.of(
          "$sum",
          "$avg",
          "$min",
          "$max",
          "$first",
          "$last",
          "$push",
          "$addToSet",
          "$count",
          "$mergeObjects",
          "$stdDevPop",
          "$stdDevSamp",
          "$firstN",
          "$lastN",
          "$minN",
          "$maxN",
          "$top",
          "$topN",
          "$bottom",
          "$bottomN",
          "$median",
          "$percentile");

  private final String field;
  private final Input input;
  private final Supplier<Accumulator> fresh;
  private final @Nullable FieldPath path;

  /** What is fed for every document, where that is the same; else null. */
  private final @Nullable Slice constant;

  /** What is fed for a document. */
  @FunctionalInterface
  private interface Input {
    @Nullable BsonValue of(RawBsonDocument document);
  }

  private AccumulatorSpec(
      String field,
      Input input,
      @Nullable FieldPath path,
      @Nullable Slice constant,
      Supplier<Accumulator> fresh) {
    this.field = field;
    this.constant = constant;
    this.input = input;
    this.path = path;
    this.fresh = fresh;
  }

  /** The names of all accumulators. */
  static Set<String> names() {
    return new TreeSet<>(NAMES);
  }

  static AccumulatorSpec parse(String field, BsonValue spec, OperationContext context) {
    if (!spec.isDocument() || spec.asDocument().isEmpty()) {
      throw new EngineException(40234, "The field '" + field + "' must be an accumulator object");
    }
    if (field.indexOf('.') >= 0) {
      throw new EngineException(40235, "The field name '" + field + "' cannot contain '.'");
    }
    if (field.startsWith("$")) {
      throw new EngineException(40236, "The field name '" + field + "' cannot be an operator name");
    }
    BsonDocument document = spec.asDocument();
    String operator = document.getFirstKey();
    if (!operator.startsWith("$")) {
      throw new EngineException(40234, "The field '" + field + "' must be an accumulator object");
    }
    if (document.size() != 1) {
      throw new EngineException(40238, "The field '" + field + "' must specify one accumulator");
    }
    return parse(
        field, operator, java.util.Objects.requireNonNull(document.get(operator)), context);
  }

  static AccumulatorSpec parse(
      String field, String operator, BsonValue operand, OperationContext context) {
    if (!NAMES.contains(operator)) {
      throw operator.equals("$accumulator")
          ? new EngineException(
              ErrorCodes.BAD_VALUE,
              "$accumulator is not supported: there is no server-side JavaScript")
          : new EngineException(15952, "unknown group operator '" + operator + "'");
    }
    if (operand.isArray()) {
      throw new EngineException(40237, "The " + operator + " accumulator is a unary operator");
    }
    BsonOrder order = context.order();
    return switch (operator) {
      case "$sum" -> unary(field, operand, context, Sum::sum);
      case "$avg" -> unary(field, operand, context, Sum::average);
      case "$min" -> unary(field, operand, context, () -> new Extreme(order, true));
      case "$max" -> unary(field, operand, context, () -> new Extreme(order, false));
      case "$first" -> unary(field, operand, context, Collect.First::new);
      case "$last" -> unary(field, operand, context, Collect.Last::new);
      case "$push" -> unary(field, operand, context, Collect.Push::new);
      case "$addToSet" -> unary(field, operand, context, () -> new Collect.AddToSet(order));
      case "$mergeObjects" -> unary(field, operand, context, Collect.MergeObjects::new);
      case "$stdDevPop" -> unary(field, operand, context, () -> new Statistics.Deviation(false));
      case "$stdDevSamp" -> unary(field, operand, context, () -> new Statistics.Deviation(true));
      case "$count" -> {
        if (!operand.isDocument() || !operand.asDocument().isEmpty()) {
          throw new EngineException(
              ErrorCodes.TYPE_MISMATCH, "$count takes no arguments, i.e. $count:{}");
        }
        yield new AccumulatorSpec(
            field, document -> BsonNull.VALUE, null, Slice.of(BsonNull.VALUE), Collect.Count::new);
      }
      case "$median", "$percentile" -> percentile(field, operator, operand, context);
      case "$firstN", "$lastN", "$minN", "$maxN" -> several(field, operator, operand, context);
      default -> ranked(field, operator, operand, context);
    };
  }

  private static AccumulatorSpec unary(
      String field, BsonValue operand, OperationContext context, Supplier<Accumulator> fresh) {
    Expression expression = Expression.compile(operand, context);
    return new AccumulatorSpec(
        field,
        expression::evaluate,
        expression.fieldPath().orElse(null),
        expression.isConstant()
            ? Slice.of(expression.evaluate(DocumentWriter.write(new BsonDocument())))
            : null,
        fresh);
  }

  private static BsonDocument arguments(String operator, BsonValue operand, Set<String> known) {
    if (!operand.isDocument()) {
      throw new EngineException(
          5787900,
          "specification must be an object; found " + operator + ": " + Values.show(operand));
    }
    for (String name : operand.asDocument().keySet()) {
      if (!known.contains(name)) {
        throw new EngineException(
            5787901, "Unknown argument for " + operator + " operator: " + name);
      }
    }
    return operand.asDocument();
  }

  private static long n(String operator, BsonDocument arguments, OperationContext context) {
    BsonValue spec = arguments.get("n");
    if (spec == null) {
      throw new EngineException(5787906, "Missing value for 'n'");
    }
    BsonValue n =
        Expression.compile(spec, context).evaluate(DocumentWriter.write(new BsonDocument()));
    if (n == null || !n.isNumber() || !Numbers.isLong(n)) {
      throw new EngineException(
          5787902,
          "Value for 'n' must be of integral type, but found "
              + Values.show(n)
              + " in "
              + operator);
    }
    if (Numbers.toLong(n) <= 0) {
      throw new EngineException(5787908, "'n' must be greater than 0, found " + Values.show(n));
    }
    return Numbers.toLong(n);
  }

  private static AccumulatorSpec several(
      String field, String operator, BsonValue operand, OperationContext context) {
    BsonDocument arguments = arguments(operator, operand, Set.of("input", "n"));
    BsonValue input = arguments.get("input");
    if (input == null) {
      throw new EngineException(5787907, "Missing value for 'input'");
    }
    long n = n(operator, arguments, context);
    BsonOrder order = context.order();
    boolean max = operator.equals("$maxN");
    return unary(
        field,
        input,
        context,
        operator.equals("$firstN") || operator.equals("$lastN")
            ? () -> new Collect.Ends(n, operator.equals("$firstN"))
            : () ->
                new Ranked(
                    n,
                    false,
                    false,
                    max ? (a, b) -> order.compare(b, a) : order::compare,
                    value -> !(value == null || Values.isNullish(value)),
                    value -> value));
  }

  private static AccumulatorSpec ranked(
      String field, String operator, BsonValue operand, OperationContext context) {
    boolean single = !operator.endsWith("N");
    BsonDocument arguments =
        arguments(
            operator,
            operand,
            single ? Set.of("output", "sortBy") : Set.of("output", "sortBy", "n"));
    BsonValue output = arguments.get("output");
    BsonValue sortBy = arguments.get("sortBy");
    if (output == null) {
      throw new EngineException(5788004, "Missing value for 'output'");
    }
    if (sortBy == null) {
      throw new EngineException(5788005, "Missing value for 'sortBy'");
    }
    if (!sortBy.isDocument()) {
      throw new EngineException(
          5788003, "expected 'sortBy' to already be an object in the arguments to " + operator);
    }
    long n = single ? 1 : n(operator, arguments, context);
    SortPattern pattern = SortPattern.parse(sortBy.asDocument());
    Expression shown = Expression.compile(output, context);
    var byRoot = pattern.comparator(context.order());
    return new AccumulatorSpec(
        field,
        document -> {
          BsonValue value = shown.evaluate(document);
          return new BsonArray(List.of(value == null ? BsonNull.VALUE : value, document));
        },
        null,
        null,
        () ->
            new Ranked(
                n,
                single,
                operator.startsWith("$bottom"),
                (a, b) ->
                    byRoot.compare(
                        (RawBsonDocument) a.asArray().get(1), (RawBsonDocument) b.asArray().get(1)),
                value -> true,
                value -> value.asArray().get(0)));
  }

  private static AccumulatorSpec percentile(
      String field, String operator, BsonValue operand, OperationContext context) {
    boolean median = operator.equals("$median");
    Percentiles parsed = Percentiles.parse(operator, operand, context);
    return unary(
        field, parsed.input(), context, () -> new Statistics.Percentile(parsed.wanted(), median));
  }

  /** The arguments of {@code $percentile} and {@code $median}. */
  record Percentiles(BsonValue input, List<Double> wanted) {
    static Percentiles parse(String operator, BsonValue operand, OperationContext context) {
      if (!operand.isDocument()) {
        throw new EngineException(
            7436100, "specification must be an object; found " + Values.show(operand));
      }
      BsonDocument arguments = operand.asDocument();
      boolean median = operator.equals("$median");
      for (String name : arguments.keySet()) {
        if (!name.equals("input") && !name.equals("method") && (median || !name.equals("p"))) {
          throw new EngineException(
              40415, "BSON field '" + operator + "." + name + "' is an unknown field.");
        }
      }
      BsonValue input = arguments.get("input");
      BsonValue method = arguments.get("method");
      if (input == null || method == null) {
        throw new EngineException(
            40414,
            "BSON field '"
                + operator
                + "."
                + (input == null ? "input" : "method")
                + "' is missing but a required field");
      }
      if (!method.isString() || !method.asString().getValue().equals("approximate")) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "Currently only 'approximate' can be used as percentile 'method'.");
      }
      if (median) {
        return new Percentiles(input, List.of(0.5));
      }
      BsonValue p = arguments.get("p");
      if (p == null) {
        throw new EngineException(
            40414, "BSON field '$percentile.p' is missing but a required field");
      }
      BsonValue list =
          Expression.compile(p, context).evaluate(DocumentWriter.write(new BsonDocument()));
      if (list == null || !list.isArray() || list.asArray().isEmpty()) {
        throw new EngineException(
            7750300,
            "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "
                + Values.show(list));
      }
      List<Double> wanted = new ArrayList<>();
      for (BsonValue each : list.asArray()) {
        if (!each.isNumber()) {
          throw new EngineException(
              7750302,
              "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "
                  + Values.show(each));
        }
        double value = Numbers.toDouble(each);
        if (!(value >= 0 && value <= 1)) {
          throw new EngineException(
              7750303,
              "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "
                  + Values.show(each));
        }
        wanted.add(value);
      }
      return new Percentiles(input, wanted);
    }
  }

  String field() {
    return field;
  }

  Accumulator fresh() {
    return fresh.get();
  }

  /** Feeds a document; {@code slice} is for reuse. */
  void feed(Accumulator accumulator, RawBsonDocument document, Slice slice) {
    feed(accumulator, Row.of(document), slice);
  }

  /** Feeds a row; {@code slice} is for reuse. */
  void feed(Accumulator accumulator, Row row, Slice slice) {
    if (accumulator.isSettled()) {
      return;
    }
    FieldPath direct = path;
    if (constant != null) {
      accumulator.add(constant);
    } else if (direct != null && row.read(direct, slice)) {
      accumulator.add(slice);
    } else {
      accumulator.add(input.of(row.document()));
    }
  }
}
