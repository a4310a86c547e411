// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeDifference;
import io.fairlead.engine.storage.TreeEditor;
import io.fairlead.engine.write.WriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexBuildTest {
  private final Store store = new Store();

  private void fill(int documents) {
    store.engine.write(
        WriteContext.plain(),
        writes -> {
          for (int i = 0; i < documents; i++) {
            writes.insert(
                NS, new BsonDocument("_id", new BsonInt32(i)).append("a", new BsonInt32(i % 97)));
          }
          return true;
        });
  }

  private void create(List<IndexSpec> specs) {
    store.engine.withPreparedIndexes(
        NS,
        specs,
        () -> store.engine.write(WriteContext.plain(), writes -> writes.createIndexes(NS, specs)));
  }

  @Test
  void what_is_written_between_the_build_and_the_commit_is_in_the_index() {
    fill(2_000);
    List<IndexSpec> specs =
        List.of(IndexSpec.on(json("{a: 1}")), IndexSpec.on(json("{a: -1, _id: 1}")));
    store.engine.withPreparedIndexes(
        NS,
        specs,
        () -> {
          store.updateMany("{_id: {$lt: 300}}", "{$set: {a: [5, 6]}}");
          store.deleteMany("{_id: {$gte: 1900}}");
          store.insert("{_id: 9001, a: 'new'}");
          return store.engine.write(
              WriteContext.plain(), writes -> writes.createIndexes(NS, specs));
        });
    store.check();
    assertThat(store.plan("{a: 'new'}")).contains("IXSCAN");
    assertThat(store.count("{a: 6}")).isGreaterThanOrEqualTo(300);
    assertThat(store.engine.snapshot().indexes(NS)).hasSize(3);
  }

  @Test
  void writers_get_their_turns_while_an_index_is_built() throws InterruptedException {
    fill(60_000);
    AtomicInteger written = new AtomicInteger();
    CountDownLatch built = new CountDownLatch(1);
    CountDownLatch writing = new CountDownLatch(1);
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (built.getCount() > 0) {
                    int next = written.incrementAndGet();
                    store.insert("{_id: 'w" + next + "', a: " + next + "}");
                    writing.countDown();
                  }
                });
    try {
      assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();
      int before = written.get();
      create(List.of(IndexSpec.on(json("{a: 1, _id: -1}")), IndexSpec.on(json("{a: -1}"))));
      assertThat(written.get()).as("writes during the build").isGreaterThan(before + 1);
    } finally {
      built.countDown();
      writer.join();
    }
    store.check();
    assertThat(store.count("{}")).isEqualTo(60_000L + written.get());
  }

  @Test
  void a_duplicate_is_found_whether_it_was_there_or_came_during_the_build() {
    fill(100);
    List<IndexSpec> unique = List.of(IndexSpec.on(json("{u: 1}")).unique());
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(() -> create(unique))
        .satisfies(e -> assertThat(e.code()).isEqualTo(11000));
    for (int i = 0; i < 100; i++) {
      store.updateOne("{_id: " + i + "}", "{$set: {u: " + i + "}}");
    }
    assertThatExceptionOfType(EngineException.class)
        .isThrownBy(
            () ->
                store.engine.withPreparedIndexes(
                    NS,
                    unique,
                    () -> {
                      store.insert("{_id: 'twin', u: 7}");
                      return store.engine.write(
                          WriteContext.plain(), writes -> writes.createIndexes(NS, unique));
                    }))
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(11000);
              assertThat(e.getMessage()).contains("dup key: { u: 7 }");
            });
    store.deleteMany("{_id: 'twin'}");
    store.engine.withPreparedIndexes(
        NS,
        unique,
        () -> {
          // The key moves on: free for another as soon as its owner lets go of it.
          store.updateOne("{_id: 7}", "{$set: {u: 'moved'}}");
          store.insert("{_id: 'heir', u: 7}");
          return store.engine.write(
              WriteContext.plain(), writes -> writes.createIndexes(NS, unique));
        });
    store.check();
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void the_differences_of_two_trees_are_found(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 20; round++) {
      TreeMap<String, byte[]> expected = new TreeMap<>();
      TreeEditor<byte[]> editor = Tree.<byte[]>empty().edit();
      for (int i = random.nextInt(3000); i > 0; i--) {
        editor.put(key(random.nextInt(5000)), new byte[] {1});
      }
      Tree<byte[]> before = editor.tree();
      TreeEditor<byte[]> next = before.edit();
      for (int i = random.nextInt(200); i > 0; i--) {
        if (random.nextBoolean()) {
          next.put(key(random.nextInt(5000)), new byte[] {2});
        } else {
          next.remove(key(random.nextInt(5000)));
        }
      }
      Tree<byte[]> after = next.tree();
      for (int i = 0; i < 5000; i++) {
        byte[] was = before.get(key(i));
        byte[] is = after.get(key(i));
        if (!java.util.Arrays.equals(was, is)) {
          expected.put(String.format(java.util.Locale.ROOT, "%05d", i), key(i));
        }
      }
      List<String> found = new ArrayList<>();
      TreeDifference.between(
          before,
          after,
          (key, was, is) -> found.add(new String(key, java.nio.charset.StandardCharsets.UTF_8)));
      assertThat(found).as("seed %s", seed).containsExactlyElementsOf(expected.keySet());
    }
  }

  private static byte[] key(int number) {
    return String.format(java.util.Locale.ROOT, "%05d", number)
        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }
}
