// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.MemoryUse;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.sort.Sorter;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** {@code $setWindowFields}: fields computed from each row's neighbours in its sorted partition. */
final class SetWindowFields extends Stage {
  private final OperationContext context;
  private final Expression partitionBy;
  private final SortPattern sortBy;
  private final Map<FieldPath, WindowFunction> output;

  private SetWindowFields(
      String name,
      BsonValue operand,
      OperationContext context,
      Expression partitionBy,
      SortPattern sortBy,
      Map<FieldPath, WindowFunction> output) {
    super(name, operand);
    this.context = context;
    this.partitionBy = partitionBy;
    this.sortBy = sortBy;
    this.output = output;
  }

  static Stage parse(String name, BsonValue operand, StageContext stage) {
    if (!operand.isDocument()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "the "
              + name
              + " stage specification must be an object, found "
              + BsonTypes.nameOf(operand));
    }
    OperationContext context = stage.operation();
    Expression partitionBy = Expression.compile(BsonNull.VALUE, context);
    SortPattern sortBy = SortPattern.parse(new BsonDocument());
    BsonDocument output = null;
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "partitionBy" -> {
          partitionBy = Expression.compile(value, context);
          if (partitionBy.isConstant()) {
            checkPartition(partitionBy.evaluate(DocumentWriter.write(new BsonDocument())));
          }
        }
        case "sortBy" -> {
          if (!value.isDocument()) {
            throw wrongType(name, "sortBy", value);
          }
          sortBy = SortPattern.parse(value.asDocument());
        }
        case "output" -> {
          if (!value.isDocument()) {
            throw wrongType(name, "output", value);
          }
          output = value.asDocument();
        }
        default ->
            throw new EngineException(
                40415, "BSON field '" + name + "." + option.getKey() + "' is an unknown field.");
      }
    }
    if (output == null) {
      throw new EngineException(
          40414, "BSON field '" + name + ".output' is missing but a required field");
    }
    checkPaths(List.copyOf(output.keySet()));
    Map<FieldPath, WindowFunction> functions = new LinkedHashMap<>();
    for (Map.Entry<String, BsonValue> field : output.entrySet()) {
      functions.put(
          FieldPath.validated(field.getKey()),
          WindowFunction.parse(field.getKey(), field.getValue(), sortBy, context));
    }
    return new SetWindowFields(name, operand, context, partitionBy, sortBy, functions);
  }

  private static void checkPartition(@Nullable BsonValue key) {
    if (key != null && key.isArray()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          "An expression used to partition cannot evaluate to value of type array");
    }
  }

  /** No field that is written may lie within another. */
  private static void checkPaths(List<String> paths) {
    for (String path : paths) {
      for (String other : paths) {
        if (other.startsWith(path + ".")) {
          throw new EngineException(
              6307900,
              "specification contains two conflicting paths. Cannot specify both '"
                  + path
                  + "' and '"
                  + other
                  + "'");
        }
      }
    }
  }

  private static EngineException wrongType(String name, String option, BsonValue value) {
    return new EngineException(
        ErrorCodes.TYPE_MISMATCH,
        "BSON field '"
            + name
            + "."
            + option
            + "' is the wrong type '"
            + BsonTypes.nameOf(value)
            + "', expected type 'object'");
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private @Nullable DocumentCursor computed;

      @Override
      public @Nullable RawBsonDocument next() {
        DocumentCursor ready = computed;
        if (ready == null) {
          ready = DocumentCursor.of(compute(input));
          computed = ready;
        }
        return ready.next();
      }
    };
  }

  private List<RawBsonDocument> compute(DocumentCursor input) {
    io.fairlead.engine.value.ValueMap<Integer> numbers =
        new io.fairlead.engine.value.ValueMap<>(context.order());
    List<BsonValue> keys = new ArrayList<>();
    List<Sorter> sorters = new ArrayList<>();
    MemoryUse memory =
        new MemoryUse(
            ErrorCodes.EXCEEDED_MEMORY_LIMIT, "Exceeded memory limit in $setWindowFields");
    RawBsonDocument document;
    while ((document = input.next()) != null) {
      BsonValue key = partitionBy.evaluate(document);
      checkPartition(key);
      BsonValue partition = key == null ? BsonNull.VALUE : key;
      int number = numbers.computeIfAbsent(partition, sorters::size);
      if (number == sorters.size()) {
        sorters.add(new Sorter(sortBy, context, Long.MAX_VALUE, memory));
        keys.add(partition);
      }
      sorters.get(number).add(document);
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < sorters.size(); i++) {
      order.add(i);
    }
    order.sort((a, b) -> context.order().compare(keys.get(a), keys.get(b)));
    List<RawBsonDocument> result = new ArrayList<>();
    for (int number : order) {
      result.addAll(windowed(sorters.get(number).sorted()));
    }
    return result;
  }

  private List<RawBsonDocument> windowed(List<RawBsonDocument> rows) {
    List<BsonValue> sortValues = new ArrayList<>(rows.size());
    for (RawBsonDocument row : rows) {
      BsonValue value = BsonNull.VALUE;
      if (!sortBy.isEmpty()) {
        Slice slice = new Slice();
        FieldPath path = sortBy.parts().getFirst().path();
        BsonValue found =
            path.follow(RawBytes.bytes(row), RawBytes.offset(row), slice) ? null : slice.value();
        value = found == null ? BsonNull.VALUE : found;
      }
      sortValues.add(value);
    }
    WindowFunction.Partition partition =
        new WindowFunction.Partition(rows, sortValues, sortBy, context);
    List<RawBsonDocument> result = new ArrayList<>(rows);
    output.forEach(
        (path, function) -> {
          List<BsonValue> values = function.compute(partition);
          for (int i = 0; i < result.size(); i++) {
            result.set(i, Unwind.PathWriter.set(result.get(i), path, Slice.of(values.get(i))));
          }
        });
    return result;
  }
}
