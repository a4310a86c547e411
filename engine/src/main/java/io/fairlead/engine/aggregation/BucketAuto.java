// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.accumulator.Accumulator;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $bucketAuto}: as many buckets as asked, as even as equal values allow. */
final class BucketAuto extends Stage {
  private record Row(BsonValue value, RawBsonDocument document) {}

  private final OperationContext context;
  private final Expression groupBy;
  private final int buckets;
  private final @Nullable Granularity granularity;
  private final List<AccumulatorSpec> fields;

  private BucketAuto(
      String name,
      BsonValue operand,
      OperationContext context,
      Expression groupBy,
      int buckets,
      @Nullable Granularity granularity,
      List<AccumulatorSpec> fields) {
    super(name, operand);
    this.context = context;
    this.groupBy = groupBy;
    this.buckets = buckets;
    this.granularity = granularity;
    this.fields = fields;
  }

  static Stage parse(String name, BsonValue operand, StageContext stage) {
    if (!operand.isDocument()) {
      throw new EngineException(
          40240,
          "The argument to $bucketAuto must be an object, but found type: "
              + BsonTypes.nameOf(operand)
              + ".");
    }
    OperationContext context = stage.operation();
    Expression groupBy = null;
    long buckets = 0;
    Granularity granularity = null;
    BsonDocument output = new BsonDocument("count", new BsonDocument("$sum", new BsonInt32(1)));
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "groupBy" -> groupBy = Expression.compile(Bucket.groupBy(value, 40239), context);
        case "buckets" -> {
          if (!value.isNumber()) {
            throw new EngineException(
                40241,
                "The $bucketAuto 'buckets' field must be a numeric value, but found type: "
                    + BsonTypes.nameOf(value));
          }
          if (!Numbers.isInt(value)) {
            throw new EngineException(
                40242,
                "The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but"
                    + " found "
                    + Values.show(value));
          }
          buckets = Numbers.toLong(value);
          if (buckets <= 0) {
            throw new EngineException(
                40243,
                "The $bucketAuto 'buckets' field must be greater than 0, but found: " + buckets);
          }
        }
        case "output" -> {
          if (!value.isDocument()) {
            throw new EngineException(
                40244,
                "The $bucketAuto 'output' field must be an object, but found type: "
                    + BsonTypes.nameOf(value));
          }
          output = value.asDocument();
        }
        case "granularity" -> granularity = Granularity.of(value);
        default ->
            throw new EngineException(
                40245, "Unrecognized option to $bucketAuto: " + option.getKey());
      }
    }
    if (groupBy == null || buckets == 0) {
      throw new EngineException(
          40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
    }
    List<AccumulatorSpec> fields = new ArrayList<>();
    output.forEach((field, spec) -> fields.add(AccumulatorSpec.parse(field, spec, context)));
    if (fields.stream().anyMatch(AccumulatorSpec::isKeyed)) {
      throw new EngineException(
          4544714, "Can't refer to the group key in $bucketAuto: 'n' must be constant");
    }
    return new BucketAuto(name, operand, context, groupBy, (int) buckets, granularity, fields);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private @Nullable DocumentCursor made;

      @Override
      public @Nullable RawBsonDocument next() {
        DocumentCursor ready = made;
        if (ready == null) {
          ready = DocumentCursor.of(buckets(input));
          made = ready;
        }
        return ready.next();
      }
    };
  }

  private List<RawBsonDocument> buckets(DocumentCursor input) {
    List<Row> rows = new ArrayList<>();
    RawBsonDocument document;
    while ((document = input.next()) != null) {
      context.interrupt().check();
      BsonValue found = groupBy.evaluate(document);
      BsonValue value = found == null ? BsonNull.VALUE : found;
      if (granularity != null) {
        Granularity.check(value);
      }
      rows.add(new Row(value, document));
    }
    rows.sort((a, b) -> context.order().compare(a.value, b.value));
    return granularity == null ? even(rows) : rounded(rows, granularity);
  }

  private List<RawBsonDocument> even(List<Row> rows) {
    List<RawBsonDocument> result = new ArrayList<>();
    int size = (int) Math.max(1, Math.round((double) rows.size() / buckets));
    int from = 0;
    while (from < rows.size()) {
      int to = result.size() == buckets - 1 ? rows.size() : Math.min(rows.size(), from + size);
      while (to < rows.size()
          && context.order().equal(rows.get(to).value, rows.get(to - 1).value)) {
        to++;
      }
      BsonValue max = to < rows.size() ? rows.get(to).value : rows.getLast().value;
      result.add(bucket(rows.subList(from, to), rows.get(from).value, max));
      from = to;
    }
    return result;
  }

  /** As {@link #even}, with boundaries rounded; what then falls into a bucket is taken into it. */
  private List<RawBsonDocument> rounded(List<Row> rows, Granularity rounder) {
    List<RawBsonDocument> result = new ArrayList<>();
    int size = (int) Math.max(1, Math.round((double) rows.size() / buckets));
    int from = 0;
    BsonValue min = rows.isEmpty() ? BsonNull.VALUE : rounder.down(rows.getFirst().value);
    while (from < rows.size()) {
      int to = result.size() == buckets - 1 ? rows.size() : Math.min(rows.size(), from + size);
      BsonValue max = rounder.up(rows.get(to - 1).value);
      while (to < rows.size() && context.order().compare(max, rows.get(to).value) > 0) {
        to++;
      }
      if (to < rows.size() && Numbers.toDouble(max) == 0) {
        // zero has no boundary above: the next value's lower boundary ends its bucket
        max = rounder.down(rows.get(to).value);
      }
      result.add(bucket(rows.subList(from, to), min, max));
      min = max;
      from = to;
    }
    return result;
  }

  private RawBsonDocument bucket(List<Row> rows, BsonValue min, BsonValue max) {
    DocumentWriter out = new DocumentWriter();
    out.startDocument("_id");
    out.value("min", min);
    out.value("max", max);
    out.end();
    Slice slice = new Slice();
    for (AccumulatorSpec field : fields) {
      Accumulator accumulator = field.fresh();
      rows.forEach(row -> field.feed(accumulator, row.document, slice));
      BsonValue value = accumulator.result();
      out.value(field.field(), value == null ? BsonNull.VALUE : value);
    }
    return out.finish();
  }
}
