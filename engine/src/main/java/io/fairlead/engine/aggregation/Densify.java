// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.DateArithmetic;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueMap;
import io.fairlead.engine.value.Values;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $densify}: makes the documents that are missing between values of a field, per partition.
 */
final class Densify extends Stage {
  private static final int MADE_MAX = 500_000;

  private record Row(BsonValue value, RawBsonDocument document) {}

  private final OperationContext context;
  private final FieldPath field;
  private final List<FieldPath> partitionBy;
  private final BsonValue step;
  private final DateArithmetic.@Nullable Unit unit;
  private final String bounds;
  private final @Nullable BsonValue lower;
  private final @Nullable BsonValue upper;

  private Densify(String name, BsonDocument spec, OperationContext context) {
    super(name, spec);
    this.context = context;
    this.field = FieldPath.validated(text(spec, "field"));
    this.partitionBy = new ArrayList<>();
    BsonValue by = spec.get("partitionByFields");
    if (by != null) {
      if (!by.isArray()) {
        throw wrongType("partitionByFields", by, "array");
      }
      by.asArray()
          .forEach(
              path ->
                  partitionBy.add(
                      FieldPath.validated(path.isString() ? path.asString().getValue() : "")));
    }
    checkPartition();
    BsonValue range = spec.get("range");
    if (range == null || !range.isDocument()) {
      throw new EngineException(
          40414, "BSON field '$densify.range' is missing but a required field");
    }
    BsonDocument parts = range.asDocument();
    for (String option : parts.keySet()) {
      if (!List.of("step", "unit", "bounds").contains(option)) {
        throw new EngineException(
            40415, "BSON field '$densify.range." + option + "' is an unknown field.");
      }
    }
    BsonValue size = required(parts, "range.step", "step");
    if (!size.isNumber()) {
      throw wrongType("range.step", size, "number");
    }
    if (!(Numbers.toDouble(size) > 0)) {
      throw new EngineException(
          5733401,
          "the step parameter in a range statement must be a strictly positive numeric value");
    }
    this.step = size;
    BsonValue unitSpec = parts.get("unit");
    if (unitSpec != null && !unitSpec.isString()) {
      throw wrongType("range.unit", unitSpec, "string");
    }
    this.unit = unitSpec == null ? null : DateArithmetic.Unit.of(unitSpec.asString().getValue());
    if (unit != null && !Numbers.isLong(size)) {
      throw new EngineException(
          6586400,
          "The step parameter in a range satement must be a whole number when densifying a date"
              + " range");
    }
    BsonValue limits = required(parts, "range.bounds", "bounds");
    if (limits instanceof BsonString word
        && (word.getValue().equals("full") || word.getValue().equals("partition"))) {
      this.bounds = word.getValue();
      this.lower = null;
      this.upper = null;
    } else if (limits.isArray()) {
      BsonArray pair = limits.asArray();
      checkBounds(pair);
      this.bounds = "explicit";
      this.lower = pair.get(0);
      this.upper = pair.get(1);
    } else {
      throw failed("the bounds must be 'full', 'partition' or an array of two values");
    }
    if (bounds.equals("partition") && partitionBy.isEmpty()) {
      throw new EngineException(
          5733408,
          "one may not specify the bounds as 'partition' without specifying a non-empty array of"
              + " partitionByFields. You may have meant to specify 'full' bounds.");
    }
  }

  private void checkPartition() {
    String dotted = field.dotted();
    for (FieldPath path : partitionBy) {
      if ((path.dotted() + ".").startsWith(dotted + ".")) {
        throw new EngineException(
            8993000,
            "BSON field '$densify.partitionByFields' contains the field that is being densified");
      }
      if (dotted.startsWith(path.dotted() + ".")) {
        throw new EngineException(
            9554500,
            "The field that is being densified contains the BSON field"
                + " '$densify.partitionByFields'");
      }
    }
  }

  private void checkBounds(BsonArray pair) {
    if (pair.size() != 2) {
      throw new EngineException(
          5733403, "A bounding array in a range statement must have exactly two elements");
    }
    BsonValue from = pair.get(0);
    BsonValue to = pair.get(1);
    if (context.order().compare(from, to) > 0) {
      throw new EngineException(
          5733402,
          "A bounding array must be an ascending array of either two dates or two numbers");
    }
    if (from.isNumber()) {
      if (unit != null) {
        throw new EngineException(5733409, "Numeric bounds may not have unit parameter");
      }
      if (!to.isNumber()) {
        throw mixed(5733406);
      }
      if (from.getBsonType() != to.getBsonType() || from.getBsonType() != step.getBsonType()) {
        throw new EngineException(
            5876900, "Upper bound, lower bound, and step must all have the same type");
      }
    } else if (from instanceof BsonDateTime) {
      if (!(to instanceof BsonDateTime)) {
        throw mixed(5733405);
      }
      if (unit == null) {
        throw new EngineException(5733410, "A bounding array of dates must specify a unit");
      }
    } else {
      throw mixed(5733402);
    }
  }

  private static EngineException mixed(int code) {
    return new EngineException(
        code, "A bounding array must contain either both dates or both numeric types");
  }

  private static BsonValue required(BsonDocument spec, String name, String option) {
    BsonValue value = spec.get(option);
    if (value == null) {
      throw new EngineException(
          40414, "BSON field '$densify." + name + "' is missing but a required field");
    }
    return value;
  }

  private static EngineException wrongType(String name, BsonValue value, String expected) {
    return new EngineException(
        ErrorCodes.TYPE_MISMATCH,
        "BSON field '$densify."
            + name
            + "' is the wrong type '"
            + BsonTypes.nameOf(value)
            + "', expected type '"
            + expected
            + "'");
  }

