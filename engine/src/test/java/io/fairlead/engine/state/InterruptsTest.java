// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.value.Docs;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever takes long asks now and then whether it may go on, and stops where it may not. */
final class InterruptsTest {
  private static final int DOCUMENTS = 3_000;

  private final Store store = new Store();
  private final AtomicInteger asked = new AtomicInteger();

  @BeforeEach
  void manyDocuments() {
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          for (int i = 0; i < DOCUMENTS; i++) {
            writes.insert(NS, json("{_id: " + i + ", a: " + i % 7 + ", l: [1, 2, " + i + "]}"));
          }
          return true;
        });
  }

  /** Allows so many questions and then ends the operation. */
  private OperationContext operation(int allowed) {
    asked.set(0);
    return store
        .engine
        .operation()
        .withInterrupt(
            () -> {
              if (asked.incrementAndGet() > allowed) {
                throw new EngineException(50, "operation exceeded time limit");
              }
            });
  }

  private void stops(Consumer<OperationContext> body) {
    body.accept(operation(Integer.MAX_VALUE));
    assertThat(asked.get()).as("questions asked").isGreaterThan(2);
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> body.accept(operation(1)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(50));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{filter: {a: 99}}",
        "{filter: {}}",
        "{filter: {l: {$elemMatch: {$gt: 99999}}}}",
        "{filter: {}, sort: {a: 1}}",
        "{filter: {}, sort: {a: 1}, limit: 5}",
        "{filter: {_id: {$gt: -1}}}",
        "{filter: {$or: [{_id: {$gt: 5}}, {_id: {$lt: 9}}]}}",
        "{filter: {$expr: {$eq: ['$a', 99]}}}",
      })
  void a_find(String spec) {
    var find = json(spec);
    FindRequest request =
        FindRequest.matching(find.getDocument("filter"))
            .withSort(find.getDocument("sort", json("{}")))
            .withLimit(find.containsKey("limit") ? 5 : 0);
    stops(operation -> Store.texts(store.engine.snapshot().find(NS, request, operation)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{$match: {a: 99}}]",
        "[{$project: {a: 1}}]",
        "[{$group: {_id: '$_id'}}]",
        "[{$sort: {a: -1}}]",
        "[{$sort: {a: -1}}, {$limit: 3}]",
        "[{$unwind: '$l'}, {$match: {l: -1}}]",
        "[{$lookup: {from: 'c', localField: 'a', foreignField: 'nope', as: 'j'}}, {$unset: 'j'}]",
        "[{$limit: 1}, {$lookup: {from: 'c', pipeline: [{$match: {a: 99}}], as: 'j'}}]",
        "[{$limit: 1}, {$graphLookup: {from: 'c', startWith: '$_id', connectFromField: '_id',"
            + " connectToField: 'nope', as: 'g'}}]",
        "[{$unionWith: 'c'}, {$match: {a: 99}}]",
        "[{$facet: {x: [{$match: {a: 99}}]}}]",
        "[{$bucketAuto: {groupBy: '$a', buckets: 3}}]",
        "[{$bucket: {groupBy: '$a', boundaries: [0, 100]}}]",
        "[{$sortByCount: '$a'}]",
        "[{$match: {a: {$gte: 0}}}, {$count: 'n'}]",
        "[{$sample: {size: 5}}]",
        "[{$redact: '$$PRUNE'}]",
        "[{$setWindowFields: {sortBy: {_id: 1}, output: {s: {$sum: '$a', window: {documents: [-1,"
            + " 1]}}}}}]",
        "[{$densify: {field: '_id', range: {step: 0.5, bounds: 'full'}}}, {$match: {a: 99}}]",
        "[{$fill: {sortBy: {_id: 1}, output: {z: {method: 'locf'}}}}]",
        "[{$limit: 1}, {$project: {x: {$size: {$map: {input: {$range: [0, 5000]}, in: 1}}}}}]",
        "[{$limit: 1}, {$project: {x: {$size: {$filter: {input: {$range: [0, 5000]}, cond: 0}}}}}]",
        "[{$limit: 1}, {$project: {x: {$reduce: {input: {$range: [0, 5000]}, initialValue: 0, in:"
            + " 1}}}}]",
        "[{$limit: 1}, {$densify: {field: '_id', range: {step: 1, bounds: [0, 9000]}}}]",
      })
  void a_pipeline(String stages) {
    AggregateRequest request = AggregateRequest.of(Docs.docs(stages));
    stops(operation -> Store.texts(store.engine.snapshot().aggregate(NS, request, operation)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{a: 99}", "{a: {$lt: 9}}", "{l: 5}", "{l: {$gte: 0}}"})
  void a_count_and_a_distinct(String filter) {
    FindRequest request = FindRequest.matching(json(filter));
    stops(operation -> store.engine.snapshot().count(NS, request, operation));
    stops(operation -> store.engine.snapshot().distinct(NS, "l", request, operation));
  }

  @Test
  void a_count_by_an_index_of_arrays() {
    store.index("{l: 1}");
    FindRequest request = FindRequest.matching(json("{l: {$gte: 0}}"));
    stops(operation -> store.engine.snapshot().count(NS, request, operation));
  }

  @Test
  void writes() {
    stopsWriting(
        writes -> writes.update(NS, UpdateRequest.many(json("{a: 99}"), json("{$set: {z: 1}}"))));
    stopsWriting(
        writes -> writes.update(NS, UpdateRequest.many(json("{}"), json("{$inc: {z: 1}}"))));
    stopsWriting(
        writes ->
            writes.findAndModify(
                NS, FindAndModifyRequest.update(json("{a: 99}"), json("{$set: {z: 1}}"))));
    stopsWriting(writes -> writes.delete(NS, DeleteRequest.many(json("{a: 99}"))));
    long before = store.engine.snapshot().size(NS);
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(
            () ->
                store.engine.write(
                    WriteContext.plain().withOperation(operation(2)),
                    writes -> writes.delete(NS, DeleteRequest.many(json("{}")))));
    assertThat(store.engine.snapshot().size(NS)).isEqualTo(before);
    store.check();
  }

  private void stopsWriting(Consumer<WriteTransaction> body) {
    stops(
        operation ->
            store.engine.write(
                WriteContext.plain().withOperation(operation),
                writes -> {
                  body.accept(writes);
                  return true;
                }));
  }
}
