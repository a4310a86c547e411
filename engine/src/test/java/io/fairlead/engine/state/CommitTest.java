// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.commit.CommitParticipant;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

final class CommitTest {
  private static final Namespace LOG = Namespace.of("local", "oplog.rs");

  /** Numbers the commits in a log of its own. */
  private static final class Logger implements CommitParticipant {
    final List<List<Change>> seen = new CopyOnWriteArrayList<>();
    final List<Snapshot> committed = new CopyOnWriteArrayList<>();
    int time;
    boolean refusing;

    @Override
    public boolean owns(Namespace namespace) {
      return namespace.equals(LOG);
    }

    @Override
    public void beforeCommit(WriteContext context, List<Change> changes, WriteTransaction own) {
      if (refusing) {
        throw new EngineException(10107, "not primary");
      }
      for (Change change : changes) {
        time++;
        own.insert(
            LOG,
            json("{}")
                .append("ts", new BsonTimestamp(time, 1))
                .append("ns", new org.bson.BsonString(change.namespace().toString())));
      }
      seen.add(List.copyOf(changes));
    }

    @Override
    public void afterCommit(WriteContext context, List<Change> changes, Snapshot after) {
      committed.add(after);
    }
  }

  private static Logger logged(Engine engine) {
    Logger logger = new Logger();
    engine.write(
        WriteContext.unreplicated(),
        writes -> {
          writes.createCollection(LOG, CollectionOptions.none().withRecordKeyField("ts"));
          return true;
        });
    engine.setCommitParticipant(logger);
    return logger;
  }