  private static EngineException failed(String message) {
    return new EngineException(ErrorCodes.FAILED_TO_PARSE, message);
  }

  private static String text(BsonDocument spec, String option) {
    BsonValue value = required(spec, option, option);
    if (!value.isString()) {
      throw wrongType(option, value, "string");
    }
    return value.asString().getValue();
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(
          5733409,
          "The $densify stage specification must be an object, found " + BsonTypes.nameOf(operand));
    }
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      if (!List.of("field", "partitionByFields", "range").contains(option.getKey())) {
        throw new EngineException(
            40415, "BSON field '$densify." + option.getKey() + "' is an unknown field.");
      }
    }
    return new Densify(name, operand.asDocument(), context.operation());
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private @Nullable DocumentCursor made;

      @Override
      public @Nullable RawBsonDocument next() {
        DocumentCursor ready = made;
        if (ready == null) {
          ready = DocumentCursor.of(densified(input));
          made = ready;
        }
        return ready.next();
      }
    };
  }

  private List<RawBsonDocument> densified(DocumentCursor input) {
    List<RawBsonDocument> result = new ArrayList<>();
    ValueMap<List<Row>> partitions = new ValueMap<>(context.order());
    List<BsonValue> keys = new ArrayList<>();
    BsonValue least = null;
    BsonValue greatest = null;
    RawBsonDocument document;
    while ((document = input.next()) != null) {
      BsonValue value = valueOf(document);
      if (value == null || Values.isNullish(value)) {
        result.add(document);
        continue;
      }
      if (unit == null ? !value.isNumber() : !(value instanceof BsonDateTime)) {
        throw new EngineException(
            5733201,
            "PlanExecutor error: Densify field type must be "
                + (unit == null ? "numeric" : "a date"));
      }
      least = least == null || context.order().compare(value, least) < 0 ? value : least;
      greatest =
          greatest == null || context.order().compare(value, greatest) > 0 ? value : greatest;
      BsonValue key = key(document);
      List<Row> rows = partitions.get(key);
      if (rows == null) {
        rows = new ArrayList<>();
        partitions.put(key, rows);
        keys.add(key);
      }
      rows.add(new Row(value, document));
    }
    for (BsonValue key : keys) {
      List<Row> rows = java.util.Objects.requireNonNull(partitions.get(key));
      rows.sort((a, b) -> context.order().compare(a.value, b.value));
      if (bounds.equals("explicit")) {
        fill(
            rows,
            java.util.Objects.requireNonNull(lower),
            java.util.Objects.requireNonNull(upper),
            false,
            key,
            result);
      } else if (bounds.equals("full")) {
        fill(
            rows,
            java.util.Objects.requireNonNull(least),
            java.util.Objects.requireNonNull(greatest),
            true,
            key,
            result);
      } else {
        fill(rows, rows.getFirst().value, rows.getLast().value, true, key, result);
      }
    }
    return result;
  }

  private @Nullable BsonValue valueOf(RawBsonDocument document) {
    Slice slice = new Slice();
    return field.follow(RawBytes.bytes(document), RawBytes.offset(document), slice)
        ? null
        : slice.value();
  }

  private BsonValue key(RawBsonDocument document) {
    BsonDocument key = new BsonDocument();
    for (FieldPath path : partitionBy) {
      Slice slice = new Slice();
      path.follow(RawBytes.bytes(document), RawBytes.offset(document), slice);
      BsonValue value = slice.value();
      key.append(path.dotted(), value == null ? BsonNull.VALUE : value);
    }
    return key;
  }

  private void fill(
      List<Row> rows,
      BsonValue from,
      BsonValue to,
      boolean inclusive,
      BsonValue key,
      List<RawBsonDocument> result) {
    int next = 0;
    BsonValue expected = from;
    long steps = 0;
    while (true) {
      int end = context.order().compare(expected, to);
      if (inclusive ? end > 0 : end >= 0) {
        break;
      }
      boolean present = false;
      while (next < rows.size() && context.order().compare(rows.get(next).value, expected) <= 0) {
        present |= context.order().equal(rows.get(next).value, expected);
        result.add(rows.get(next++).document);
      }
      if (!present) {
        if (result.size() > MADE_MAX) {
          throw new EngineException(
              5897900,
              "Generated "
                  + MADE_MAX
                  + " documents in $densify, which is over the limit of "
                  + MADE_MAX
                  + ". Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more"
                  + " generated documents");
        }
        result.add(made(expected, key));
      }
      context.interrupt().check();
      expected = after(from, ++steps);
    }
    while (next < rows.size()) {
      result.add(rows.get(next++).document);
    }
  }

  private BsonValue after(BsonValue from, long steps) {
    if (from instanceof BsonDateTime date && unit != null) {
      return new BsonDateTime(
          DateArithmetic.add(date.getValue(), unit, steps * Numbers.toLong(step), ZoneOffset.UTC));
    }
    return Numbers.add(from, Numbers.multiply(step, Numbers.whole(steps, true)));
  }

  private RawBsonDocument made(BsonValue value, BsonValue key) {
    RawBsonDocument document = DocumentWriter.write(new BsonDocument());
    for (Map.Entry<String, BsonValue> part : key.asDocument().entrySet()) {
      if (!Values.isNullish(part.getValue())) {
        document =
            Unwind.PathWriter.set(document, FieldPath.of(part.getKey()), Slice.of(part.getValue()));
      }
    }
    return Unwind.PathWriter.set(document, field, Slice.of(value));
  }
}
