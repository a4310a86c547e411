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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PipelineTest {
  private static final Pipeline.Target TARGET = new Pipeline.Target("test", "c");

  /** Collections in memory, and what was written to them. */
  private static final class Collections implements PipelineEnvironment {
    private final Map<String, List<BsonDocument>> collections = new HashMap<>();
    private final List<MergeWrite> writes = new ArrayList<>();

    @Override
    public DocumentCursor find(String database, String collection, BsonDocument filter) {
      Matcher matcher = Matcher.compile(filter, context());
      return DocumentCursor.of(
          collections.getOrDefault(collection, List.of()).stream()
              .map(DocumentWriter::write)
              .filter(matcher::matches)
              .toList());
    }

    @Override
    public void replaceCollection(String database, String collection, DocumentCursor documents) {
      List<BsonDocument> all = new ArrayList<>();
      RawBsonDocument document;
      while ((document = documents.next()) != null) {
        all.add(document);
      }
      collections.put(collection, all);
    }

    @Override
    public void merge(String database, String collection, List<MergeWrite> batch) {
      writes.addAll(batch);
    }
  }

  private static List<RawBsonDocument> run(
      List<BsonDocument> stages, List<BsonDocument> input, PipelineEnvironment world) {
    List<RawBsonDocument> raws = input.stream().map(DocumentWriter::write).toList();
    List<RawBsonDocument> result = new ArrayList<>();
    try (DocumentCursor cursor =
        Pipeline.compile(stages, TARGET, context()).run(DocumentCursor.of(raws), world)) {
      RawBsonDocument document;
      while ((document = cursor.next()) != null) {
        result.add(document);
      }
    }
    return result;
  }

  private static String run(String stages, String input) {
    return shown(run(docs(stages), docs(input), PipelineEnvironment.NONE));
  }

  private static String shown(List<? extends BsonDocument> documents) {
    return json(new BsonDocument("r", new BsonArray(documents)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | [{a: 1}] | [{a: 1}]",
        "[{$match: {a: 1}}] | [{a: 1}, {a: 2}] | [{a: 1}]",
        "[{$skip: 6}] | [{a:0},{a:1},{a:2},{a:3},{a:4},{a:5},{a:6},{a:7},{a:8},{a:9}] | [{a: 6},"
            + " {a: 7}, {a: 8}, {a: 9}]",
        "[{$sort: {a: -1}}, {$limit: 2}] | [{a: 1}, {a: 3}, {a: 2}] | [{a: 3}, {a: 2}]",
        "[{$sort: {a: 1}}, {$skip: 1}, {$limit: 1}] | [{a: 1}, {a: 3}, {a: 2}] | [{a: 2}]",
        "[{$group: {_id: '$k', n: {$sum: '$v'}, m: {$avg: '$v'}}}] | [{k: 'a', v: 1}, {k: 'b', v:"
            + " 2}, {k: 'a', v: 4}] | [{_id: 'a', n: 5, m: 2.5}, {_id: 'b', n: 2, m: 2.0}]",
        "[{$group: {_id: null, n: {$sum: 1}, c: {$count: {}}}}] | [{}, {}] | [{_id: null, n: 2, c:"
            + " 2}]",
        "[{$group: {_id: {p: '$h.p'}, n: {$sum: 1}}}] | [{}, {h: null}, {h: {}}, {h: {p: null}},"
            + " {h: {p: 'x'}}] | [{_id: {p: null}, n: 4}, {_id: {p: 'x'}, n: 1}]",
        "[{$group: {_id: '$a', f: {$first: '$v'}, l: {$last: '$v'}, mi: {$min: '$v'}, ma: {$max:"
            + " '$v'}}}] | [{v: 2}, {v: 1}, {v: 3}, {}] | [{_id: null, f: 2, l: null, mi: 1, ma:"
            + " 3}]",
        "[{$group: {_id: 1, p: {$push: '$v'}, s: {$addToSet: '$v'}}}] | [{v: 2}, {v: 2.0}, {}, {v:"
            + " 3}] | [{_id: 1, p: [2, 2.0, 3], s: [2, 3]}]",
        "[{$group: {_id: '$v'}}] | [{v: 1}, {v: 1.0}, {v: {$numberLong: '1'}}] | [{_id: 1}]",
        "[{$group: {_id: 1, t: {$topN: {output: '$v', sortBy: {v: -1}, n: 2}}, b: {$bottom:"
            + " {output: '$v', sortBy: {v: -1}}}}}] | [{v: 2}, {v: 1}, {v: 3}] | [{_id: 1, t: [3,"
            + " 2], b: 1}]",
        "[{$group: {_id: 1, f: {$firstN: {input: '$v', n: 2}}, m: {$maxN: {input: '$v', n: 2}}, d:"
            + " {$stdDevPop: '$v'}}}] | [{v: 1}, {v: 3}] | [{_id: 1, f: [1, 3], m: [3, 1], d:"
            + " 1.0}]",
        "[{$group: {_id: 1, m: {$median: {input: '$v', method: 'approximate'}}}}] | [{v: 1}, {v:"
            + " 3}, {v: 2}] | [{_id: 1, m: 2.0}]",
        "[{$project: {a: 1}}] | [{_id: 1, a: 2, b: 3}] | [{_id: 1, a: 2}]",
        "[{$project: {a: 0}}] | [{_id: 1, a: 2, b: 3}] | [{_id: 1, b: 3}]",
        "[{$project: {_id: 0, s: {$add: ['$a', '$b']}, 'c.d': 1}}] | [{_id: 1, a: 2, b: 3, c: {d:"
            + " 1, e: 2}}] | [{c: {d: 1}, s: 5}]",
        "[{$project: {x: '$nope', y: '$$REMOVE', z: {$literal: '$a'}}}] | [{_id: 1}] | [{_id: 1, z:"
            + " '$a'}]",
        "[{$project: {'a.b': 1}}] | [{a: [{b: 1, c: 2}, 5, {c: 1}]}] | [{a: [{b: 1}, {}]}]",
        "[{$set: {'a.b': 5}}] | [{a: [1, {c: 2}]}] | [{a: [{b: 5}, {c: 2, b: 5}]}]",
        "[{$addFields: {b: 1, a: '$$REMOVE'}}] | [{a: 1, c: 2}] | [{c: 2, b: 1}]",
        "[{$unset: ['a', 'b.c']}] | [{a: 1, b: {c: 1, d: 2}}] | [{b: {d: 2}}]",
        "[{$count: 'n'}] | [{}, {}] | [{n: 2}]",
        "[{$count: 'n'}] | [] | []",
        "[{$unwind: '$a'}] | [{a: [1, 2]}, {}, {a: []}, {a: 5}] | [{a: 1}, {a: 2}, {a: 5}]",
        "[{$unwind: {path: '$a', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i'}}] | [{a:"
            + " [1, 2]}, {}, {a: []}, {a: 5}] | [{a: 1, i: {$numberLong: '0'}}, {a: 2, i:"
            + " {$numberLong: '1'}}, {i: null}, {i: null}, {a: 5, i: null}]",
        "[{$replaceRoot: {newRoot: '$a'}}] | [{a: {b: 1}}] | [{b: 1}]",
        "[{$replaceWith: {$mergeObjects: ['$a', {c: 2}]}}] | [{a: {b: 1}}] | [{b: 1, c: 2}]",
        "[{$sortByCount: '$k'}] | [{k: 'a'}, {k: 'b'}, {k: 'b'}] | [{_id: 'b', count: 2}, {_id:"
            + " 'a', count: 1}]",
        "[{$facet: {n: [{$count: 'c'}], s: [{$sort: {a: -1}}, {$limit: 1}]}}] | [{a: 1}, {a: 2}] |"
            + " [{n: [{c: 2}], s: [{a: 2}]}]",
        "[{$bucket: {groupBy: '$a', boundaries: [0, 5, 10], default: 'other'}}] | [{a: 1}, {a: 5},"
            + " {a: 7}, {a: 100}] | [{_id: 0, count: 1}, {_id: 5, count: 2}, {_id: 'other', count:"
            + " 1}]",
        "[{$bucketAuto: {groupBy: '$a', buckets: 2}}] | [{a: 1}, {a: 2}, {a: 3}, {a: 4}] | [{_id:"
            + " {min: 1, max: 3}, count: 2}, {_id: {min: 3, max: 4}, count: 2}]",
        "[{$sort: {'d.v': 1, _id: 1}}, {$project: {_id: 1}}] | [{_id: 1, d: [{v: {$minKey: 1}}, {v:"
            + " {$maxKey: 1}}]}, {_id: 2, d: [{v: 3}]}, {_id: 3, d: {v: []}}, {_id: 4, d: []},"
            + " {_id: 5, d: [{v: null}]}, {_id: 6, d: {v: [4, 7]}}] | [{_id: 1}, {_id: 3}, {_id:"
            + " 4}, {_id: 5}, {_id: 2}, {_id: 6}]",
      })
  void a_pipeline_gives_what_mongodb_gives(String stages, String input, String output) {
    assertThat(run(stages, input)).isEqualTo(shown(docs(output)));
  }

  @ParameterizedTest(name = "{0} fails with {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{$foo: 1}] | 40324",
        "[{}] | 40323",
        "[{$match: {}, $limit: 1}] | 40323",
        "[{$out: 'x'}, {$match: {}}] | 40601",
        "[{$limit: 0}] | 15958",
        "[{$limit: -1}] | 5107201",
        "[{$skip: -1}] | 5107200",
        "[{$match: 5}] | 15959",
        "[{$sort: {}}] | 15976",
        "[{$sort: {a: 2}}] | 15975",
        "[{$group: {n: {$sum: 1}}}] | 15955",
        "[{$group: {_id: 1, n: 5}}] | 40234",
        "[{$group: {_id: 1, n: {$foo: 5}}}] | 15952",
        "[{$group: {_id: 1, 'a.b': {$sum: 5}}}] | 40235",
        "[{$group: {_id: 1, a: {$sum: [1, 2]}}}] | 40237",
        "[{$project: {}}] | 51272",
        "[{$project: {a: 1, b: 0}}] | 31254",
        "[{$project: {a: 0, b: 1}}] | 31253",
        "[{$project: {a: 1, 'a.b': 1}}] | 31249",
        "[{$project: {a: {$foo: 1}}}] | 168",
        "[{$count: ''}] | 40157",
        "[{$unwind: 'a'}] | 28818",
        "[{$unwind: {}}] | 28812",
        "[{$replaceRoot: {newRoot: '$a'}}] | 40228",
        "[{$facet: {}}] | 40169",
        "[{$facet: {a: [{$out: 'x'}]}}] | 40600",
        "[{$lookup: {from: 'x'}}] | 9",
        "[{$bucket: {groupBy: '$a', boundaries: [5, 1]}}] | 40194",
        "[{$sample: {}}] | 28749",
        "[{$currentOp: {}}] | 40324",
        "[{$match: {}}, {$indexStats: {}}] | 40602",
        "[{$project: {x: {$divide: ['$a', 0]}}}] | 2",
        "[{$project: {x: {$add: ['$s', 1]}}}] | 14",
      })
  void a_bad_pipeline_is_refused_with_mongodbs_code(String stages, int code) {
    fails(code, () -> run(stages, "[{a: 1, s: 'x'}]"));
  }

  @Test
  void lookup_joins_by_equality_and_gives_always_an_array() {
    Collections world = new Collections();
    world.collections.put(
        "f", docs("[{_id: 1, items: [{k: 1}, {k: 2}]}, {_id: 2, items: [{k: 3}]}, {_id: 3}]"));
    String stages =
        "[{$lookup: {from: 'f', localField: 'v', foreignField: 'items.k', as: 'r'}}, {$set: {r:"
            + " '$r._id'}}]";
    assertThat(shown(run(docs(stages), docs("[{v: 1}, {v: 9}, {}, {v: [2, 3]}]"), world)))
        .isEqualTo(
            shown(docs("[{v: 1, r: [1]}, {v: 9, r: []}, {r: [3]}, {v: [2, 3], r: [1, 2]}]")));
  }

  @Test
  void lookup_runs_a_pipeline_with_variables() {
    Collections world = new Collections();
    world.collections.put("f", docs("[{_id: 1, a: 1}, {_id: 2, a: 2}]"));
    String stages =
        "[{$lookup: {from: 'f', let: {w: '$v'}, pipeline: [{$match: {$expr: {$eq: ['$a', '$$w']}}},"
            + " {$project: {a: 1, _id: 0}}], as: 'r'}}]";
    assertThat(shown(run(docs(stages), docs("[{v: 1}, {v: 2}, {v: 3}]"), world)))
        .isEqualTo(shown(docs("[{v: 1, r: [{a: 1}]}, {v: 2, r: [{a: 2}]}, {v: 3, r: []}]")));
  }

  @Test
  void union_out_and_merge_reach_other_collections() {
    Collections world = new Collections();
    world.collections.put("f", docs("[{a: 2}]"));
    assertThat(
            shown(
                run(
                    docs("[{$unionWith: {coll: 'f', pipeline: [{$set: {b: 1}}]}}]"),
                    docs("[{a: 1}]"),
                    world)))
        .isEqualTo(shown(docs("[{a: 1}, {a: 2, b: 1}]")));
    assertThat(run(docs("[{$out: 'g'}]"), docs("[{a: 1}]"), world)).isEmpty();
    assertThat(world.collections.get("g")).hasSize(1);
    assertThat(
            run(docs("[{$merge: {into: 'g', whenMatched: 'replace'}}]"), docs("[{_id: 1}]"), world))
        .isEmpty();
    assertThat(world.writes).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{$match: {v: {$gt: 1}}}, {$group: {_id: '$k', s: {$sum: '$v'}, a: {$avg: '$v'}, n:"
            + " {$count: {}}, mi: {$min: '$v'}, ma: {$max: '$v'}}}, {$sort: {_id: 1}}]",
        "[{$sort: {v: -1}}, {$skip: 1}, {$limit: 3}, {$project: {v: 1}}]",
        "[{$project: {v: 1}}, {$count: 'n'}]",
        "[{$sortByCount: '$k'}, {$sort: {count: -1, _id: 1}}]",
        "[{$group: {_id: '$k', p: {$push: '$v'}}}, {$project: {n: {$size: '$p'}}}, {$sort: {_id:"
            + " 1}}]",
        "[{$group: {_id: {k: '$k'}, a: {$avg: '$nope'}}}, {$sort: {_id: 1}}]",
        "[{$bucket: {groupBy: '$v', boundaries: [0, 3, 100]}}]",
        "[{$match: {v: 1}}]",
      })
  void a_split_pipeline_gives_the_same_as_a_whole_one(String stages) {
    List<BsonDocument> all =
        docs("[{k:'a',v:1},{k:'b',v:2},{k:'a',v:3},{k:'c',v:4},{k:'b',v:5},{k:'a',v:6.5}]");
    Pipeline.Split split = Pipeline.split(docs(stages));
    List<BsonDocument> merged = new ArrayList<>();
    merged.addAll(run(split.shardPart(), all.subList(0, 2), PipelineEnvironment.NONE));
    merged.addAll(run(split.shardPart(), all.subList(2, 6), PipelineEnvironment.NONE));
    if (!split.mergeSort().isEmpty()) {
      merged =
          new ArrayList<>(
              run(
                  List.of(new BsonDocument("$sort", split.mergeSort())),
                  merged,
                  PipelineEnvironment.NONE));
    }
    assertThat(shown(run(split.mergePart(), merged, PipelineEnvironment.NONE)))
        .isEqualTo(shown(run(docs(stages), all, PipelineEnvironment.NONE)));
  }
}
