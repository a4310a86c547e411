// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.docs;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.value.DocumentWriter;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdvancedStagesTest {
  /** One foreign collection, whatever it is called. */
  private record Foreign(List<BsonDocument> documents) implements PipelineEnvironment {
    @Override
    public DocumentCursor find(String database, String collection, BsonDocument filter) {
      Matcher matcher = Matcher.compile(filter, context());
      return DocumentCursor.of(
          documents.stream().map(DocumentWriter::write).filter(matcher::matches).toList());
    }
  }

  private static String run(String stages, String input, PipelineEnvironment world) {
    List<RawBsonDocument> raws = docs(input).stream().map(DocumentWriter::write).toList();
    BsonArray result = new BsonArray();
    Pipeline pipeline = Pipeline.compile(docs(stages), new Pipeline.Target("test", "c"), context());
    try (DocumentCursor cursor = pipeline.run(DocumentCursor.of(raws), world)) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        result.add(document);
      }
    }
    return json(new BsonDocument("r", result));
  }

  private static String shown(String documents) {
    return json(new BsonDocument("r", new BsonArray(new ArrayList<>(docs(documents)))));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{$documents: [{a: 1}, {a: {$add: [1, 1]}}]}] | [] | [{a: 1}, {a: 2}]",
        "[{$redact: {$cond: [{$eq: ['$level', 5]}, '$$PRUNE', '$$DESCEND']}}] | [{level: 1, a:"
            + " {level: 5, x: 1}, b: [{level: 5}, {level: 2}]}, {level: 5}] | [{level: 1, b:"
            + " [{level: 2}]}]",
        "[{$setWindowFields: {partitionBy: '$k', sortBy: {v: 1}, output: {sum: {$sum: '$v', window:"
            + " {documents: ['unbounded', 'current']}}, n: {$documentNumber: {}}}}}] | [{k: 2, v:"
            + " 5}, {k: 1, v: 2}, {k: 1, v: 1}] | [{k: 1, v: 1, sum: 1, n: 1}, {k: 1, v: 2, sum: 3,"
            + " n: 2}, {k: 2, v: 5, sum: 5, n: 1}]",
        "[{$setWindowFields: {sortBy: {v: 1}, output: {r: {$rank: {}}, d: {$denseRank: {}}, p:"
            + " {$shift: {output: '$v', by: -1, default: 'none'}}}}}] | [{v: 1}, {v: 1}, {v: 3}] |"
            + " [{v: 1, r: 1, d: 1, p: 'none'}, {v: 1, r: 1, d: 1, p: 1}, {v: 3, r: 3, d: 2, p:"
            + " 1}]",
        "[{$setWindowFields: {sortBy: {v: 1}, output: {a: {$avg: '$v', window: {documents: [-1,"
            + " 1]}}, r: {$sum: '$v', window: {range: [-1, 0]}}}}}] | [{v: 1}, {v: 2}, {v: 6}] |"
            + " [{v: 1, a: 1.5, r: 1}, {v: 2, a: 3.0, r: 3}, {v: 6, a: 4.0, r: 6}]",
        "[{$setWindowFields: {sortBy: {t: 1}, output: {d: {$derivative: {input: '$v'}, window:"
            + " {documents: [-1, 0]}}, i: {$integral: {input: '$v'}, window: {documents:"
            + " ['unbounded', 'current']}}}}}] | [{t: 0, v: 0}, {t: 2, v: 4}] | [{t: 0, v: 0, d:"
            + " null, i: 0.0}, {t: 2, v: 4, d: 2.0, i: 4.0}]",
        "[{$setWindowFields: {output: {m: {$max: '$v'}}}}] | [{v: 1}, {v: 2}] | [{v: 1, m: 2}, {v:"
            + " 2, m: 2}]",
        "[{$fill: {output: {a: {value: 0}}}}] | [{a: null}, {a: 1}, {}] | [{a: 0}, {a: 1}, {a: 0}]",
        "[{$fill: {sortBy: {t: 1}, output: {a: {method: 'linear'}, b: {method: 'locf'}}}}] | [{t:"
            + " 0, a: 0, b: 'x'}, {t: 1}, {t: 2, a: 4}] | [{t: 0, a: 0, b: 'x'}, {t: 1, a: 2.0, b:"
            + " 'x'}, {t: 2, a: 4, b: 'x'}]",
        "[{$densify: {field: 'v', range: {step: 2, bounds: [0, 6]}}}] | [{v: 0}, {v: 4}] | [{v: 0},"
            + " {v: 2}, {v: 4}]",
        "[{$densify: {field: 'v', partitionByFields: ['k'], range: {step: 1, bounds:"
            + " 'partition'}}}] | [{k: 1, v: 0}, {k: 1, v: 2}, {k: 2, v: 5}] | [{k: 1, v: 0}, {k:"
            + " 1, v: 1}, {k: 1, v: 2}, {k: 2, v: 5}]",
      })
  void a_stage_gives_what_mongodb_gives(String stages, String input, String output) {
    assertThat(run(stages, input, PipelineEnvironment.NONE)).isEqualTo(shown(output));
  }

  @Test
  void graph_lookup_reaches_everything_once_with_its_depth() {
    Foreign people =
        new Foreign(docs("[{_id: 1, to: 2}, {_id: 2, to: 3}, {_id: 3, to: 1}, {_id: 4, to: 9}]"));
    String stages =
        "[{$graphLookup: {from: 'p', startWith: '$start', connectFromField: 'to', connectToField:"
            + " '_id', as: 'r', depthField: 'd', maxDepth: 1}}]";
    assertThat(run(stages, "[{start: 1}, {start: 9}]", people))
        .isEqualTo(
            shown(
                "[{start: 1, r: [{_id: 1, to: 2, d: {$numberLong: '0'}}, {_id: 2, to: 3, d:"
                    + " {$numberLong: '1'}}]}, {start: 9, r: []}]"));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{$graphLookup: {from: 'x'}}] | 40105",
        "[{$graphLookup: {foo: 1}}] | 40104",
        "[{$redact: 'x'}] | 17053",
        "[{$setWindowFields: {}}] | 40414",
        "[{$setWindowFields: {output: {a: {$foo: 1}}}}] | 9",
        "[{$setWindowFields: {output: {a: {$rank: {}}}}}] | 5371602",
        "[{$setWindowFields: {output: {a: {$sum: 1, window: {documents: [0, 1]}}}}}] | 5339901",
        "[{$fill: {output: {}}}] | 6050203",
        "[{$fill: {output: {a: {method: 'linear'}}}}] | 605001",
        "[{$densify: {field: 'v', range: {step: 0, bounds: 'full'}}}] | 5733401",
        "[{$match: {}}, {$documents: []}] | 40602",
      })
  void a_bad_stage_is_refused_with_mongodbs_code(String stages, int code) {
    fails(code, () -> run(stages, "[{a: 1}]", PipelineEnvironment.NONE));
  }
}
