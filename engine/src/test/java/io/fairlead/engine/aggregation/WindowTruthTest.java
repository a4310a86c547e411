// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.doc;
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

/**
 * What {@code $setWindowFields}, {@code $fill} and {@code $densify} let in, and with which codes.
 */
final class WindowTruthTest {
  private static final String ROWS = "[{_id: 1, t: 1, v: 5}, {_id: 2, t: 2}, {_id: 3, t: 4, v: 1}]";

  private static String run(String stage) {
    return run("[" + stage + "]", ROWS);
  }

  private static String run(String stages, String rows) {
    BsonArray result = new BsonArray();
    Pipeline pipeline = Pipeline.compile(docs(stages), new Pipeline.Target("d", "c"), context());
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

  /** The functions with windows of each kind, ordered by none, one and two fields. */
  @ParameterizedTest(name = "{0} {1}: {2} {3} {4}")
  @CsvSource(
      delimiter = '|',
      value = {
        "$rank: {}                                  |                                | 5371602 | 0 "
            + "      | 5371602",
        "$documentNumber: {}                        |                                | 5371602 | 0 "
            + "      | 5371602",
        "$denseRank: {}                             | window: {documents: [0, 1]}    | 5371601 |"
            + " 5371601 | 5371601",
        "$shift: {output: '$v', by: 1}              |                                | 9       | 0 "
            + "      | 0",
        "$shift: {output: '$v', by: 1}              | window: {documents: [0, 1]}    | 9       | 9 "
            + "      | 9",
        "$expMovingAvg: {input: '$v', N: 2}         |                                | 9       | 0 "
            + "      | 0",
        "$expMovingAvg: {input: '$v', N: 2}         | window: {range: [0, 1]}        | 9       | 9 "
            + "      | 9",
        "$locf: '$v'                                |                                | 0       | 0 "
            + "      | 0",
        "$locf: '$v'                                | window: {documents: [0, 1]}    | 9       | 9 "
            + "      | 9",
        "$linearFill: '$v'                          |                                | 605001  | 0 "
            + "      | 605001",
        "$derivative: {input: '$t'}                 |                                | 9       | 9 "
            + "      | 9",
        "$derivative: {input: '$t'}                 | window: {documents: [-1, 0]}   | 9       | 0 "
            + "      | 9",
        "$derivative: {input: '$t', unit: 'hour'}   | window: {documents: [-1, 0]}   | 9       |"
            + " 5624900 | 9",
        "$integral: {input: '$t'}                   |                                | 9       | 0 "
            + "      | 9",
        "$integral: {input: '$t', unit: 'hour'}     |                                | 9       |"
            + " 5423901 | 9",
        "$covariancePop: ['$t', '$v']               |                                | 0       | 0 "
            + "      | 0",
        "$covariancePop: ['$t', '$v']               | window: {documents: [-1, 0]}   | 5339901 | 0 "
            + "      | 0",
        "$sum: '$v'                                 | window: {documents: [-1, 0]}   | 5339901 | 0 "
            + "      | 0",
        "$sum: '$v'                                 | window: {range: [-1, 0]}       | 5339902 | 0 "
            + "      | 5339902",
        "$sum: '$v'  | window: {range: ['unbounded', 'unbounded']}                  | 5339902 | 0  "
            + "     | 5339902",
        "$sum: '$v'  | window: {documents: ['unbounded', 'unbounded']}              | 0       | 0  "
            + "     | 0",
        "$sum: '$v'  | window: {documents: [{$add: [-2, 1]}, {$add: [0, 0]}]}       | 5339901 | 0  "
            + "     | 0",
        "$sum: '$v'  | window: {documents: ['$t', 1]}                               | 9       | 9  "
            + "     | 9",
        "$sum: '$v'  | window: {documents: [1, -1]}                                 | 5339900 |"
            + " 5339900 | 5339900",
      })
  void a_window_function_needs_its_order_and_its_window(
      String function, String window, int unordered, int byOne, int byTwo) {
    String output = "output: {x: {" + function + (window == null ? "" : ", " + window) + "}}";
    check("{$setWindowFields: {" + output + "}}", unordered);
    check("{$setWindowFields: {sortBy: {t: 1}, " + output + "}}", byOne);
    check("{$setWindowFields: {sortBy: {t: 1, _id: 1}, " + output + "}}", byTwo);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{$setWindowFields: {output: {a: {$sum: 1}, 'a.b': {$sum: 1}}}} | 6307900",
        "{$setWindowFields: {partitionBy: [1], output: {a: {$sum: 1}}}} | 14",
        "{$fill: {output: {v: {method: 'locf'}}}} | 0",
        "{$fill: {output: {v: 'x'}}} | 6050200",
        "{$fill: {output: {v: {method: 'locf', value: 1}}}} | 6050201",
        "{$fill: {output: {v: {method: 'locf', second: 1}}}} | 40415",
        "{$fill: {output: {v: {value: 1}}, partitionBy: '$t', partitionByFields: ['t']}} | 6050204",
        "{$densify: {field: 't', range: {step: 1}}} | 40414",
        "{$densify: {field: 't', range: {bounds: 'full'}}} | 40414",
        "{$densify: {field: 1, range: {step: 1, bounds: 'full'}}} | 14",
        "{$densify: {field: 't', range: {step: 'x', bounds: 'full'}}} | 14",
        "{$densify: {field: 't', partitionByFields: 'v', range: {step: 1, bounds: 'full'}}} | 14",
        "{$densify: {field: 't', partitionByFields: ['t'], range: {step: 1, bounds: 'full'}}} |"
            + " 8993000",
        "{$densify: {field: 't', partitionByFields: ['t.x'], range: {step: 1, bounds: 'full'}}} |"
            + " 8993000",
        "{$densify: {field: 't.x', partitionByFields: ['t'], range: {step: 1, bounds: 'full'}}} |"
            + " 9554500",
        "{$densify: {field: 't', range: {step: 1, bounds: [0, 1, 2]}}} | 5733403",
        "{$densify: {field: 't', range: {step: 1, bounds: [2, 1]}}} | 5733402",
        "{$densify: {field: 't', range: {step: 1, bounds: [1, 2], unit: 'day'}}} | 5733409",
        "{$densify: {field: 't', range: {step: 1, bounds: [1, {$date: 5}]}}} | 5733406",
        "{$densify: {field: 't', range: {step: 1, bounds: [{$date: 1}, {$date: 5}]}}} | 5733410",
        "{$densify: {field: 't', range: {step: 1.0, bounds: [1, 2]}}} | 5876900",
        "{$densify: {field: 't', range: {step: 1, unit: 5, bounds: 'full'}}} | 14",
        "{$densify: {field: 't', range: {step: -1, bounds: 'full'}}} | 5733401",
      })
  void a_stage_is_taken_or_refused_with_mongodbs_code(String stage, int code) {
    check(stage, code);
  }

