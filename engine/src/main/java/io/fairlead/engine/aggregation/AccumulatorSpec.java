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
import io.fairlead.engine.expression.Percentiles;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
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
  private final Fresh fresh;
  private final @Nullable HowMany n;
  private final @Nullable FieldPath path;

  /** What is fed for every document, where that is the same; else null. */
  private final @Nullable Slice constant;

  /** What is fed for a document. */
  @FunctionalInterface
  private interface Input {
    @Nullable BsonValue of(RawBsonDocument document);
  }

  /** Makes an accumulator, for the group of a key or a window that slides. */
  @FunctionalInterface
  private interface Fresh {
    Accumulator of(RawBsonDocument group, boolean sliding);
  }

  private AccumulatorSpec(String field, Expression input, @Nullable HowMany n, Fresh fresh) {
    this(
        field,
        input::evaluate,
        input.fieldPath().orElse(null),
        input.isConstant() ? Slice.of(input.evaluate(HowMany.NO_KEY)) : null,
        n,
        fresh);
  }

  private AccumulatorSpec(
      String field,
      Input input,
      @Nullable FieldPath path,
      @Nullable Slice constant,
      @Nullable HowMany n,
      Fresh fresh) {
    this.n = n;
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
            field,
            document -> BsonNull.VALUE,
            null,
            Slice.of(BsonNull.VALUE),
            null,
            (group, sliding) -> new Collect.Count());
      }
      case "$median", "$percentile" -> percentile(field, operator, operand, context);
      case "$firstN", "$lastN", "$minN", "$maxN" -> several(field, operator, operand, context);
      default -> ranked(field, operator, operand, context);
    };
  }

  private static AccumulatorSpec unary(
      String field, BsonValue operand, OperationContext context, Supplier<Accumulator> fresh) {
    return new AccumulatorSpec(
        field, Expression.compile(operand, context), null, (group, sliding) -> fresh.get());
  }

  private static BsonDocument arguments(
      String operator, BsonValue operand, int notDocument, int unknown, Set<String> known) {
    if (!operand.isDocument()) {
      throw new EngineException(
          notDocument,
          "specification must be an object; found " + operator + ": " + Values.show(operand));
    }
    for (String name : operand.asDocument().keySet()) {
      if (!known.contains(name)) {
        throw new EngineException(unknown, "Unknown argument for " + operator + ": " + name);
      }
    }
    return operand.asDocument();
  }

  private static BsonValue required(BsonDocument arguments, String name, int code) {
    BsonValue value = arguments.get(name);
    if (value == null) {
      throw new EngineException(code, "Missing value for '" + name + "'");
    }
    return value;
  }

  /** {@code $firstN $lastN $minN $maxN}. */
  private static AccumulatorSpec several(
      String field, String operator, BsonValue operand, OperationContext context) {
    boolean ends = operator.equals("$firstN") || operator.equals("$lastN");
    BsonDocument arguments =
        arguments(operator, operand, ends ? 5787801 : 5787900, 5787901, Set.of("input", "n"));
    HowMany n = HowMany.of(required(arguments, "n", 5787906), context);
    Expression input = Expression.compile(required(arguments, "input", 5787907), context);
    BsonOrder order = context.order();
    boolean max = operator.equals("$maxN");
    return new AccumulatorSpec(
        field,
        input,
        n,
        ends
            ? (group, sliding) -> new Collect.Ends(n.in(group), operator.equals("$firstN"))
            : (group, sliding) ->
                new Ranked(
                    n.in(group),
                    max,
                    sliding,
                    max ? Ranked.Shown.REVERSED : Ranked.Shown.ARRAY,
                    order::compare,
                    value -> !(value == null || Values.isNullish(value)),
                    value -> value));
  }

  /** {@code $top $topN $bottom $bottomN}. */
  private static AccumulatorSpec ranked(
      String field, String operator, BsonValue operand, OperationContext context) {
    boolean single = !operator.endsWith("N");
    BsonDocument arguments =
        arguments(
            operator,
            operand,
            5788001,
            5788002,
            single ? Set.of("output", "sortBy") : Set.of("output", "sortBy", "n"));
    BsonValue sortBy = arguments.get("sortBy");
    if (sortBy != null && !sortBy.isDocument()) {
      throw new EngineException(
          10065, "invalid parameter: expected an object (sortBy), found " + Values.show(sortBy));
    }
    HowMany n =
        single ? HowMany.one(context) : HowMany.of(required(arguments, "n", 5788003), context);
    Expression shown = Expression.compile(required(arguments, "output", 5788004), context);
    SortPattern pattern = SortPattern.parse(required(arguments, "sortBy", 5788005).asDocument());
    var byRoot = pattern.comparator(context.order());
    return new AccumulatorSpec(
        field,
        document -> {
          BsonValue value = shown.evaluate(document);
          return new BsonArray(List.of(value == null ? BsonNull.VALUE : value, document));
        },
        null,
        null,
        n,
        (group, sliding) ->
            new Ranked(
                n.in(group),
                operator.startsWith("$bottom"),
                sliding,
                single ? Ranked.Shown.VALUE : Ranked.Shown.ARRAY,
                (a, b) ->
                    byRoot.compare(
                        (RawBsonDocument) a.asArray().get(1), (RawBsonDocument) b.asArray().get(1)),
                value -> true,
                value -> value.asArray().get(0)));
  }

  private static AccumulatorSpec percentile(
      String field, String operator, BsonValue operand, OperationContext context) {
    boolean median = operator.equals("$median");
    Percentiles parsed = Percentiles.parse(operator, operand, median ? 7436100 : 7429703, context);
    return unary(
        field, parsed.input(), context, () -> new Statistics.Percentile(parsed.wanted(), median));
  }

  String field() {
    return field;
  }

  /** Whether each group's key says how many values it wants. */
  boolean isKeyed() {
    HowMany count = n;
    return count != null && count.isKeyed();
  }

  /** For a group; {@code key} is its key when that is a document, else an empty one. */
  Accumulator fresh(RawBsonDocument key) {
    return fresh.of(key, false);
  }

  /** For what has no key. */
  Accumulator fresh() {
    return fresh(HowMany.NO_KEY);
  }

  /** For one place of a window that moves at both ends. */
  Accumulator sliding() {
    return fresh.of(HowMany.NO_KEY, true);
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
