// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Numbers;
import io.fairlead.engine.value.Slice;
import io.fairlead.engine.value.ValueSet;
import io.fairlead.engine.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $graphLookup}: everything that can be reached, breadth first; each document once, at its
 * least depth.
 */
final class GraphLookup extends Stage {
  private final OperationContext context;
  private final String database;
  private final String from;
  private final Expression startWith;
  private final FieldPath connectFrom;
  private final FieldPath connectTo;
  private final FieldPath as;
  private final long maxDepth;
  private final @Nullable FieldPath depthField;
  private final BsonDocument restriction;

  private GraphLookup(String name, BsonValue operand, StageContext stage, Arguments arguments) {
    super(name, operand);
    this.context = stage.operation();
    this.database = stage.target().database();
    this.from = arguments.from();
    this.startWith = Expression.compile(arguments.required("startWith"), context);
    this.connectFrom = FieldPath.validated(arguments.text("connectFromField"));
    this.connectTo = FieldPath.validated(arguments.text("connectToField"));
    this.as = FieldPath.validated(arguments.text("as"));
    this.maxDepth = arguments.maxDepth();
    this.depthField =
        arguments.given.containsKey("depthField")
            ? FieldPath.validated(arguments.text("depthField"))
            : null;
    this.restriction = arguments.restriction();
    Matcher.compileUnindexed(restriction, context);
  }

  /** The stage's arguments, checked as they are asked for. */
  private record Arguments(BsonDocument given) {
    BsonValue required(String name) {
      BsonValue value = given.get(name);
      if (value == null) {
        throw new EngineException(
            40105,
            "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and"
                + " 'connectToField' to be specified.");
      }
      return value;
    }

    String from() {
      BsonValue value = given.get("from");
      if (value == null) {
        throw Pipeline.failedToParse("missing 'from' option to $graphLookup");
      }
      if (!value.isString()) {
        throw Pipeline.failedToParse(
            "$graphLookup 'from' must be a string, but found " + BsonTypes.nameOf(value));
      }
      return value.asString().getValue();
    }

    String text(String name) {
      BsonValue value = required(name);
      if (!value.isString()) {
        throw new EngineException(
            40103,
            "expected string as argument for "
                + name
                + ", found: "
                + name
                + ": "
                + Values.show(value));
      }
      return value.asString().getValue();
    }

    long maxDepth() {
      BsonValue value = given.get("maxDepth");
      if (value == null) {
        return Long.MAX_VALUE;
      }
      if (!value.isNumber()) {
        throw new EngineException(
            40100, "maxDepth must be numeric, found type: " + BsonTypes.nameOf(value));
      }
      if (Numbers.toDouble(value) < 0) {
        throw new EngineException(
            40101, "maxDepth requires a nonnegative argument, found: " + Values.show(value));
      }
      if (!Numbers.isLong(value)) {
        throw new EngineException(
            40102, "maxDepth could not be represented as a long long: " + Values.show(value));
      }
      return Numbers.toLong(value);
    }

    BsonDocument restriction() {
      BsonValue value = given.get("restrictSearchWithMatch");
      if (value == null) {
        return new BsonDocument();
      }
      if (!value.isDocument()) {
        throw new EngineException(
            40185, "restrictSearchWithMatch must be an object, found " + BsonTypes.nameOf(value));
      }
      return value.asDocument();
    }
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw Pipeline.failedToParse(
          "the $graphLookup stage specification must be an object, but found "
              + BsonTypes.nameOf(operand));
    }
    for (Map.Entry<String, BsonValue> option : operand.asDocument().entrySet()) {
      switch (option.getKey()) {
        case "from",
            "startWith",
            "connectFromField",
            "connectToField",
            "as",
            "maxDepth",
            "depthField",
            "restrictSearchWithMatch" -> {}
        default ->
            throw new EngineException(
                40104, "Unknown argument to $graphLookup: " + option.getKey());
      }
    }
    return new GraphLookup(name, operand, context, new Arguments(operand.asDocument()));
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return new DocumentCursor() {
      private @Nullable ForeignTable table;

      @Override
      public @Nullable RawBsonDocument next() {
        RawBsonDocument document = input.next();
        return document == null
            ? null
            : Unwind.PathWriter.set(document, as, Slice.of(reached(document)));
      }

      private BsonArray reached(RawBsonDocument document) {
        ValueSet asked = new ValueSet(context.order());
        ValueSet found = new ValueSet(context.order());
        BsonArray result = new BsonArray();
        List<BsonValue> frontier = fresh(start(document), asked);
        for (long depth = 0; depth <= maxDepth && !frontier.isEmpty(); depth++) {
          context.interrupt().check();
          List<BsonValue> next = new ArrayList<>();
          for (RawBsonDocument partner : partners(frontier)) {
            BsonValue id = Values.field(partner, "_id");
            if (found.add(id == null ? BsonNull.VALUE : id)) {
              result.add(withDepth(partner, depth));
              next.addAll(connected(partner));
            }
          }
          frontier = fresh(next, asked);
        }
        return result;
      }

      private List<RawBsonDocument> partners(List<BsonValue> values) {
        if (environment.isIndexed(database, from, connectTo.dotted())) {
          BsonDocument equal =
              new BsonDocument(connectTo.dotted(), new BsonDocument("$in", new BsonArray(values)));
          List<RawBsonDocument> documents = new ArrayList<>();
          try (DocumentCursor cursor = environment.find(database, from, both(equal))) {
            RawBsonDocument partner;
            while ((partner = cursor.next()) != null) {
              documents.add(partner);
            }
          }
          return documents;
        }
        ForeignTable ready = table;
        if (ready == null) {
          ready =
              ForeignTable.read(environment.find(database, from, restriction), connectTo, context);
          table = ready;
        }
        return ready.matching(values);
      }
    };
  }

  private BsonDocument both(BsonDocument equal) {
    return restriction.isEmpty()
        ? equal
        : new BsonDocument("$and", new BsonArray(List.of(equal, restriction)));
  }

  private List<BsonValue> start(RawBsonDocument document) {
    BsonValue value = startWith.evaluate(document);
    if (value instanceof BsonArray array) {
      return array;
    }
    return value == null ? List.of() : List.of(value);
  }

  private List<BsonValue> connected(RawBsonDocument partner) {
    List<BsonValue> values = new ArrayList<>();
    connectFrom.visit(
        partner,
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
    return values;
  }

  private static List<BsonValue> fresh(List<BsonValue> values, ValueSet asked) {
    return values.stream().filter(asked::add).toList();
  }

  private BsonValue withDepth(RawBsonDocument partner, long depth) {
    FieldPath into = depthField;
    return into == null
        ? partner
        : Unwind.PathWriter.set(partner, into, Slice.of(new BsonInt64(depth)));
  }
}