  /** Zero is at the current row and at all that tie with it; "current" is that row alone. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0, 0]                     | [[1, 1], [1, 1], [2]]",
        "['current', 'current']     | [[1], [1], [2]]",
        "['current', 1]             | [[1, 1, 2], [1, 2], [2]]",
        "[-1, 'current']            | [[1], [1, 1], [1, 1, 2]]",
        "['unbounded', 'current']   | [[1], [1, 1], [1, 1, 2]]",
        "['unbounded', -1]          | [[], [], [1, 1]]",
        "['unbounded', 'unbounded'] | [[1, 1, 2], [1, 1, 2], [1, 1, 2]]",
      })
  void a_range_reaches_from_the_current_row(String range, String windows) {
    String stage =
        "{$setWindowFields: {sortBy: {t: 1}, output: {x: {$push: '$t', window: {range: "
            + range
            + "}}}}}";
    String rows = "[{_id: 1, t: 1}, {_id: 2, t: 1}, {_id: 3, t: 2}]";
    assertThat(run("[" + stage + ", {$group: {_id: null, w: {$push: '$x'}}}]", rows))
        .isEqualTo(
            json(
                new BsonDocument(
                    "r",
                    docs("[{_id: null, w: " + windows + "}]").stream()
                        .collect(java.util.stream.Collectors.toCollection(BsonArray::new)))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"['unbounded', 'unbounded']", "[-1, 1]", "['current', 'current']"})
  void a_range_is_measured_from_numbers(String range) {
    String stage =
        "[{$setWindowFields: {sortBy: {t: 1}, output: {x: {$sum: 1, window: {range: "
            + range
            + "}}}}}]";
    fails(5429414, () -> run(stage, "[{t: 1}, {t: 'x'}]"));
  }

  private static void check(String stage, int code) {
    if (code == 0) {
      assertThat(run(stage)).contains("\"_id\": 3");
    } else {
      fails(code, () -> run(stage));
    }
  }

  @Test
  void a_moving_average_is_computed_in_decimals_and_stays_decimal_once_an_input_was() {
    assertThat(
            run(
                "[{$setWindowFields: {sortBy: {_id: 1}, output: {e: {$expMovingAvg: {input: '$v',"
                    + " alpha: 0.25}}}}}, {$project: {e: {$toDouble: '$e'}, t: {$type: '$e'}}}]",
                "[{_id: 1, v: 1}, {_id: 2, v: 3}, {_id: 3, v: 'x'}, {_id: 4, v: {$numberDecimal:"
                    + " '2.5'}}, {_id: 5}]"))
        .isEqualTo(
            json(
                doc(
                    "{r: [{_id: 1, e: 1.0, t: 'double'}, {_id: 2, e: 1.5, t: 'double'}, {_id: 3,"
                        + " e: 1.5, t: 'double'}, {_id: 4, e: 1.75, t: 'decimal'}, {_id: 5, e:"
                        + " 1.75, t: 'decimal'}]}")));
  }
}
