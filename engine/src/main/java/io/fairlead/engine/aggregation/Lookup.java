// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $lookup} in all forms: by equality of a local and a foreign field, by a pipeline with
 * variables, and both. The result is always an array. A missing local value equals null and missing
 * ones.
 */
final class Lookup extends Stage {
  private final StageContext context;
  private final String from;
  private final FieldPath as;
  private final @Nullable FieldPath localField;
  private final @Nullable FieldPath foreignField;
  private final Map<String, Expression> let;
  private final @Nullable List<BsonDocument> stages;

  private Lookup(
      String name,
      BsonValue operand,
      StageContext context,
      String from,
      FieldPath as,
      @Nullable FieldPath localField,
      @Nullable FieldPath foreignField,
      Map<String, Expression> let,
      @Nullable List<BsonDocument> stages) {
    super(name, operand);
    this.context = context;
    this.from = from;
    this.as = as;
    this.localField = localField;
    this.foreignField = foreignField;
    this.let = let;
    this.stages = stages;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw Pipeline.failedToParse(
          "the $lookup stage specification must be an object, but found "
              + BsonTypes.nameOf(operand));
    }
    String from = "";
    FieldPath as = null;
    FieldPath local = null;
    FieldPath foreign = null;
    Map<String, Expression> let = new LinkedHashMap<>();
    List<BsonDocument> stages = null;
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      BsonValue value = option.getValue();
      switch (option.getKey()) {
        case "from" -> {
          from = text("from", value);
          if (from.isEmpty()) {
            throw new EngineException(
                ErrorCodes.INVALID_NAMESPACE, "invalid $lookup namespace: 'from' is empty");
          }
        }
        case "as" -> as = FieldPath.validated(text("as", value));
        case "localField" -> local = FieldPath.validated(text("localField", value));
        case "foreignField" -> foreign = FieldPath.validated(text("foreignField", value));
        case "let" -> {
          if (!value.isDocument()) {
            throw Pipeline.failedToParse(
                "$lookup argument 'let' must be an object, is type " + BsonTypes.nameOf(value));
          }
          value
              .asDocument()
              .forEach(
                  (variable, spec) -> {
                    Expression.checkVariableName(variable);
                    let.put(variable, Expression.compile(spec, context.operation()));
                  });
        }
        case "pipeline" -> {
          if (!value.isArray()) {
            throw Pipeline.failedToParse("'pipeline' option must be specified as an array");
          }
          stages = StageContext.stages(value.asArray());
        }
        default -> throw Pipeline.failedToParse("unknown argument to $lookup: " + option.getKey());
      }
    }
    if (as == null) {
      throw Pipeline.failedToParse("must specify 'as' field for a $lookup");
    }
    if ((local == null) != (foreign == null) || (local == null && stages == null)) {
      throw Pipeline.failedToParse(
          "$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
    }
    if (stages == null && !let.isEmpty()) {
      throw Pipeline.failedToParse("$lookup with 'let' requires 'pipeline'");
    }
    Lookup lookup = new Lookup(name, operand, context, from, as, local, foreign, let, stages);
    Pipeline inner = lookup.compile(new BsonDocument());
    if (from.isEmpty() && (inner == null || !inner.hasOwnSource())) {
      throw Pipeline.failedToParse("must specify 'from' field for a $lookup");
    }
    if (!from.isEmpty() && inner != null && inner.hasOwnSource()) {
      throw Pipeline.sourceOfItsOwn("$lookup", "from");
    }
    return lookup;
  }

  private static String text(String option, BsonValue value) {
    if (!value.isString()) {
      throw Pipeline.failedToParse(
          "$lookup argument '"
              + option
              + "' must be a string, found "
              + option
              + ": "
              + io.fairlead.engine.value.Values.show(value));
    }
    return value.asString().getValue();
  }

  /**
   * Compiles the sub-pipeline; its variables are read from {@code variables}, whatever that holds
   * when it runs.
   */
  private @Nullable Pipeline compile(BsonDocument variables) {
    if (stages == null) {
      return null;
    }
    variables.putAll(context.operation().let());
    let.keySet().forEach(name -> variables.put(name, BsonNull.VALUE));
    return context.nested("$lookup", stages, context.operation().withLet(variables), from);
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    BsonDocument variables = new BsonDocument();
    Join join = new Join(environment, compile(variables), variables);
    return () -> {
      RawBsonDocument document = input.next();
      return document == null
          ? null
          : Unwind.PathWriter.set(document, as, Slice.of(join.with(document)));
    };
  }

  /** One run's state: the variables, and the foreign collection as a table when no index helps. */
  private final class Join {
    private final PipelineEnvironment environment;
    private final @Nullable Pipeline pipeline;
    private final BsonDocument variables;
    private final String database = context.target().database();
    private @Nullable ForeignTable table;
    private @Nullable BsonArray uncorrelated;

    Join(PipelineEnvironment environment, @Nullable Pipeline pipeline, BsonDocument variables) {
      this.environment = environment;
      this.pipeline = pipeline;
      this.variables = variables;
    }

    BsonArray with(RawBsonDocument document) {
      for (Map.Entry<String, Expression> variable : let.entrySet()) {
        BsonValue value = variable.getValue().evaluate(document);
        // a missing variable stays declared
        variables.put(variable.getKey(), value == null ? new BsonUndefined() : value);
      }
      FieldPath local = localField;
      Pipeline inner = pipeline;
      if (local != null) {
        if (inner != null && inner.choosesIndex()) {
          throw new EngineException(
              ErrorCodes.COMMAND_NOT_SUPPORTED,
              "$lookup with localField and a pipeline that begins with $geoNear or $text is not"
                  + " supported");
        }
        DocumentCursor partners = partners(values(document, local));
        return drain(inner == null ? partners : inner.run(partners, environment));
      }
      BsonArray known = uncorrelated;
      if (known != null) {
        return known;
      }
      Pipeline whole = java.util.Objects.requireNonNull(inner);
      BsonArray found =
          drain(
              whole.hasOwnSource()
                  ? whole.run(DocumentCursor.empty(), environment)
                  : environment.aggregate(database, from, whole));
      if (let.isEmpty()) {
        uncorrelated = found;
      }
      return found;
    }

    private DocumentCursor partners(List<BsonValue> values) {
      FieldPath foreign = java.util.Objects.requireNonNull(foreignField);
      if (environment.isIndexed(database, from, foreign.dotted())) {
        return environment.find(database, from, equalTo(foreign, values));
      }
      ForeignTable ready = table;
      if (ready == null) {
        ready =
            ForeignTable.read(
                environment.find(database, from, new BsonDocument()), foreign, context.operation());
        table = ready;
      }
      return DocumentCursor.of(ready.matching(values));
    }
  }

  private static BsonDocument equalTo(FieldPath foreign, List<BsonValue> values) {
    BsonArray branches = new BsonArray();
    List<BsonValue> plain = new ArrayList<>();
    for (BsonValue value : values) {
      if (value.isRegularExpression()) {
        branches.add(new BsonDocument(foreign.dotted(), new BsonDocument("$eq", value)));
      } else {
        plain.add(value);
      }
    }
    BsonDocument equal =
        new BsonDocument(
            foreign.dotted(),
            plain.size() == 1
                ? new BsonDocument("$eq", plain.getFirst())
                : new BsonDocument("$in", new BsonArray(plain)));
    if (branches.isEmpty()) {
      return equal;
    }
    branches.add(equal);
    return new BsonDocument("$or", branches);
  }

  /** The values to join on: an array's elements; null when there is none. */
  static List<BsonValue> values(RawBsonDocument document, FieldPath path) {
    List<BsonValue> values = new ArrayList<>();
    path.visit(
        document,
        false,
        (slice, index) -> {
          BsonValue value = slice.value();
          if (value instanceof BsonArray array) {
            values.addAll(array);
          } else if (value != null) {
            values.add(value);
          }
          return false;
        });
    return values.isEmpty() ? List.of(BsonNull.VALUE) : values;
  }

  static BsonArray drain(DocumentCursor cursor) {
    BsonArray documents = new BsonArray();
    try (cursor) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        documents.add(document);
      }
    }
    return documents;
  }
}
