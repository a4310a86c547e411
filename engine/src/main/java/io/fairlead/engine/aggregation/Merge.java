// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.aggregation.PipelineEnvironment.MergeWrite;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.FieldName;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.RawBytes;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** {@code $merge}: writes the documents into a collection, by unique fields; gives none itself. */
final class Merge extends Stage {
  private static final int BATCH = 500;
  private static final FieldName ID = FieldName.of("_id");

  private final OperationContext context;
  private final String database;
  private final String collection;
  private final List<String> on;
  private final String whenMatched;
  private final @Nullable BsonArray pipeline;
  private final String whenNotMatched;
  private final Map<String, Expression> let;

  private Merge(
      String name,
      BsonValue operand,
      OperationContext context,
      String database,
      String collection,
      List<String> on,
      String whenMatched,
      @Nullable BsonArray pipeline,
      String whenNotMatched,
      Map<String, Expression> let) {
    super(name, operand);
    this.context = context;
    this.database = database;
    this.collection = collection;
    this.on = on;
    this.whenMatched = whenMatched;
    this.pipeline = pipeline;
    this.whenNotMatched = whenNotMatched;
    this.let = let;
  }

  static Stage parse(String name, BsonValue operand, StageContext stage) {
    BsonDocument options =
        operand.isString() ? new BsonDocument("into", operand) : document(operand);
    for (String option : options.keySet()) {
      if (!Set.of("into", "on", "let", "whenMatched", "whenNotMatched").contains(option)) {
        throw new EngineException(40415, "BSON field '$merge." + option + "' is an unknown field.");
      }
    }
    BsonValue into = options.get("into");
    if (into == null) {
      throw new EngineException(40414, "BSON field '$merge.into' is missing but a required field");
    }
    String database = stage.target().database();
    BsonValue collection = into;
    if (into.isDocument()) {
      collection = into.asDocument().get("coll");
      BsonValue db = into.asDocument().get("db");
      database = db != null && db.isString() ? db.asString().getValue() : database;
    }
    if (collection == null
        || !collection.isString()
        || collection.asString().getValue().isEmpty()) {
      throw new EngineException(
          51178, "$merge 'into' field must be a non-empty string or an object with 'coll'");
    }
    String notMatched =
        mode(
            options.get("whenNotMatched"),
            "insert",
            Set.of("insert", "discard", "fail"),
            "whenNotMatched");
    BsonValue matched = options.get("whenMatched");
    BsonArray pipeline = matched != null && matched.isArray() ? matched.asArray() : null;
    String whenMatched =
        pipeline != null
            ? "pipeline"
            : mode(
                matched,
                "merge",
                Set.of("replace", "merge", "keepExisting", "fail"),
                "whenMatched");
    if (!notMatched.equals("insert")
        && (whenMatched.equals("keepExisting") || whenMatched.equals("fail"))) {
      throw new EngineException(
          51181,
          "Combination of {whenMatched: "
              + whenMatched
              + ", whenNotMatched: "
              + notMatched
              + "} is not supported");
    }
    BsonValue let = options.get("let");
    if (let != null && pipeline == null) {
      throw new EngineException(
          51199, "Cannot use 'let' variables with 'whenMatched: " + whenMatched + "' mode");
    }
    Map<String, Expression> variables = new java.util.LinkedHashMap<>();
    if (pipeline != null) {
      BsonDocument vars =
          let == null ? new BsonDocument("new", new BsonString("$$ROOT")) : document(let);
      vars.forEach((key, spec) -> variables.put(key, Expression.compile(spec, stage.operation())));
      BsonValue fresh = vars.get("new");
      if (fresh != null && !new BsonString("$$ROOT").equals(fresh)) {
        throw new EngineException(
            51273,
            "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'");
      }
    }
    return new Merge(
        name,
        operand,
        stage.operation(),
        database,
        collection.asString().getValue(),
        on(options.get("on")),
        whenMatched,
        pipeline,
        notMatched,
        variables);
  }

  private static BsonDocument document(BsonValue value) {
    if (!value.isDocument()) {
      throw new EngineException(
          51182,
          "$merge requires a string or object argument, but found " + BsonTypes.nameOf(value));
    }
    return value.asDocument();
  }

