// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.IndexAccesses;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteContext;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often each index is used, and since when that is counted. */
final class IndexUseTest {
  private final Store store = new Store();

  private long used(String name) {
    return accesses(store.engine, name).operations();
  }

  private static IndexAccesses accesses(Engine engine, String name) {
    return engine.snapshot().indexAccesses(NS).stream()
        .filter(each -> each.index().getString("name").getValue().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void every_operation_that_reads_an_index_counts_once() {
    store.index("{a: 1}").index("{b: 1}").insert("{_id: 1, a: 1, b: 2}", "{_id: 2, a: 1, b: 3}");
    assertThat(used("a_1")).isZero();
    store.find("{a: 1}");
    store.count("{a: 1}");
    store.updateMany("{a: 1}", "{$set: {c: 1}}");
    store.aggregate("{$match: {a: 1}}", "{$group: {_id: null, n: {$sum: 1}}}");
    store
        .engine
        .snapshot()
        .distinct(
            NS,
            "b",
            io.fairlead.engine.cursor.FindRequest.matching(json("{a: 1}")),
            store.engine.operation());
    assertThat(used("a_1")).isEqualTo(5);
    assertThat(used("b_1")).isZero();
    store.find("{$or: [{a: 1}, {b: 3}]}");
    assertThat(used("a_1")).isEqualTo(6);
    assertThat(used("b_1")).isEqualTo(1);
    store.find("{_id: 1}");
    assertThat(used("_id_")).isEqualTo(1);
    store.deleteMany("{a: 1}");
    assertThat(used("a_1")).isEqualTo(7);
  }

  @Test
  void reading_everything_and_explaining_use_no_index() {
    store.index("{a: 1}").insert("{_id: 1, a: 1}");
    store.find("{c: 1}");
    store.plan("{a: 1}");
    store.stats(io.fairlead.engine.cursor.FindRequest.matching(json("{a: 1}")));
    assertThat(used("a_1")).isZero();
    assertThat(used("_id_")).isZero();
  }

  @Test
  void each_document_that_is_joined_by_an_index_counts() {
    store.index("{a: 1}").insert("{_id: 1, a: 1}", "{_id: 2, a: 2}", "{_id: 3, a: 3}");
    store.aggregate("{$lookup: {from: 'c', localField: 'a', foreignField: 'a', as: 'j'}}");
    assertThat(used("a_1")).isEqualTo(3);
  }

  @Test
  void counting_begins_anew_when_an_index_is_changed_or_made_again() {
    Instant start = Instant.ofEpochMilli(1_000);
    AtomicReference<Instant> now = new AtomicReference<>(start);
    Engine engine = Engine.open(options(now));
    engine.write(
        WriteContext.plain(),
        writes -> writes.createIndexes(NS, List.of(IndexSpec.on(json("{a: 1}")))));
    assertThat(accesses(engine, "_id_").since()).isEqualTo(start);
    assertThat(accesses(engine, "a_1").since()).isEqualTo(start);
    engine
        .snapshot()
        .count(
            NS, io.fairlead.engine.cursor.FindRequest.matching(json("{a: 1}")), engine.operation());
    assertThat(accesses(engine, "a_1").operations()).isEqualTo(1);
    now.set(start.plusSeconds(5));
    engine.write(
        WriteContext.plain(),
        writes -> writes.modifyCollection(NS, json("{index: {name: 'a_1', hidden: true}}")));
    assertThat(accesses(engine, "a_1").operations()).isZero();
    assertThat(accesses(engine, "a_1").since()).isEqualTo(start.plusSeconds(5));
    assertThat(accesses(engine, "_id_").since()).isEqualTo(start);
    engine.close();
  }

  @Test
  void counting_begins_anew_when_the_data_are_loaded(@TempDir Path directory) {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochMilli(1_000));
    Engine first = Engine.open(options(now), directory);
    first.write(WriteContext.plain(), writes -> writes.insert(NS, new BsonDocument()));
    first.close();
    now.set(Instant.ofEpochMilli(9_000));
    Engine second = Engine.open(options(now), directory);
    assertThat(accesses(second, "_id_").since()).isEqualTo(Instant.ofEpochMilli(9_000));
    second.close();
  }

  @Test
  void a_view_has_no_indexes_and_what_does_not_exist_has_none_either() {
    assertThat(store.engine.snapshot().indexAccesses(Namespace.of("db", "none"))).isEmpty();
    store.insert("{_id: 1}");
    Namespace view = Namespace.of("db", "view");
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          writes.createCollection(
              view,
              io.fairlead.engine.catalog.CollectionOptions.of(json("{viewOn: 'c', pipeline: []}")));
          return true;
        });
    assertThatThrownBy(() -> store.engine.snapshot().indexAccesses(view))
        .isInstanceOfSatisfying(
            EngineException.class, error -> assertThat(error.code()).isEqualTo(166));
  }

  private static EngineOptions options(AtomicReference<Instant> now) {
    return new EngineOptions(
        now::get, System::nanoTime, EngineOptions.defaults().random(), Duration.ofSeconds(5));
  }
}
