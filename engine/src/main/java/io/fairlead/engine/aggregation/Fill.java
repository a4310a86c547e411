// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $fill}: a {@code $setWindowFields} for methods, and an {@code $addFields} for values. */
final class Fill extends Stage {
  private final Pipeline parts;

  private Fill(String name, BsonValue operand, Pipeline parts) {
    super(name, operand);
    this.parts = parts;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(
          ErrorCodes.FAILED_TO_PARSE,
          "The $fill stage specification must be an object, found " + BsonTypes.nameOf(operand));
    }
    BsonDocument spec = operand.asDocument();
    for (String option : spec.keySet()) {
      if (!List.of("partitionBy", "partitionByFields", "sortBy", "output").contains(option)) {
        throw new EngineException(40415, "BSON field '$fill." + option + "' is an unknown field.");
      }
    }
    BsonValue output = spec.get("output");
    if (output == null || !output.isDocument()) {
      throw new EngineException(40414, "BSON field '$fill.output' is missing but a required field");
    }
    if (output.asDocument().isEmpty()) {
      throw new EngineException(6050203, "The output of $fill must be non-empty");
    }
    BsonDocument windows = new BsonDocument();
    BsonDocument values = new BsonDocument();
    for (Map.Entry<String, BsonValue> field : output.asDocument().entrySet()) {
      one(field.getKey(), field.getValue(), windows, values);
    }
    BsonValue partition = partition(spec);
    List<BsonDocument> stages = new ArrayList<>();
    if (!windows.isEmpty()) {
      BsonDocument window = new BsonDocument();
      if (partition != null) {
        window.append("partitionBy", partition);
      }
      BsonValue sortBy = spec.get("sortBy");
      if (sortBy != null) {
        window.append("sortBy", sortBy);
      }
      stages.add(new BsonDocument("$setWindowFields", window.append("output", windows)));
    }
    if (!values.isEmpty()) {
      stages.add(new BsonDocument("$addFields", values));
    }
    return new Fill(name, operand, Pipeline.compile(stages, context));
  }

  private static void one(
      String field, BsonValue given, BsonDocument windows, BsonDocument values) {
    if (!(given instanceof BsonDocument spec)) {
      throw new EngineException(
          6050200, "Each fill output specification must be an object with exactly one field");
    }
    for (String option : spec.keySet()) {
      if (!option.equals("value") && !option.equals("method")) {
        throw new EngineException(40415, "BSON field '$fill." + option + "' is an unknown field.");
      }
    }
    if (spec.size() > 1) {
      throw new EngineException(
          6050201,
          "Each fill output specification must have exactly one of 'method' or 'value' fields, not"
              + " both");
    }
    if (spec.isEmpty()) {
      return;
    }
    BsonValue value = spec.get("value");
    if (value != null) {
      values.append(
          field,
          new BsonDocument("$ifNull", new BsonArray(List.of(new BsonString("$" + field), value))));
      return;
    }
    BsonValue method = spec.get("method");
    String name = method instanceof BsonString text ? text.getValue() : "";
    if (!name.equals("linear") && !name.equals("locf")) {
      throw new EngineException(6050202, "Method must be either locf or linear");
    }
    windows.append(
        field,
        new BsonDocument(
            name.equals("linear") ? "$linearFill" : "$locf", new BsonString("$" + field)));
  }

  private static @Nullable BsonValue partition(BsonDocument spec) {
    BsonValue fields = spec.get("partitionByFields");
    BsonValue by = spec.get("partitionBy");
    if (fields == null) {
      return by;
    }
    if (by != null) {
      throw new EngineException(
          6050204,
          "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'");
    }
    if (!fields.isArray()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH, "BSON field '$fill.partitionByFields' must be an array");
    }
    BsonDocument key = new BsonDocument();
    int index = 0;
    for (BsonValue field : fields.asArray()) {
      key.append(
          "f" + index++,
          new BsonString("$" + (field.isString() ? field.asString().getValue() : "")));
    }
    return key;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return parts.run(input, environment);
  }
}