  private static String mode(
      @Nullable BsonValue value, String otherwise, Set<String> known, String option) {
    if (value == null) {
      return otherwise;
    }
    String text = value.isString() ? value.asString().getValue() : "";
    if (!known.contains(text)) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE,
          "Enumeration value '"
              + text
              + "' for field '$merge."
              + option
              + "' is not a valid value.");
    }
    return text;
  }

  private static List<String> on(@Nullable BsonValue value) {
    if (value == null) {
      return List.of("_id");
    }
    if (!value.isArray() && !value.isString()) {
      throw new EngineException(
          51186,
          "$merge 'on' field must be either a string or an array of strings, but found "
              + BsonTypes.nameOf(value));
    }
    List<String> fields = new ArrayList<>();
    List<BsonValue> given = value.isArray() ? value.asArray() : List.of(value);
    for (BsonValue field : given) {
      if (!field.isString()) {
        throw new EngineException(
            51134,
            "$merge 'on' array elements must be strings, but found " + BsonTypes.nameOf(field));
      }
      if (fields.contains(field.asString().getValue())) {
        throw new EngineException(
            31465, "Found a duplicate field '" + field.asString().getValue() + "'");
      }
      fields.add(field.asString().getValue());
    }
    if (fields.isEmpty()) {
      throw new EngineException(
          51187, "If explicitly specifying $merge 'on', must include at least one field");
    }
    return List.copyOf(fields);
  }

  @Override
  boolean writes() {
    return true;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private boolean done;

      @Override
      public @Nullable RawBsonDocument next() {
        if (!done) {
          done = true;
          writeAll(input, environment);
        }
        return null;
      }
    };
  }

  private void writeAll(DocumentCursor input, PipelineEnvironment environment) {
    if (!environment.hasUniqueIndex(database, collection, on)) {
      throw new EngineException(
          51183, "Cannot find index to verify that join fields will be unique");
    }
    List<MergeWrite> writes = new ArrayList<>();
    RawBsonDocument document;
    while ((document = input.next()) != null) {
      context.interrupt().check();
      writes.add(write(withId(document)));
      if (writes.size() == BATCH) {
        environment.merge(database, collection, List.copyOf(writes));
        writes.clear();
      }
    }
    environment.merge(database, collection, List.copyOf(writes));
  }

  private static RawBsonDocument withId(RawBsonDocument document) {
    if (new Slice().moveToField(RawBytes.bytes(document), RawBytes.offset(document), ID)) {
      return document;
    }
    DocumentWriter out = new DocumentWriter(RawBytes.length(document) + 24);
    out.value("_id", new BsonObjectId(new ObjectId()));
    out.elements(document);
    return out.finish();
  }

  private MergeWrite write(RawBsonDocument document) {
    if (whenMatched.equals("fail")) {
      return new MergeWrite.Insert(document);
    }
    BsonDocument filter = new BsonDocument();
    for (String field : on) {
      Slice value = new Slice();
      boolean throughArray =
          FieldPath.of(field).follow(RawBytes.bytes(document), RawBytes.offset(document), value);
      if (throughArray || value.isArray() || Values.isNullish(value.value())) {
        throw new EngineException(
            51132,
            "$merge write error: 'on' field '"
                + field
                + "' cannot be missing, null, undefined or an array");
      }
      filter.append(
          field, new BsonDocument("$eq", java.util.Objects.requireNonNull(value.value())));
    }
    BsonDocument variables = new BsonDocument();
    let.forEach(
        (name, expression) -> {
          BsonValue value = expression.evaluate(document);
          variables.append(name, value == null ? BsonNull.VALUE : value);
        });
    BsonValue update =
        switch (whenMatched) {
          case "replace" -> document;
          case "merge" -> new BsonDocument("$set", document);
          case "keepExisting" -> new BsonDocument("$setOnInsert", document);
          default -> java.util.Objects.requireNonNull(pipeline);
        };
    return new MergeWrite.Modify(
        document,
        filter,
        update,
        variables,
        whenNotMatched.equals("insert"),
        whenNotMatched.equals("fail"));
  }
}
