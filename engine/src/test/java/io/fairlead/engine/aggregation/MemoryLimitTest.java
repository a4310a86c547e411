// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.RawBytes;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stages that hold much are bounded; the documents here are one of 1 MiB, again and again. */
final class MemoryLimitTest {
  private static final RawBsonDocument LARGE =
      RawBytes.raw(
          new BsonDocument("_id", new BsonInt32(1))
              .append("text", new BsonString("x".repeat(1024 * 1024))));

  private static List<RawBsonDocument> run(int documents, String... stages) {
    return run(DocumentCursor.of(Collections.nCopies(documents, LARGE)), stages);
  }

  /** Documents that can be read as often as one likes. */
  private static DocumentCursor repeatable(int documents) {
    return new DocumentCursor() {
      private final DocumentCursor once = DocumentCursor.of(Collections.nCopies(documents, LARGE));

      @Override
      public @Nullable RawBsonDocument next() {
        return once.next();
      }

      @Override
      public DocumentCursor again() {
        return repeatable(documents);
      }
    };
  }

  private static List<RawBsonDocument> run(DocumentCursor input, String... stages) {
    OperationContext operation = OperationContext.at(Instant.EPOCH);
    Pipeline pipeline =
        Pipeline.compile(
            Arrays.stream(stages).map(BsonDocument::parse).toList(),
            new Pipeline.Target("db", "c"),
            operation);
    List<RawBsonDocument> all = new java.util.ArrayList<>();
    try (DocumentCursor cursor = pipeline.run(input, PipelineEnvironment.NONE)) {
      RawBsonDocument next;
      while ((next = cursor.next()) != null) {
        all.add(next);
      }
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "292     | {$sort: {_id: 1}}",
        "146     | {$group: {_id: null, all: {$push: '$$ROOT'}}}",
        "146     | {$group: {_id: null, all: {$lastN: {n: 1000, input: '$$ROOT'}}}}",
        "146     | {$setWindowFields: {sortBy: {_id: 1}, output: {n: {$sum: 1}}}}",
        "4031700 | {$facet: {a: [{$match: {}}]}}",
        "292     | {$facet: {a: [{$limit: 1}], b: [{$limit: 1}]}}",
      })
  void what_a_stage_holds_is_at_most_100_mebibytes(int code, String stage) {
    assertThatThrownBy(() -> run(110, stage, "{$project: {_id: 1}}"))
        .isInstanceOfSatisfying(
            EngineException.class,
            error -> {
              assertThat(error.code()).isEqualTo(code);
              assertThat(error.getMessage()).contains("104857600");
            });
  }

  @Test
  void many_groups_are_bounded_too() {
    OperationContext operation = OperationContext.at(Instant.EPOCH);
    Pipeline pipeline =
        Pipeline.compile(
            List.of(BsonDocument.parse("{$group: {_id: {n: '$_id', text: '$text'}}}")),
            new Pipeline.Target("db", "c"),
            operation);
    DocumentCursor different =
        new DocumentCursor() {
          private int number;

          @Override
          public RawBsonDocument next() {
            return RawBytes.raw(
                new BsonDocument("_id", new BsonInt32(number++))
                    .append("text", LARGE.getString("text")));
          }

          @Override
          public void close() {}
        };
    assertThatThrownBy(() -> pipeline.run(different, PipelineEnvironment.NONE).next())
        .isInstanceOfSatisfying(
            EngineException.class, error -> assertThat(error.code()).isEqualTo(292));
  }

  @Test
  void one_facet_alone_holds_nothing_of_what_it_reads() {
    assertThat(run(500, "{$facet: {n: [{$count: 'n'}]}}"))
        .containsExactly(RawBytes.raw(BsonDocument.parse("{n: [{n: 500}]}")));
  }

  @Test
  void several_facets_read_anew_what_is_too_much_to_be_held() {
    String facets =
        "{$facet: {n: [{$count: 'n'}], one: [{$limit: 1}, {$project: {_id: 1}}],"
            + " ids: [{$group: {_id: '$_id', sum: {$sum: '$two'}}}]}}";
    RawBsonDocument answer =
        RawBytes.raw(
            BsonDocument.parse("{n: [{n: 500}], one: [{_id: 1}], ids: [{_id: 1, sum: 1000}]}"));
    assertThat(run(repeatable(500), "{$set: {two: 2}}", facets)).containsExactly(answer);
    assertThat(run(repeatable(600), "{$limit: 500}", "{$addFields: {two: 2}}", facets))
        .containsExactly(answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{$match: {$sampleRate: 0.99}}",
        "{$match: {$expr: {$lt: [{$rand: {}}, 2]}}}",
        "{$set: {r: {$rand: {}}}}",
        "{$sample: {size: 100000}}"
      })
  void what_chance_chose_is_not_chosen_again(String stage) {
    assertThatThrownBy(
            () -> run(repeatable(130), stage, "{$facet: {a: [{$limit: 1}], b: [{$limit: 1}]}}"))
        .isInstanceOfSatisfying(
            EngineException.class, error -> assertThat(error.code()).isEqualTo(292));
  }

  @Test
  void a_limit_behind_a_sort_bounds_what_is_held() {
    assertThat(run(500, "{$sort: {_id: 1}}", "{$limit: 3}")).hasSize(3);
  }

  @Test
  void values_that_are_let_go_do_not_count() {
    assertThat(run(500, "{$group: {_id: null, last: {$lastN: {n: 2, input: '$$ROOT'}}}}"))
        .hasSize(1);
    assertThat(run(500, "{$group: {_id: null, set: {$addToSet: '$_id'}}}")).hasSize(1);
  }
}
