// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.compatibility;

import static io.fairlead.engine.value.Docs.context;

import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.update.Update;
import io.fairlead.engine.value.BsonCheck;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.RandomValues;
import io.fairlead.engine.value.RawBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** Nonsense costs an error of the engine's own, never another; a failure prints its seed. */
final class OnlyOwnErrorsTest {
  private static final List<String> ARGUMENTS =
      List.of(
          "input",
          "in",
          "as",
          "cond",
          "to",
          "date",
          "unit",
          "amount",
          "startDate",
          "endDate",
          "format",
          "dateString",
          "regex",
          "find",
          "replacement",
          "chars",
          "n",
          "p",
          "method",
          "sortBy",
          "output",
          "year",
          "month",
          "isoWeekYear",
          "field",
          "value",
          "initialValue",
          "vars",
          "branches",
          "default",
          "if",
          "then",
          "else",
          "inputs",
          "timezone",
          "binSize",
          "path",
          "size",
          "groupBy",
          "boundaries",
          "buckets",
          "newRoot",
          "range",
          "step",
          "bounds",
          "window",
          "documents",
          "$each",
          "$slice",
          "$position",
          "$sort",
          "and",
          "x",
          "from",
          "startWith",
          "connectFromField",
          "connectToField",
          "coll",
          "pipeline",
          "let",
          "on");
  private static final List<String> TEXTS =
      List.of(
          "$a",
          "$b.a",
          "$$this",
          "$$ROOT",
          "$nope",
          "a",
          "day",
          "%Y-%m",
          "UTC",
          "+25:99",
          "(",
          "[a-",
          "full",
          "approximate",
          "$",
          "",
          "int",
          "sunday");

  private final List<Compatibility.Entry> names = Compatibility.entries();

  private static BsonValue nonsense(RandomValues random, int depth) {
    return switch (random.below(depth > 0 ? 16 : 11)) {
      case 0 -> new BsonInt32(random.below(5) - 2);
      case 1 ->
          new BsonInt64(List.of(Long.MIN_VALUE, Long.MAX_VALUE, 0L, 1L << 40).get(random.below(4)));
      case 2 ->
          new BsonDouble(
              List.of(Double.NaN, Double.POSITIVE_INFINITY, -1e300, 0.5, -0.0)
                  .get(random.below(5)));
      case 3, 4, 5 -> new BsonString(TEXTS.get(random.below(TEXTS.size())));
      case 6 ->
          new BsonDateTime(
              List.of(0L, Long.MAX_VALUE, Long.MIN_VALUE, 1_700_000_000_000L).get(random.below(4)));
      case 7 -> new BsonTimestamp(random.below(100), 1);
      case 8 -> new BsonObjectId(new ObjectId("507f1f77bcf86cd799439011"));
      case 9 -> List.of(BsonNull.VALUE, new BsonRegularExpression("a", "i")).get(random.below(2));
      case 10 -> random.value(2);
      case 11, 12 -> {
        BsonArray array = new BsonArray();
        for (int i = 0; i < random.below(4); i++) {
          array.add(nonsense(random, depth - 1));
        }
        yield array;
      }
      default -> {
        BsonDocument document = new BsonDocument();
        for (int i = 0; i < 1 + random.below(3); i++) {
          document.put(ARGUMENTS.get(random.below(ARGUMENTS.size())), nonsense(random, depth - 1));
        }
        yield document;
      }
    };
  }

  private static void attempt(long seed, BsonValue what, Runnable action) {
    try {
      action.run();
    } catch (EngineException expected) {
      // refused with a code: that is what is wanted
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("seed " + seed + ": " + new BsonDocument("v", what).toJson(), e);
    }
  }

  private BsonDocument use(RandomValues random, Compatibility.Kind kind) {
    Compatibility.Entry entry;
    do {
      entry = names.get(random.below(names.size()));
    } while (entry.kind() != kind);
    return new BsonDocument(entry.name(), nonsense(random, 3));
  }

  @Test
  void expressions_and_stages() {
    for (long seed = 1; seed <= 6_000; seed++) {
      RandomValues random = new RandomValues(new SplittableRandom(seed));
      RawBsonDocument document = DocumentWriter.write(random.document(3));
      BsonDocument expression = use(random, Compatibility.Kind.EXPRESSION);
      attempt(seed, expression, () -> Expression.compile(expression, context()).evaluate(document));
      BsonDocument stage = use(random, Compatibility.Kind.STAGE);
      attempt(seed, stage, () -> drain(List.of(stage), List.of(document, document)));
      BsonDocument group =
          new BsonDocument(
              "$group",
              new BsonDocument("_id", nonsense(random, 1))
                  .append("f", use(random, Compatibility.Kind.ACCUMULATOR)));
      attempt(seed, group, () -> drain(List.of(group), List.of(document, document)));
      BsonDocument window =
          new BsonDocument(
              "$setWindowFields",
              new BsonDocument("sortBy", new BsonDocument("a", new BsonInt32(1)))
                  .append("output", new BsonDocument("f", use(random, Compatibility.Kind.WINDOW))));
      attempt(seed, window, () -> drain(List.of(window), List.of(document, document)));
    }
  }

  private static void drain(List<BsonDocument> stages, List<RawBsonDocument> input) {
    Pipeline pipeline = Pipeline.compile(stages, new Pipeline.Target("d", "c"), context());
    try (DocumentCursor cursor = pipeline.run(DocumentCursor.of(input), PipelineEnvironment.NONE)) {
      int taken = 0;
      while (cursor.next() != null && taken < 50) {
        taken++;
      }
    }
  }

  @Test
  void filters_and_updates() {
    Matcher everything = Matcher.compile(new BsonDocument(), context());
    for (long seed = 1; seed <= 6_000; seed++) {
      RandomValues random = new RandomValues(new SplittableRandom(seed));
      RawBsonDocument document = DocumentWriter.write(random.document(3));
      BsonDocument query = use(random, Compatibility.Kind.QUERY);
      BsonDocument filter = random.below(3) == 0 ? query : new BsonDocument(random.path(), query);
      attempt(seed, filter, () -> Matcher.compile(filter, context()).matches(document));
      BsonDocument operator = use(random, Compatibility.Kind.UPDATE);
      BsonDocument update =
          new BsonDocument(
              operator.getFirstKey(),
              new BsonDocument(
                  random.path(),
                  java.util.Objects.requireNonNull(operator.get(operator.getFirstKey()))));
      attempt(
          seed,
          update,
          () -> {
            byte[] after =
                Update.compile(update, new ArrayList<>(), context())
                    .apply(BsonBytes.of(document), () -> everything);
            BsonCheck.check(after, 0, after.length);
          });
    }
  }

  @Test
  void bytes_that_are_no_document() {
    for (long seed = 1; seed <= 20_000; seed++) {
      SplittableRandom source = new SplittableRandom(seed);
      RawBsonDocument document = DocumentWriter.write(new RandomValues(source).document(4));
      byte[] bytes = java.util.Arrays.copyOf(RawBytes.bytes(document), RawBytes.length(document));
      for (int i = 0; i <= source.nextInt(3); i++) {
        bytes[source.nextInt(bytes.length)] = (byte) source.nextInt();
      }
      attempt(
          seed,
          BsonNull.VALUE,
          () -> {
            BsonCheck.check(bytes, 0, bytes.length);
            // what passes the check can be read
            Matcher.compile(BsonDocument.parse("{'a.b': {$gt: 1}, b: {$size: 1}}"), context())
                .matches(bytes, 0);
          });
    }
  }
}
