// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Snapshot;
import io.fairlead.engine.Transaction;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Histories of transactions keep snapshot isolation: whatever the interleaving, each reads the
 * state it began on and its own writes, through scans, indexes and pipelines, and the first to
 * touch a document wins. A failure prints its seed.
 */
final class HistoriesTest {
  private static final int KEYS = 6;

  private final Store store = new Store();

  /** What the engine must do, in the plainest way. */
  private static final class Model {
    final TreeMap<Integer, Integer> committed = new TreeMap<>();
    final Map<Integer, Integer> changedAt = new HashMap<>();

    /** Also where a document came and went in one transaction: whether that counts is open. */
    final Map<Integer, Integer> touchedAt = new HashMap<>();

    int version;
  }

  /** One transaction and what it must see. */
  private static final class Party {
    final Transaction transaction;
    final int begun;
    final TreeMap<Integer, Integer> base;
    final TreeMap<Integer, Integer> view;
    final Set<Integer> touched = new HashSet<>();

    Party(Transaction transaction, Model model) {
      this.transaction = transaction;
      this.begun = model.version;
      this.base = new TreeMap<>(model.committed);
      this.view = new TreeMap<>(model.committed);
    }

    boolean changed(int key) {
      return touched.contains(key) && (base.containsKey(key) || view.containsKey(key));
    }
  }

  @Test
  void interleaved_transactions_see_snapshots_and_the_first_to_touch_wins() {
    for (long seed = 1; seed <= 150; seed++) {
      history(seed);
    }
  }

  private void history(long seed) {
    store.engine.write(WriteContext.plain(), writes -> writes.dropCollection(NS));
    store.index("{v: 1}").index("{v: -1, w: 1}", "{sparse: true}");
    SplittableRandom random = new SplittableRandom(seed);
    Model model = new Model();
    List<Party> open = new ArrayList<>();
    for (int step = 0; step < 80; step++) {
      String what = "seed " + seed + ", step " + step;
      if (open.size() < 3 && random.nextInt(4) == 0) {
        open.add(new Party(store.engine.begin(WriteContext.plain()), model));
      } else if (!open.isEmpty()) {
        step(what, random, model, open);
      }
      assertThat(state(store.engine.snapshot())).as(what).isEqualTo(model.committed);
    }
    open.forEach(party -> party.transaction.abort());
    store.check();
    assertThat(state(store.engine.snapshot())).as("seed %d", seed).isEqualTo(model.committed);
  }

  private void step(String what, SplittableRandom random, Model model, List<Party> open) {
    Party party = open.get(random.nextInt(open.size()));
    int key = random.nextInt(KEYS);
    switch (random.nextInt(8)) {
      case 0, 1 -> reads(what, random, party);
      case 2, 3, 4 -> {
        int value = random.nextInt(100);
        if (Integer.valueOf(value).equals(party.view.get(key))) {
          // an update that changes nothing touches nothing
          break;
        }
        boolean written =
            write(
                what,
                model,
                open,
                party,
                key,
                () ->
                    party
                        .transaction
                        .writes()
                        .update(
                            NS,
                            UpdateRequest.one(
                                    json("{_id: " + key + "}"),
                                    json("{$set: {v: " + value + ", w: " + key + "}}"))
                                .withUpsert(true)));
        if (written) {
          party.view.put(key, value);
        }
      }
      case 5 -> {
        if (party.view.containsKey(key)) {
          boolean deleted =
              write(
                  what,
                  model,
                  open,
                  party,
                  key,
                  () ->
                      party
                          .transaction
                          .writes()
                          .delete(NS, DeleteRequest.one(json("{_id: " + key + "}"))));
          if (deleted) {
            party.view.remove(key);
          }
        }
      }
      case 6 -> {
        party.transaction.commit();
        open.remove(party);
        if (!party.touched.isEmpty()) {
          model.version++;
          for (int touched : party.touched) {
            model.touchedAt.put(touched, model.version);
            if (party.changed(touched)) {
              model.changedAt.put(touched, model.version);
            }
            Integer value = party.view.get(touched);
            if (value == null) {
              model.committed.remove(touched);
            } else {
              model.committed.put(touched, value);
            }
          }
        }
      }
      default -> {
        party.transaction.abort();
        open.remove(party);
      }
    }
  }

  /** Whether it was done; else it had to be a conflict, which ends the transaction. */
  private static boolean write(
      String what, Model model, List<Party> open, Party party, int key, Runnable write) {
    // a document that others put in and took out again is where it was: nowhere
    boolean cameAndWent = !party.base.containsKey(key) && !model.committed.containsKey(key);
    boolean conflict =
        (model.changedAt.getOrDefault(key, 0) > party.begun && !cameAndWent)
            || open.stream().anyMatch(each -> each != party && each.changed(key));
    boolean maybe =
        model.touchedAt.getOrDefault(key, 0) > party.begun
            || open.stream().anyMatch(each -> each != party && each.touched.contains(key));
    Integer code = null;
    try {
      write.run();
    } catch (EngineException e) {
      code = e.code();
      assertThat(e.labels()).as(what).contains("TransientTransactionError");
    }
    if (conflict || code != null) {
      assertThat(code).as("%s: writing %d", what, key).isEqualTo(112);
      assertThat(maybe).as("%s: writing %d", what, key).isTrue();
    }
    if (code != null) {
      party.transaction.abort();
      open.remove(party);
      return false;
    }
    party.touched.add(key);
    return true;
  }

