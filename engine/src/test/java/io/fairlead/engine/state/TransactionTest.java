// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Transaction;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransactionTest {
  private final Store store = new Store();

  private Transaction begin() {
    return store.engine.begin(WriteContext.plain());
  }

  private static void set(Transaction transaction, int id, int value) {
    transaction
        .writes()
        .update(
            NS, UpdateRequest.one(json("{_id: " + id + "}"), json("{$set: {a: " + value + "}}")));
  }

  private long countIn(Transaction transaction, String filter) {
    return transaction
        .writes()
        .snapshot()
        .count(NS, FindRequest.matching(json(filter)), store.engine.operation());
  }

  @Test
  void its_writes_are_its_own_until_it_commits() {
    store.index("{a: 1}").insert("{_id: 1, a: 1}");
    Transaction transaction = begin();
    set(transaction, 1, 2);
    transaction.writes().insert(NS, json("{_id: 2, a: 2}"));
    assertThat(countIn(transaction, "{a: 2}")).isEqualTo(2);
    assertThat(store.count("{a: 2}")).isZero();
    transaction.commit();
    assertThat(store.count("{a: 2}")).isEqualTo(2);
    assertThat(transaction.isOpen()).isFalse();
    store.check();
  }

  @Test
  void it_does_not_see_what_others_commit_meanwhile() {
    store.insert("{_id: 1, a: 1}");
    Transaction transaction = begin();
    store.insert("{_id: 2, a: 1}");
    store.updateOne("{_id: 1}", "{$set: {a: 5}}");
    assertThat(countIn(transaction, "{a: 1}")).isEqualTo(1);
    transaction.abort();
  }

  @Test
  void its_commit_keeps_what_others_wrote_elsewhere() {
    store.insert("{_id: 1, a: 1}", "{_id: 2, a: 1}");
    Transaction transaction = begin();
    set(transaction, 1, 7);
    store.updateOne("{_id: 2}", "{$set: {a: 8}}");
    store.insert("{_id: 3, a: 9}");
    store.index("{a: 1}");
    transaction.commit();
    assertThat(store.find(FindRequest.all().withSort(json("{_id: 1}"))))
        .containsExactly(
            "{\"_id\": 1, \"a\": 7}", "{\"_id\": 2, \"a\": 8}", "{\"_id\": 3, \"a\": 9}");
    store.check();
  }

  @Test
  void the_first_touch_of_what_was_written_since_is_a_conflict() {
    store.insert("{_id: 1, a: 1}");
    Transaction transaction = begin();
    store.updateOne("{_id: 1}", "{$set: {a: 2}}");
    conflict(() -> set(transaction, 1, 3));
    transaction.abort();
    assertThat(store.count("{a: 2}")).isEqualTo(1);
  }

  @Test
  void of_two_transactions_the_second_to_touch_meets_a_conflict() {
    store.insert("{_id: 1, a: 1}");
    Transaction first = begin();
    Transaction second = begin();
    set(first, 1, 2);
    conflict(() -> set(second, 1, 3));
    conflict(() -> second.writes().delete(NS, DeleteRequest.one(json("{_id: 1}"))));
    second.abort();
    first.commit();
    assertThat(store.count("{a: 2}")).isEqualTo(1);
  }

  @Test
  void a_unique_key_is_taken_by_the_first_and_free_after_its_abort() {
    store.index("{u: 1}", "{unique: true}");
    Transaction first = begin();
    Transaction second = begin();
    first.writes().insert(NS, json("{_id: 1, u: 1}"));
    conflict(() -> second.writes().insert(NS, json("{_id: 2, u: 1}")));
    first.abort();
    second.abort();
    store.insert("{_id: 3, u: 1}").check();
    Transaction third = begin();
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> third.writes().insert(NS, json("{_id: 4, u: 1}")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(11000));
    third.abort();
  }

  @Test
  void unique_keys_may_move_between_its_documents() {
    store.index("{u: 1}", "{unique: true}").insert("{_id: 1, u: 1}", "{_id: 2, u: 2}");
    Transaction transaction = begin();
    var writes = transaction.writes();
    writes.update(NS, UpdateRequest.one(json("{_id: 1}"), json("{$set: {u: 0}}")));
    writes.update(NS, UpdateRequest.one(json("{_id: 2}"), json("{$set: {u: 1}}")));
    writes.update(NS, UpdateRequest.one(json("{_id: 1}"), json("{$set: {u: 2}}")));
    transaction.commit();
    assertThat(store.count("{_id: 1, u: 2}")).isEqualTo(1);
    store.check();
  }

  @Test
  void a_single_write_waits_for_the_transaction_that_has_its_document() throws Exception {
    store.insert("{_id: 1, a: 0}");
    Transaction transaction = begin();
    set(transaction, 1, 10);
    Thread single =
        Thread.ofVirtual()
            .name("single")
            .start(() -> store.updateOne("{_id: 1}", "{$inc: {a: 1}}"));
    assertThat(single.join(Duration.ofMillis(50))).isFalse();
    transaction.commit();
    assertThat(single.join(Duration.ofSeconds(30))).isTrue();
    assertThat(store.find("{}")).containsExactly("{\"_id\": 1, \"a\": 11}");
  }

  @Test
  void it_may_create_a_collection_and_an_abort_leaves_none() {
    Namespace other = Namespace.of("db", "new");
    Transaction transaction = begin();
    transaction.writes().insert(other, json("{_id: 1}"));
    assertThat(store.engine.snapshot().collection(other)).isEmpty();
    transaction.abort();
    assertThat(store.engine.snapshot().collection(other)).isEmpty();
    Transaction again = begin();
    again.writes().insert(other, json("{_id: 1}"));
    again.commit();
    assertThat(store.engine.snapshot().findById(other, new BsonInt32(1))).isNotNull();
    Transaction dropping = begin();
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> dropping.writes().dropCollection(other))
        .satisfies(e -> assertThat(e.code()).isEqualTo(263));
    dropping.abort();
  }

  @Test
  void nothing_can_be_done_after_its_end() {
    Transaction transaction = begin();
    transaction.commit();
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(transaction::commit)
        .satisfies(e -> assertThat(e.code()).isEqualTo(251));
    assertThatExceptionOfType(EngineException.class).isThrownBy(transaction::writes);
    transaction.abort();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void money_is_neither_made_nor_lost(long seed) throws Exception {
    int accounts = 8;
    store.index("{a: 1}");
    for (int i = 0; i < accounts; i++) {
      store.insert("{_id: " + i + ", a: 100}");
    }
    AtomicInteger conflicts = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Random random = new Random(seed * 100 + t);
      threads.add(
          Thread.ofVirtual()
              .name("transfer-" + t)
              .start(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      int from = random.nextInt(accounts);
                      int to = random.nextInt(accounts);
                      Transaction transaction = begin();
                      try {
                        assertThat(total(transaction)).isEqualTo(100L * accounts);
                        var writes = transaction.writes();
                        writes.update(
                            NS,
                            UpdateRequest.one(
                                json("{_id: " + from + "}"), json("{$inc: {a: -1}}")));
                        writes.update(
                            NS,
                            UpdateRequest.one(json("{_id: " + to + "}"), json("{$inc: {a: 1}}")));
                        if (random.nextInt(5) == 0) {
                          transaction.abort();
                        } else {
                          transaction.commit();
                        }
                      } catch (EngineException e) {
                        assertThat(e.code()).isEqualTo(112);
                        assertThat(e.labels()).contains("TransientTransactionError");
                        conflicts.incrementAndGet();
                        transaction.abort();
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    }
    assertThat(total(begin())).isEqualTo(100L * accounts);
    store.check();
  }

  private long total(Transaction transaction) {
    var cursor =
        transaction.writes().snapshot().find(NS, FindRequest.all(), store.engine.operation());
    long sum = 0;
    for (var next = cursor.next(); next != null; next = cursor.next()) {
      sum += next.getNumber("a").longValue();
    }
    return sum;
  }

  private static void conflict(ThrowingCallable call) {
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(call)
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(112);
              assertThat(e.labels()).containsExactly("TransientTransactionError");
            });
  }
}
