// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import static io.fairlead.engine.value.Docs.context;
import static io.fairlead.engine.value.Docs.docs;
import static io.fairlead.engine.value.Docs.fails;
import static io.fairlead.engine.value.Docs.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.value.DocumentWriter;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stages do at their borders, and how they refuse what lies beyond. */
final class StageEdgesTest {
  private static String run(String stages, String input) {
    List<RawBsonDocument> raws = docs(input).stream().map(DocumentWriter::write).toList();
    BsonArray result = new BsonArray();
    Pipeline pipeline = Pipeline.compile(docs(stages), new Pipeline.Target("d", "c"), context());
    try (DocumentCursor cursor = pipeline.run(DocumentCursor.of(raws), PipelineEnvironment.NONE)) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        result.add(document);
      }
    }
    return json(new BsonDocument("r", result));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'R5'}}] | [{a: 1}, {a: 3}, {a: 7},"
            + " {a: 20}] | [{_id: {min: 0.63, max: 4.0}, count: 2}, {_id: {min: 4.0, max: 25.0},"
            + " count: 2}]",
        "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'POWERSOF2'}}] | [{a: 0}, {a: 1},"
            + " {a: 3}, {a: 7}, {a: 20}] | [{_id: {min: 0, max: 4}, count: 3}, {_id: {min: 4, max:"
            + " 32}, count: 2}]",
        "[{$bucketAuto: {groupBy: '$a', buckets: 3, granularity: 'E6'}}] | [{a: 0}, {a: 0.3}, {a:"
            + " 7}, {a: 20}] | [{_id: {min: 0, max: 0.22}, count: 1}, {_id: {min: 0.22, max: 0.33},"
            + " count: 1}, {_id: {min: 0.33, max: 22.0}, count: 2}]",
        "[{$bucketAuto: {groupBy: '$a', buckets: 2}}] | [{a: 1}, {a: 1}, {a: 1}, {a: 2}] | [{_id:"
            + " {min: 1, max: 2}, count: 3}, {_id: {min: 2, max: 2}, count: 1}]",
        "[{$bucketAuto: {groupBy: '$a', buckets: 10}}] | [{a: 1}, {a: 3}] | [{_id: {min: 1, max:"
            + " 3}, count: 1}, {_id: {min: 3, max: 3}, count: 1}]",
        "[{$redact: {$cond: [{$eq: ['$a', 1]}, '$$PRUNE', '$$DESCEND']}}] | [{a: 1}, {a: 2, b:"
            + " [{a: 1}, 5, [{a: 1}]]}] | [{a: 2, b: [5, []]}]",
        "[{$addFields: {'a.b': 1}}] | [{a: 5}, {a: []}, {a: [1, {c: 1}]}] | [{a: {b: 1}}, {a: []},"
            + " {a: [{b: 1}, {c: 1, b: 1}]}]",
        "[{$group: {_id: null, a: {$sum: '$v'}}}] | [{v: 1}, {v: 'x'}, {v: [5]}, {v: 2.5}, {v:"
            + " null}] | [{_id: null, a: 3.5}]",
        "[{$group: {_id: null, a: {$min: '$v'}, b: {$max: '$v'}}}] | [{v: null}, {}, {v: 3}, {v:"
            + " 'a'}] | [{_id: null, a: 3, b: 'a'}]",
        "[{$group: {_id: null, a: {$firstN: {input: '$v', n: 2}}, c: {$minN: {input: '$v', n:"
            + " 2}}}}] | [{v: 1}, {}, {v: 3}] | [{_id: null, a: [1, null], c: [1, 3]}]",
        "[{$group: {_id: '$k', a: {$firstN: {input: '$v', n: {$cond: [{$eq: ['$k', 1]}, 1, 2]}}}}}]"
            + " | [{k: 1, v: 1}, {k: 2, v: 2}, {k: 2, v: 3}] | [{_id: 1, a: [1]}, {_id: 2, a: [2,"
            + " 3]}]",
        "[{$group: {_id: {x: '$a', y: '$b'}}}] | [{a: 1}, {a: 1, b: null}] | [{_id: {x: 1}}, {_id:"
            + " {x: 1, y: null}}]",
        "[{$unwind: {path: '$a', includeArrayIndex: 'b.c'}}] | [{a: [5, 6]}] | [{a: 5, b: {c:"
            + " {$numberLong: '0'}}}, {a: 6, b: {c: {$numberLong: '1'}}}]",
        "[{$densify: {field: 'a', range: {step: 1, bounds: 'full'}}}] | [{b: 1}, {a: null}, {a: 1},"
            + " {a: 3}] | [{b: 1}, {a: null}, {a: 1}, {a: 2}, {a: 3}]",
        "[{$densify: {field: 'a', range: {step: 1, unit: 'day', bounds: [{$date:"
            + " '2024-01-01T00:00:00Z'}, {$date: '2024-01-03T00:00:00Z'}]}}}] | [{a: {$date:"
            + " '2024-01-02T00:00:00Z'}}] | [{a: {$date: '2024-01-01T00:00:00Z'}}, {a: {$date:"
            + " '2024-01-02T00:00:00Z'}}]",
        "[{$fill: {output: {a: {value: '$b'}}}}] | [{b: 5}, {a: 1, b: 2}] | [{b: 5, a: 5}, {a: 1,"
            + " b: 2}]",
        "[{$setWindowFields: {sortBy: {a: 1}, output: {x: {$sum: 1, window: {range: [-1, 1], unit:"
            + " 'day'}}}}}] | [{a: {$date: '2024-01-01T00:00:00Z'}}, {a: {$date:"
            + " '2024-01-02T00:00:00Z'}}, {a: {$date: '2024-01-05T00:00:00Z'}}] | [{a: {$date:"
            + " '2024-01-01T00:00:00Z'}, x: 2}, {a: {$date: '2024-01-02T00:00:00Z'}, x: 2}, {a:"
            + " {$date: '2024-01-05T00:00:00Z'}, x: 1}]",
        "[{$setWindowFields: {sortBy: {a: 1}, output: {x: {$push: '$a', window: {range: ['current',"
            + " 'unbounded']}}}}}] | [{a: 1}, {a: 1}, {a: 2}] | [{a: 1, x: [1, 1, 2]}, {a: 1, x:"
            + " [1, 2]}, {a: 2, x: [2]}]",
        "[{$setWindowFields: {sortBy: {a: 1}, output: {x: {$linearFill: '$v'}, y: {$locf: '$v'}}}}]"
            + " | [{a: 1, v: 1}, {a: 2}, {a: 3, v: 5}] | [{a: 1, v: 1, x: 1, y: 1}, {a: 2, x: 3.0,"
            + " y: 1}, {a: 3, v: 5, x: 5, y: 5}]",
      })
  void a_stage_at_its_border_gives_what_mongodb_gives(String stages, String input, String output) {
    assertThat(run(stages, input))
        .isEqualTo(json(new BsonDocument("r", new BsonArray(new ArrayList<>(docs(output))))));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{$bucketAuto: {groupBy: '$a', buckets: 2, granularity: 'E7'}}] | 40257",
        "[{$bucketAuto: {groupBy: '$s', buckets: 2, granularity: 'E6'}}] | 40258",
        "[{$bucketAuto: {groupBy: '$a', buckets: 0}}] | 40243",
        "[{$bucketAuto: {groupBy: '$a'}}] | 40246",
        "[{$bucket: {groupBy: '$a', boundaries: [1, 'x']}}] | 40193",
        "[{$bucket: {groupBy: '$a', boundaries: [5, 9]}}] | 40066",
        "[{$bucket: {groupBy: '$a', boundaries: [1, 5], default: 3}}] | 40199",
        "[{$facet: {'a.b': []}}] | 16412",
        "[{$facet: {$a: []}}] | 16410",
        "[{$facet: {a: [{$facet: {b: []}}]}}] | 40600",
        "[{$facet: {a: [{$merge: 'x'}]}}] | 40600",
        "[{$redact: '$s'}] | 17053",
        "[{$project: {x: '$$DESCEND'}}] | 17276",
        "[{$project: {'a.$': 1}}] | 16410",
        "[{$project: {a: {$slice: 1}}}] | 28667",
        "[{$unset: ['a', 'a.b']}] | 31249",
        "[{$sort: {a: {$meta: 'x'}}}] | 31138",
        "[{$group: {_id: 1, a: {$sum: 1, $avg: 1}}}] | 40238",
        "[{$group: {_id: 1, a: {$count: 1}}}] | 14",
        "[{$group: {_id: 1, a: {$firstN: {input: '$a', n: 0}}}}] | 5787908",
        "[{$group: {_id: 1, a: {$top: {output: 1, sortBy: {a: 1}, n: 1}}}}] | 5788002",
        "[{$unwind: {path: '$a', includeArrayIndex: '$x'}}] | 28822",
        "[{$replaceWith: '$a'}] | 40228",
        "[{$count: 'a.b'}] | 40160",
        "[{$count: '_id'}] | 15948",
        "[{$lookup: {from: 'x', as: 'y', pipeline: [{$documents: []}]}}] | 73",
        "[{$unionWith: {coll: 'x', pipeline: [{$documents: []}]}}] | 73",
        "[{$facet: {a: [5]}}] | 40171",
        "[{$addFields: {a: 1, 'a.b': 1}}] | 40176",
        "[{$set: {a: {b: 1}, 'a.b': 1}}] | 40176",
        "[{$addFields: {a: {$add: [1], b: 1}}}] | 40181",
        "[{$addFields: {a: {b: 1, $add: [1]}}}] | 40181",
        "[{$addFields: {a: {'b.c': 1}}}] | 40183",
        "[{$sample: {size: -1}}] | 28747",
        "[{$densify: {field: 's', range: {step: 1, bounds: 'full'}}}] | 5733201",
        "[{$densify: {field: 'a', range: {step: 1, bounds: 'partition'}}}] | 5733408",
        "[{$densify: {field: 'a', range: {step: 1, bounds: [5, 1]}}}] | 5733402",
        "[{$densify: {field: 'a', range: {step: 1.5, bounds: 'full', unit: 'day'}}}] | 6586400",
        "[{$fill: {output: {a: {method: 'linear'}}}}] | 605001",
        "[{$fill: {output: {a: {method: 'x'}}, sortBy: {a: 1}}}] | 6050202",
        "[{$setWindowFields: {sortBy: {a: -1}, output: {x: {$sum: 1, window: {range: [-1, 1]}}}}}]"
            + " | 8947401",
        "[{$setWindowFields: {sortBy: {a: 1, b: 1}, output: {x: {$sum: 1, window: {range: [-1,"
            + " 1]}}}}}] | 5339902",
        "[{$setWindowFields: {sortBy: {s: 1}, output: {x: {$sum: 1, window: {range: [-1, 1]}}}}}] |"
            + " 5429414",
        "[{$setWindowFields: {sortBy: {a: 1}, output: {x: {$sum: 1, window: {documents: [1,"
            + " -1]}}}}}] | 5339900",
        "[{$setWindowFields: {sortBy: {a: 1}, output: {x: {$derivative: {input: '$a'}}}}}] | 9",
        "[{$setWindowFields: {sortBy: {a: 1}, output: {x: {$derivative: {input: '$a', unit:"
            + " 'month'}, window: {documents: [-1, 0]}}}}}] | 5490710",
        "[{$setWindowFields: {sortBy: {a: 1}, output: {x: {$rank: {}, window: {documents: [0,"
            + " 1]}}}}}] | 5371601",
        "[{$setWindowFields: {partitionBy: '$l', output: {x: {$sum: 1}}}}] | 14",
        "[{$merge: {into: 'x', on: []}}] | 51187",
        "[{$merge: {into: 'x', let: {a: 1}, whenMatched: 'merge'}}] | 51199",
        "[{$merge: {into: 'x', let: {new: 1}, whenMatched: []}}] | 51273",
        "[{$out: 'system.x'}] | 17385",
        "[{$unionWith: {coll: 'x', pipeline: [{$out: 'y'}]}}] | 31441",
        "[{$lookup: {from: 'x', as: 'y', localField: 'a'}}] | 9",
        "[{$lookup: {from: 'x', as: 'y', pipeline: [{$out: 'z'}]}}] | 51047",
        "[{$graphLookup: {from: 'x', startWith: '$a', connectFromField: 'a', connectToField: 'b',"
            + " as: 'y', maxDepth: -1}}] | 40101",
        "[{$graphLookup: {from: 'x', startWith: '$a', connectFromField: 'a', connectToField: 'b',"
            + " as: 'y', restrictSearchWithMatch: 5}}] | 40185",
        "[{$documents: '$a'}] | 5858203",
        "[{$documents: [5]}] | 40228",
      })
  void a_stage_beyond_its_border_fails_as_in_mongodb(String stages, int code) {
    fails(code, () -> run(stages, "[{a: 1, s: 'x', l: [1]}]"));
  }
}
