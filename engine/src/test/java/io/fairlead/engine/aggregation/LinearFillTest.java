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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code $linearFill} and {@code $shift} put where nothing is. */
final class LinearFillTest {
  private static String run(String function, String rows) {
    String stage =
        "[{$setWindowFields: {sortBy: {t: 1}, output: {v: " + function + "}}}, {$project: {v: 1}}]";
    BsonArray result = new BsonArray();
    Pipeline pipeline = Pipeline.compile(docs(stage), new Pipeline.Target("d", "c"), context());
    try (DocumentCursor cursor =
        pipeline.run(
            DocumentCursor.of(docs(rows).stream().map(DocumentWriter::write).toList()),
            PipelineEnvironment.NONE)) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        result.add(document);
      }
    }
    return json(new BsonDocument("r", result));
  }

  private static String shown(String rows) {
    return json(new BsonDocument("r", new BsonArray(docs(rows))));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{t: 0.5, v: 0}, {t: 9}, {t: 10.09283, v: 11.28374}] |"
            + " [{v: 0}, {v: 9.998278922903879}, {v: 11.28374}]",
        "[{t: 1, v: {$numberDecimal: '1'}}, {t: 2}, {t: 3, v: 2}] |"
            + " [{v: {$numberDecimal: '1'}}, {v: {$numberDecimal: '1.5'}}, {v: 2}]",
        "[{t: {$date: {$numberLong: '0'}}, v: 1}, {t: {$date: {$numberLong: '1'}}}, {t: {$date:"
            + " {$numberLong: '4'}}, v: 3}] | [{v: 1}, {v: 1.5}, {v: 3}]",
        "[{t: 1}, {t: 2, v: 1}, {t: 3}] | [{v: null}, {v: 1}, {v: null}]",
      })
  void a_gap_is_filled_with_the_arithmetic_of_expressions(String rows, String filled) {
    assertThat(run("{$linearFill: '$v'}", rows)).isEqualTo(shown(filled));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{v: 1}, {t: 1}] | 14",
        "[{t: 1, v: 'x'}] | 14",
        "[{t: 1}, {t: {$date: {$numberLong: '0'}}}] | 14",
        "[{t: 1}, {t: 1.0}] | 6050106",
      })
  void places_and_values_that_make_no_line_are_refused(String rows, int code) {
    fails(code, () -> run("{$linearFill: '$v'}", rows));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{$shift: {by: 1, output: '$v', default: 'd'}} | [{v: null}, {v: 'd'}, {v: 'd'}]",
        "{$shift: {by: -1, output: '$v', default: 'd'}} | [{v: 'd'}, {v: 1}, {v: null}]",
        "{$shift: {by: 0, output: '$v'}} | [{v: 1}, {v: null}, {v: null}]",
      })
  void a_shift_to_a_row_without_the_value_has_the_default(String function, String shifted) {
    assertThat(run(function, "[{t: 1, v: 1}, {t: 2, v: null}, {t: 3}]")).isEqualTo(shown(shifted));
  }
}
