// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.storage.Node.Branch;
import io.fairlead.engine.storage.Node.Leaf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TreeTest {
  @Test
  void an_empty_tree_has_nothing_in_either_direction() {
    Tree<String> tree = Tree.empty();
    assertThat(tree.size()).isZero();
    assertThat(tree.get(key("a"))).isNull();
    assertThat(tree.cursor().first()).isFalse();
    assertThat(tree.cursor().last()).isFalse();
    assertThat(tree.cursor().seek(key("a"))).isFalse();
    assertThat(tree.rank(key("a"))).isZero();
    assertThatThrownBy(() -> tree.keyAt(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void bytes_are_ordered_unsigned_and_a_prefix_comes_first() {
    Tree<String> tree =
        Tree.<String>empty()
            .with(new byte[] {(byte) 0x80}, "high")
            .with(new byte[] {0x7f}, "low")
            .with(new byte[] {0x7f, 0}, "longer");
    TreeCursor<String> cursor = tree.cursor();
    List<String> seen = new ArrayList<>();
    for (boolean more = cursor.first(); more; more = cursor.next()) {
      seen.add(cursor.value());
    }
    assertThat(seen).containsExactly("low", "longer", "high");
  }

  @Test
  void growing_keys_fill_their_leaves() {
    TreeEditor<Integer> editor = Tree.<Integer>empty().edit();
    for (int i = 0; i < 10_000; i++) {
      editor.put(key(String.format(java.util.Locale.ROOT, "%08d", i)), i);
    }
    Tree<Integer> tree = editor.tree();
    assertThat(leaves(tree.root)).isEqualTo((10_000 + Node.WIDTH - 1) / Node.WIDTH);
    check(tree.root, null, null);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void any_history_equals_that_of_a_plain_sorted_map(long seed) {
    Random random = new Random(seed);
    int keySpace = 1 << (4 + random.nextInt(12));
    TreeMap<String, Integer> model = new TreeMap<>();
    Tree<Integer> tree = Tree.empty();
    List<Map.Entry<Tree<Integer>, TreeMap<String, Integer>>> kept = new ArrayList<>();
    for (int round = 0; round < 200; round++) {
      TreeEditor<Integer> editor = tree.edit();
      int batch = 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 20);
      boolean shrinking = random.nextInt(4) == 0;
      for (int i = 0; i < batch; i++) {
        String key = String.format(java.util.Locale.ROOT, "%x", random.nextInt(keySpace));
        if (random.nextInt(10) < (shrinking ? 8 : 3)) {
          assertThat(editor.remove(key(key))).isEqualTo(model.remove(key));
        } else {
          int value = random.nextInt();
          assertThat(editor.put(key(key), value)).isEqualTo(model.put(key, value));
        }
        if (random.nextInt(50) == 0) {
          kept.add(Map.entry(editor.tree(), new TreeMap<>(model)));
        }
      }
      tree = editor.tree();
      check(tree.root, null, null);
      if (round % 20 == 0) {
        compare(seed, tree, model, random, keySpace);
      }
    }
    for (Map.Entry<Tree<Integer>, TreeMap<String, Integer>> entry : kept) {
      check(entry.getKey().root, null, null);
      assertThat(content(entry.getKey())).as("snapshot, seed %d", seed).isEqualTo(entry.getValue());
    }
    TreeEditor<Integer> editor = tree.edit();
    for (String key : new ArrayList<>(model.keySet())) {
      editor.remove(key(key));
    }
    assertThat(editor.tree().size()).isZero();
  }

  @Test
  void a_set_keeps_keys_only() {
    TreeEditor<Void> editor = Tree.emptySet().edit();
    assertThat(editor.add(key("b"))).isTrue();
    assertThat(editor.add(key("b"))).isFalse();
    for (int i = 0; i < 500; i++) {
      editor.add(key("k" + i));
    }
    assertThat(editor.removeKey(key("b"))).isTrue();
    assertThat(editor.removeKey(key("b"))).isFalse();
    Tree<Void> tree = editor.tree();
    assertThat(tree.size()).isEqualTo(500);
    assertThat(tree.contains(key("k77"))).isTrue();
    check(tree.root, null, null);
  }

  private static void compare(
      long seed,
      Tree<Integer> tree,
      NavigableMap<String, Integer> model,
      Random random,
      int keySpace) {
    assertThat(content(tree)).as("seed %d", seed).isEqualTo(model);
    assertThat(tree.size()).isEqualTo(model.size());
    for (int i = 0; i < 20; i++) {
      String probe = String.format(java.util.Locale.ROOT, "%x", random.nextInt(keySpace));
      assertThat(tree.get(key(probe))).isEqualTo(model.get(probe));
      assertThat(tree.contains(key(probe))).isEqualTo(model.containsKey(probe));
      assertThat(tree.rank(key(probe))).isEqualTo(model.headMap(probe).size());
      TreeCursor<Integer> cursor = tree.cursor();
      assertThat(cursor.seek(key(probe)) ? text(cursor.key()) : null)
          .isEqualTo(model.ceilingKey(probe));
      assertThat(cursor.seekBefore(key(probe)) ? text(cursor.key()) : null)
          .isEqualTo(model.lowerKey(probe));
      List<String> down = new ArrayList<>();
      for (boolean more = cursor.seekBefore(key(probe));
          more && down.size() < 200;
          more = cursor.previous()) {
        down.add(text(cursor.key()));
      }
      assertThat(down)
          .isEqualTo(
              model.headMap(probe, false).descendingMap().keySet().stream().limit(200).toList());
    }
    int rank = 0;
    for (String key : model.keySet()) {
      if (rank % 37 == 0) {
        assertThat(text(tree.keyAt(rank))).isEqualTo(key);
      }
      rank++;
    }
  }

  private static Map<String, Integer> content(Tree<Integer> tree) {
    TreeMap<String, Integer> content = new TreeMap<>();
    TreeCursor<Integer> cursor = tree.cursor();
    for (boolean more = cursor.first(); more; more = cursor.next()) {
      content.put(text(cursor.key()), cursor.value());
    }
    return content;
  }

  /** Order, bounds, counts and equal depth of everything under a node; returns the depth. */
  private static int check(Node node, byte @Nullable [] from, byte @Nullable [] to) {
    if (node instanceof Leaf leaf) {
      byte[] last = null;
      for (int i = 0; i < leaf.size; i++) {
        byte[] key = Objects.requireNonNull(leaf.key(i));
        holds(last == null || Arrays.compareUnsigned(last, key) < 0);
        holds(from == null || Arrays.compareUnsigned(from, key) <= 0);
        holds(to == null || Arrays.compareUnsigned(key, to) < 0);
        last = key;
      }
      return 0;
    }
    Branch branch = (Branch) node;
    int sum = 0;
    int depth = -1;
    for (int i = 0; i < branch.size; i++) {
      int below =
          check(
              branch.child(i),
              i == 0 ? from : branch.key(i - 1),
              i == branch.size - 1 ? to : branch.key(i));
      holds(depth == -1 || depth == below);
      depth = below;
      sum += branch.child(i).total();
      holds(branch.upTo[i] == sum);
      holds(branch.child(i).size > 0);
    }
    return depth + 1;
  }

  // Called for every entry after every round, where an assertion object would cost more than the
  // tree.
  private static void holds(boolean condition) {
    if (!condition) {
      throw new AssertionError("the tree is broken");
    }
  }

  private static int leaves(Node node) {
    if (node instanceof Branch branch) {
      int sum = 0;
      for (int i = 0; i < branch.size; i++) {
        sum += leaves(branch.child(i));
      }
      return sum;
    }
    return 1;
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