  @Test
  void the_participant_sees_changes_in_order_and_writes_in_the_same_commit() {
    Store store = new Store();
    Logger logger = logged(store.engine);
    long version = store.engine.snapshot().version();
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          writes.statement(7);
          writes.insert(NS, json("{_id: 1, a: 1}"));
          writes.update(NS, UpdateRequest.one(json("{_id: 1}"), json("{$set: {a: 2}}")));
          writes.statement(8);
          return writes.deleteById(NS, new BsonInt32(1));
        });
    assertThat(store.engine.snapshot().version()).isEqualTo(version + 1);
    assertThat(store.engine.snapshot().size(LOG)).isEqualTo(4);
    List<Change> changes = logger.seen.getFirst();
    assertThat(changes.get(0)).isInstanceOf(Change.CollectionCreated.class);
    assertThat(((Change.Inserted) changes.get(1)).statement()).isEqualTo(7);
    Change.Updated updated = (Change.Updated) changes.get(2);
    assertThat(updated.before().toJson()).isEqualTo("{\"_id\": 1, \"a\": 1}");
    assertThat(updated.after().toJson()).isEqualTo("{\"_id\": 1, \"a\": 2}");
    assertThat(updated.replacement()).isFalse();
    assertThat(((Change.Deleted) changes.get(3)).statement()).isEqualTo(8);
    assertThat(logger.committed)
        .singleElement()
        .satisfies(s -> assertThat(s.size(LOG)).isEqualTo(4));
    store.check();
  }

  @Test
  void a_write_without_changes_commits_nothing() {
    Store store = new Store().insert("{_id: 1, a: 1}");
    Logger logger = logged(store.engine);
    long version = store.engine.snapshot().version();
    store.updateOne("{_id: 1}", "{$set: {a: 1}}");
    store.deleteMany("{a: 5}");
    assertThat(store.engine.snapshot().version()).isEqualTo(version);
    assertThat(logger.seen).isEmpty();
  }

  @Test
  void what_the_participant_refuses_is_not_committed() {
    Store store = new Store();
    Logger logger = logged(store.engine);
    logger.refusing = true;
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> store.insert("{_id: 1}"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(10107));
    assertThat(store.count("{}")).isZero();
    store.engine.write(WriteContext.unreplicated(), writes -> writes.insert(NS, json("{_id: 1}")));
    assertThat(store.count("{}")).isEqualTo(1);
  }

  @Test
  void commits_of_many_writers_are_numbered_without_gaps() throws Exception {
    Store store = new Store();
    Logger logger = logged(store.engine);
    int writers = 6;
    int each = 200;
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      int writer = w;
      threads.add(
          Thread.ofVirtual()
              .name("writer-" + w)
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      Namespace own = Namespace.of("db", "w" + writer % 3);
                      int id = writer * each + i;
                      store.engine.write(
                          WriteContext.plain(),
                          writes -> {
                            writes.insert(own, json("{_id: " + id + "}"));
                            return writes.insert(NS, json("{_id: " + id + "}"));
                          });
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    }
    assertThat(store.count("{}")).isEqualTo((long) writers * each);
    assertThat(store.engine.snapshot().size(LOG)).isEqualTo(logger.time);
    long last = 0;
    for (Snapshot snapshot : logger.committed) {
      assertThat(snapshot.version()).isGreaterThan(last);
      last = snapshot.version();
    }
    store.check();
  }

  @Test
  void readers_see_whole_commits_only() throws Exception {
    Store store = new Store().insert("{_id: 'a', n: 0}", "{_id: 'b', n: 0}");
    store.index("{n: 1}");
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger torn = new AtomicInteger();
    Thread reader =
        Thread.ofPlatform()
            .name("reader")
            .start(
                () -> {
                  while (!done.get()) {
                    Snapshot snapshot = store.engine.snapshot();
                    RawBsonDocument a =
                        Objects.requireNonNull(snapshot.findById(NS, new org.bson.BsonString("a")));
                    RawBsonDocument b =
                        Objects.requireNonNull(snapshot.findById(NS, new org.bson.BsonString("b")));
                    long found =
                        snapshot.count(
                            NS,
                            FindRequest.matching(json("{}").append("n", a.get("n"))),
                            store.engine.operation());
                    if (!Objects.equals(a.get("n"), b.get("n")) || found != 2) {
                      torn.incrementAndGet();
                    }
                  }
                });
    for (int i = 1; i <= 2_000; i++) {
      store.updateMany("{}", "{$inc: {n: 1}}");
    }
    done.set(true);
    assertThat(reader.join(Duration.ofSeconds(10))).isTrue();
    assertThat(torn).hasValue(0);
  }

  @Test
  void two_writers_cannot_both_take_a_unique_key() throws Exception {
    Store store = new Store().index("{u: 1}", "{unique: true}");
    AtomicInteger taken = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      threads.add(
          Thread.ofVirtual()
              .name("taker-" + w)
              .start(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      try {
                        store.insert("{u: " + i + "}");
                        taken.incrementAndGet();
                      } catch (EngineException e) {
                        assertThat(e.code()).isEqualTo(11000);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    }
    assertThat(taken).hasValue(100);
    store.check();
  }

  @Test
  void a_newer_commit_is_awaited() throws Exception {
    Store store = new Store();
    long version = store.engine.snapshot().version();
    assertThat(store.engine.awaitNewer(version, Duration.ofMillis(1))).isEqualTo(version);
    CountDownLatch waiting = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger();
    Thread waiter =
        Thread.ofVirtual()
            .name("tail")
            .start(
                () -> {
                  waiting.countDown();
                  try {
                    seen.set(
                        (int) (store.engine.awaitNewer(version, Duration.ofSeconds(30)) - version));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
    store.insert("{_id: 1}");
    assertThat(waiter.join(Duration.ofSeconds(30))).isTrue();
    assertThat(seen).hasPositiveValue();
  }

  @Test
  void a_reset_brings_an_earlier_state_back_and_later_snapshots_stay() {
    Store store = new Store().insert("{_id: 1}");
    Snapshot early = store.engine.snapshot();
    store.insert("{_id: 2}").index("{a: 1}");
    Snapshot late = store.engine.snapshot();
    store.engine.resetTo(early, name -> false);
    assertThat(store.count("{}")).isEqualTo(1);
    assertThat(store.engine.snapshot().indexes(NS)).hasSize(1);
    assertThat(late.size(NS)).isEqualTo(2);
    assertThat(store.engine.snapshot().version()).isGreaterThan(late.version());
    store.insert("{_id: 2}", "{_id: 3}").check();
    assertThat(store.count("{}")).isEqualTo(3);
  }

  @Test
  void operations_of_one_moment_draw_different_random_numbers() {
    try (Engine engine =
        Engine.open(
            new EngineOptions(
                () -> Instant.EPOCH, System::nanoTime, new Random(1), Duration.ofMinutes(1)))) {
      assertThat(Set.of(0, 1, 2, 3, 4, 5, 6, 7))
          .extracting(i -> engine.operation().random().nextLong())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void a_turn_that_does_not_come_is_a_write_conflict() {
    Engine engine =
        Engine.open(
            new EngineOptions(
                EngineOptions.defaults().clock(),
                System::nanoTime,
                EngineOptions.defaults().random(),
                Duration.ofMillis(30)));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                engine.write(
                    WriteContext.plain(),
                    writes -> {
                      writes.insert(NS, json("{_id: 1}"));
                      return engine.write(
                          WriteContext.plain(), inner -> inner.insert(NS, json("{_id: 2}")));
                    }));
    engine.write(
        WriteContext.plain(),
        writes -> {
          writes.insert(NS, json("{_id: 1}"));
          Thread other =
              Thread.ofVirtual()
                  .name("other")
                  .start(
                      () ->
                          assertThatExceptionOfType(EngineException.class)
                              .isThrownBy(
                                  () ->
                                      engine.write(
                                          WriteContext.plain(),
                                          inner -> inner.insert(NS, json("{_id: 2}"))))
                              .satisfies(e -> assertThat(e.code()).isEqualTo(112)));
          try {
            assertThat(other.join(Duration.ofSeconds(30))).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return true;
        });
    engine.close();
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(
            () -> engine.write(WriteContext.plain(), inner -> inner.insert(NS, json("{_id: 2}"))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(91));
  }
}
