// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TreeDifferenceTest {
  private static final int KEYS = 5000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void says_exactly_what_two_trees_do_not_share(long seed) {
    Random random = new Random(seed);
    TreeEditor<Object> editor = Tree.<Object>empty().edit();
    TreeMap<String, Object> content = new TreeMap<>();
    for (int step = 0; step < 60; step++) {
      Tree<Object> before = editor.tree();
      Map<String, Object> was = new HashMap<>(content);
      int changes = step % 3 == 0 ? 1 : random.nextInt(400);
      int from = random.nextInt(KEYS);
      for (int i = 0; i < changes; i++) {
        // In runs, so that nodes split and join; at random places, so that they do not align.
        int number = random.nextInt(4) == 0 ? random.nextInt(KEYS) : (from + i) % KEYS;
        String key = String.format(Locale.ROOT, "%06d", number);
        if (random.nextInt(step % 2 == 0 ? 4 : 2) == 0) {
          editor.remove(bytes(key));
          content.remove(key);
        } else {
          Object value = new Object();
          editor.put(bytes(key), value);
          content.put(key, value);
        }
      }
      check(before, was, editor.tree(), content, "seed " + seed + " step " + step);
    }
  }

  private static void check(
      Tree<Object> before,
      Map<String, Object> was,
      Tree<Object> after,
      Map<String, Object> is,
      String where) {
    Map<String, Object> made = new HashMap<>(was);
    String[] last = {""};
    TreeDifference.between(
        before,
        after,
        (bytes, old, now) -> {
          String key = new String(bytes, StandardCharsets.UTF_8);
          assertThat(key).as(where).isGreaterThan(last[0]);
          last[0] = key;
          assertThat(was.get(key)).as(where).isSameAs(old);
          assertThat(old).as(where).isNotSameAs(now);
          if (now == null) {
            made.remove(key);
          } else {
            made.put(key, now);
          }
        });
    assertThat(made).as(where).isEqualTo(is);
  }

  @Test
  void one_change_in_a_large_tree_is_found_without_walking_it() {
    TreeEditor<Object> editor = Tree.<Object>empty().edit();
    for (int i = 0; i < 200_000; i++) {
      editor.put(bytes(String.format(Locale.ROOT, "%06d", i)), i);
    }
    Tree<Object> before = editor.tree();
    editor.put(bytes("100000"), "changed");
    Tree<Object> after = editor.tree();
    int[] told = {0};
    long start = System.nanoTime();
    for (int i = 0; i < 1000; i++) {
      TreeDifference.between(before, after, (key, old, now) -> told[0]++);
    }
    // A walk over both trees a thousand times would take many seconds.
    assertThat(System.nanoTime() - start).isLessThan(3_000_000_000L);
    assertThat(told[0]).isEqualTo(1000);
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }
}