  private void reads(String what, SplittableRandom random, Party party) {
    Snapshot snapshot = party.transaction.writes().snapshot();
    assertThat(state(snapshot)).as("%s: everything", what).isEqualTo(party.view);
    int least = random.nextInt(100);
    FindRequest range = FindRequest.matching(json("{v: {$gte: " + least + "}}"));
    long wanted = party.view.values().stream().filter(value -> value >= least).count();
    assertThat(snapshot.count(NS, range, store.engine.operation()))
        .as("%s: counted by an index", what)
        .isEqualTo(wanted);
    assertThat(Store.texts(snapshot.find(NS, range, store.engine.operation())))
        .as("%s: found by an index", what)
        .hasSize((int) wanted);
    int key = random.nextInt(KEYS);
    assertThat(value(snapshot.findById(NS, new org.bson.BsonInt32(key))))
        .as("%s: by id", what)
        .isEqualTo(party.view.get(key));
    Store.check(snapshot);
  }

  private static @Nullable Integer value(@Nullable RawBsonDocument document) {
    return document == null ? null : document.getInt32("v").getValue();
  }

  private Map<Integer, Integer> state(Snapshot snapshot) {
    Map<Integer, Integer> state = new TreeMap<>();
    try (DocumentCursor cursor = snapshot.find(NS, FindRequest.all(), store.engine.operation())) {
      RawBsonDocument next;
      while ((next = cursor.next()) != null) {
        state.put(next.getInt32("_id").getValue(), next.getInt32("v").getValue());
      }
    }
    return state;
  }

  /** What one transaction saw of two lists, and what it appended to them. */
  private record Seen(List<Integer> x, List<Integer> y, @Nullable Integer appended) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void lists_that_many_append_to_lose_nothing_and_are_read_whole(long seed) throws Exception {
    store.insert("{_id: 'x', l: []}", "{_id: 'y', l: []}");
    ConcurrentLinkedQueue<Seen> history = new ConcurrentLinkedQueue<>();
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int number = t;
      FutureTask<Boolean> task =
          new FutureTask<>(() -> appendAndRead(seed * 10 + number, number, history), true);
      tasks.add(task);
      Thread.ofVirtual().start(task);
    }
    for (FutureTask<Boolean> task : tasks) {
      assertThat(task.get(60, TimeUnit.SECONDS)).isTrue();
    }
    List<Integer> x = list(store.engine.snapshot(), "x");
    List<Integer> y = list(store.engine.snapshot(), "y");
    assertThat(x).as("seed %d", seed).isEqualTo(y).doesNotHaveDuplicates();
    Set<Integer> appended = new HashSet<>();
    for (Seen seen : history) {
      // a prefix of the final list: nothing dirty, nothing lost, both lists at one moment
      assertThat(seen.x).as("seed %d", seed).isEqualTo(seen.y);
      assertThat(x.subList(0, seen.x.size())).as("seed %d", seed).isEqualTo(seen.x);
      if (seen.appended != null) {
        appended.add(seen.appended);
        assertThat(x.get(seen.x.size())).as("seed %d", seed).isEqualTo(seen.appended);
      }
    }
    assertThat(appended).as("seed %d", seed).isNotEmpty();
    assertThat(x).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(appended);
  }

  private void appendAndRead(long seed, int number, ConcurrentLinkedQueue<Seen> history) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 60; i++) {
      Transaction transaction = store.engine.begin(WriteContext.plain());
      try {
        List<Integer> x = list(transaction.writes().snapshot(), "x");
        if (random.nextInt(3) == 0) {
          history.add(new Seen(x, list(transaction.writes().snapshot(), "y"), null));
          transaction.commit();
          continue;
        }
        int element = number * 1000 + i;
        for (String id : List.of("x", "y")) {
          transaction
              .writes()
              .update(
                  NS,
                  UpdateRequest.one(
                      json("{_id: '" + id + "'}"), json("{$push: {l: " + element + "}}")));
        }
        List<Integer> y = list(transaction.writes().snapshot(), "y");
        assertThat(y.getLast()).isEqualTo(element);
        if (random.nextInt(5) == 0) {
          transaction.abort();
        } else {
          transaction.commit();
          history.add(new Seen(x, y.subList(0, y.size() - 1), element));
        }
      } catch (EngineException e) {
        assertThat(e.code()).isEqualTo(112);
        transaction.abort();
      }
    }
  }

  private static List<Integer> list(Snapshot snapshot, String id) {
    RawBsonDocument document = snapshot.findById(NS, new org.bson.BsonString(id));
    List<Integer> elements = new ArrayList<>();
    for (BsonValue each : java.util.Objects.requireNonNull(document).getArray("l")) {
      elements.add(each.asInt32().getValue());
    }
    return elements;
  }
}
