// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.compatibility;

import static io.fairlead.engine.value.Docs.context;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.Stages;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.Expression;
import io.fairlead.engine.expression.Operators;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.update.Update;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class CompatibilityTest {
  private static final Set<Integer> UNKNOWN = Set.of(40324, 168, 15952, 9, 2, 17276);

  static Stream<Compatibility.Entry> entries() {
    return Compatibility.entries().stream();
  }

  /** Compiles the name with a nonsense operand; the error tells whether the name is known. */
  private static int probe(Compatibility.Entry entry) {
    BsonDocument use = new BsonDocument(entry.name(), BsonNull.VALUE);
    try {
      switch (entry.kind()) {
        case QUERY -> {
          boolean top =
              List.of(
                      "$and",
                      "$or",
                      "$nor",
                      "$expr",
                      "$jsonSchema",
                      "$text",
                      "$where",
                      "$comment",
                      "$sampleRate")
                  .contains(entry.name());
          Matcher.compile(top ? use : new BsonDocument("a", use), context());
        }
        case UPDATE -> Update.compile(use, List.of(), context());
        case PROJECTION -> projected(entry.name());
        case MODIFIER -> modified(entry.name());
        case VARIABLE ->
            Pipeline.compile(
                List.of(new BsonDocument("$redact", new BsonString(entry.name()))),
                new Pipeline.Target("d", "c"),
                context().withClusterTime(new org.bson.BsonTimestamp(1, 1)));
        case STAGE -> Pipeline.compile(List.of(use), new Pipeline.Target("d", "c"), context());
        case EXPRESSION -> Expression.compile(use, context());
        case ACCUMULATOR ->
            group(new BsonDocument("_id", BsonNull.VALUE).append("a", use), "$group");
        case WINDOW ->
            group(
                new BsonDocument("sortBy", new BsonDocument("v", new BsonInt32(1)))
                    .append("output", new BsonDocument("a", use)),
                "$setWindowFields");
      }
      return 0;
    } catch (EngineException e) {
      boolean unknown =
          e.code() == 17276
              || e.message().startsWith("Unrecognized")
              || e.message().startsWith("unknown")
              || e.message().startsWith("Unknown modifier")
              || e.message().contains("not supported");
      return unknown ? e.code() : 0;
    }
  }

  private static void projected(String name) {
    BsonDocument spec =
        switch (name) {
          case "$" -> BsonDocument.parse("{'a.$': 1}");
          case "$meta" -> BsonDocument.parse("{s: {$meta: 'textScore'}}");
          case "$slice" -> BsonDocument.parse("{a: {$slice: 1}}");
          default -> BsonDocument.parse("{a: {$elemMatch: {$gt: 1}}}");
        };
    Projection.compile(spec, Matcher.compile(BsonDocument.parse("{a: 1}"), context()), context());
  }

  private static void modified(String name) {
    BsonDocument update =
        switch (name) {
          case "$", "$[]" -> BsonDocument.parse("{$set: {'a." + name + "': 1}}");
          case "$[<identifier>]" -> BsonDocument.parse("{$set: {'a.$[i]': 1}}");
          case "$each" -> BsonDocument.parse("{$addToSet: {a: {$each: [1]}}}");
          default -> BsonDocument.parse("{$push: {a: {$each: [], " + name + ": 1}}}");
        };
    List<BsonDocument> filters =
        name.startsWith("$[<") ? List.of(BsonDocument.parse("{i: 1}")) : List.of();
    Update.compile(update, filters, context());
  }

  private static void group(BsonDocument spec, String stage) {
    Pipeline.compile(
        List.of(new BsonDocument(stage, spec)), new Pipeline.Target("d", "c"), context());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("entries")
  void a_name_is_known_or_refused_as_unknown(Compatibility.Entry entry) {
    int refusal = probe(entry);
    if (entry.status() == Compatibility.Status.REFUSED) {
      assertThat(UNKNOWN).as("%s", entry).contains(refusal);
    } else if (!entry.name().equals("$rand")
        && !(entry.kind() == Compatibility.Kind.QUERY && entry.name().equals("$sampleRate"))) {
      assertThat(refusal).as("%s", entry).isZero();
    }
  }

  @Test
  void nothing_is_supported_that_the_list_does_not_name() {
    Set<String> names = new TreeSet<>();
    Compatibility.entries().forEach(entry -> names.add(entry.name()));
    assertThat(names).containsAll(Stages.names()).containsAll(Update.operatorNames());
    Set<String> extra = new TreeSet<>(Operators.names());
    extra.removeAll(names);
    // an old spelling that drivers still send
    assertThat(extra).containsExactly("$const");
  }

  /** To bring it up to date, run this test with {@code -Dfairlead.compatibility.write=true}. */
  @Test
  void the_published_document_says_what_the_registries_say() throws java.io.IOException {
    Path published = Path.of("..", "docs", "compatibility.md");
    if (Boolean.getBoolean("fairlead.compatibility.write")) {
      Files.createDirectories(published.getParent());
      Files.writeString(published, Compatibility.markdown());
    }
    assertThat(published).content().isEqualTo(Compatibility.markdown());
  }
}
