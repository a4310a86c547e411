// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.docs;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.value.DocumentWriter;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accumulators that keep so many of what they see: how many, which, and what they refuse. */
final class RankedAccumulatorsTest {
  private static final String ROWS =
      "[{g: 'x', v: 3, w: 1}, {g: 'x', v: 1, w: 1}, {g: 'y', v: 2, w: 1}, {g: 'y', v: 5, w: 1},"
          + " {g: 'x', v: 4, w: 2}]";

  private static String run(String stages) {
    BsonArray result = new BsonArray();
    Pipeline pipeline = Pipeline.compile(docs(stages), new Pipeline.Target("d", "c"), context());
    try (DocumentCursor cursor =
        pipeline.run(
            DocumentCursor.of(docs(ROWS).stream().map(DocumentWriter::write).toList()),
            PipelineEnvironment.NONE)) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        result.add(document);
      }
    }
    return json(new BsonDocument("r", result));
  }

  private static String group(String id, String accumulator) {
    return run("[{$group: {_id: " + id + ", r: " + accumulator + "}}]");
  }

  private static String shown(String documents) {
    return json(new BsonDocument("r", new BsonArray(docs(documents))));
  }

  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // one field, whose group is wrapped
        "{s: '$g'} | {$firstN: {input: '$v', n: {$cond: [{$eq: ['$s', 'x']}, 2, 1]}}} |"
            + " [{_id: {s: 'x'}, r: [3, 1]}, {_id: {s: 'y'}, r: [2]}]",
        // several fields
        "{s: '$g', k: 1} | {$maxN: {input: '$v', n: {$cond: [{$eq: ['$s', 'x']}, '$k', 2]}}} |"
            + " [{_id: {s: 'x', k: 1}, r: [4]}, {_id: {s: 'y', k: 1}, r: [5, 2]}]",
        // a key that is computed
        "{$mergeObjects: [{s: '$g'}]} | {$topN: {output: '$v', sortBy: {v: 1}, n: {$cond: [{$eq:"
            + " ['$s', 'y']}, 1, 2]}}} | [{_id: {s: 'x'}, r: [1, 3]}, {_id: {s: 'y'}, r: [2]}]",
        // a key without fields has none to read
        "'$g' | {$minN: {input: '$v', n: {$cond: ['$_id', 1, 2]}}} |"
            + " [{_id: 'x', r: [1, 3]}, {_id: 'y', r: [2, 5]}]",
      })
  void how_many_may_depend_on_the_group(String id, String accumulator, String expected) {
    assertThat(group(id, accumulator)).isEqualTo(shown(expected));
  }

  @Test
  void how_many_is_the_same_for_all_buckets_and_windows() {
    fails(
        4544714,
        () ->
            run(
                "[{$bucketAuto: {groupBy: '$v', buckets: 2, output: {r: {$firstN: {input: '$v', n:"
                    + " '$x'}}}}}]"));
    fails(
        5787902,
        () ->
            run(
                "[{$setWindowFields: {sortBy: {v: 1}, output: {r: {$firstN: {input: '$v', n:"
                    + " '$w'}}}}}]"));
    fails(5787902, () -> group("'$g'", "{$firstN: {input: '$v', n: '$nothing'}}"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$bottom: {output: '$v', sortBy: {w: -1}}} | 3",
        "{$top: {output: '$v', sortBy: {w: 1}}} | 3",
        "{$bottomN: {n: 2, output: '$v', sortBy: {w: 1}}} | [1, 4]",
        "{$bottomN: {n: 3, output: '$v', sortBy: {w: -1}}} | [3, 1, 2]",
        "{$topN: {n: 2, output: '$v', sortBy: {w: 1}}} | [3, 1]",
        "{$maxN: {n: 2, input: {$cond: [{$eq: ['$v', 3]}, 1.0, 1]}}} | [1, 1.0]",
        "{$minN: {n: 2, input: {$cond: [{$eq: ['$v', 3]}, 1.0, 1]}}} | [1.0, 1]",
      })
  void of_those_that_tie_the_first_are_kept(String accumulator, String expected) {
    assertThat(group("null", accumulator)).isEqualTo(shown("[{_id: null, r: " + expected + "}]"));
  }

  @Test
  void in_a_window_that_slides_the_latest_of_those_that_tie_are_last() {
    String window =
        "[{$setWindowFields: {sortBy: {v: 1}, output: {r: {$bottom: {output: '$v', sortBy: {x: 1}},"
            + " window: {documents: [%s, 0]}}}}}, {$project: {_id: 0, r: 1}}]";
    assertThat(run(window.formatted("-1")))
        .isEqualTo(shown("[{r: 1}, {r: 2}, {r: 3}, {r: 4}, {r: 5}]"));
    assertThat(run(window.formatted("'unbounded'")))
        .isEqualTo(shown("[{r: 1}, {r: 1}, {r: 1}, {r: 1}, {r: 1}]"));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$firstN: 1} | 5787801",
        "{$lastN: 1} | 5787801",
        "{$minN: 1} | 5787900",
        "{$maxN: 1} | 5787900",
        "{$top: 1} | 5788001",
        "{$bottomN: 1} | 5788001",
        "{$minN: {input: 1, n: 1, x: 1}} | 5787901",
        "{$topN: {output: 1, sortBy: {a: 1}, n: 1, x: 1}} | 5788002",
        "{$bottom: {output: 1, sortBy: {a: 1}, n: 1}} | 5788002",
        "{$minN: {input: 1}} | 5787906",
        "{$minN: {n: 1}} | 5787907",
        "{$topN: {output: 1, sortBy: {a: 1}}} | 5788003",
        "{$topN: {n: 1, sortBy: {a: 1}}} | 5788004",
        "{$top: {output: 1}} | 5788005",
        "{$top: {output: 1, sortBy: 'a'}} | 10065",
        "{$minN: {input: 1, n: 'x'}} | 5787902",
        "{$topN: {output: 1, sortBy: {a: 1}, n: 1.5}} | 5787903",
        "{$lastN: {input: 1, n: {$numberDecimal: '9223372036854775808'}}} | 31109",
        "{$lastN: {input: 1, n: -1}} | 5787908",
        "{$percentile: 1} | 7429703",
        "{$median: 1} | 7436100",
        "{$percentile: {input: 1, p: ['$x'], method: 'approximate'}} | 7750300",
        "{$percentile: {input: 1, p: 0.5, method: 'approximate'}} | 7750301",
        "{$percentile: {input: 1, p: ['x'], method: 'approximate'}} | 7750302",
        "{$percentile: {input: 1, p: [2], method: 'approximate'}} | 7750303",
        "{$percentile: {input: 1, p: [0.5], method: 1}} | 14",
      })
  void what_is_wrong_with_the_arguments_has_the_code_of_mongodb(String accumulator, int code) {
    fails(code, () -> group("null", accumulator));
  }
}
