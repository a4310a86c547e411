// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import io.fairlead.engine.storage.Node.Branch;
import io.fairlead.engine.storage.Node.Leaf;
import org.jspecify.annotations.Nullable;

/**
 * An immutable ordered map from byte strings (unsigned order) to values, as a B+tree with path
 * copying.
 *
 * <p>A change makes a new tree that shares all but O(log n) nodes with the old one, so a snapshot
 * is a reference and costs only what later trees replaced. Inner nodes count the entries below each
 * child: {@link #rank} and {@link #keyAt} are O(log n), and so is the number of entries in any
 * range. Nodes are wide ({@value Node#WIDTH}): a lookup among a hundred thousand entries touches
 * three of them.
 *
 * <p>Keys and values are kept, not copied: the caller must not change them afterwards.
 *
 * @param <V> what is kept under a key; {@link Void} in a set of keys
 */
public final class Tree<V> {
  private static final Tree<Object> EMPTY_MAP = new Tree<>(new Leaf(null, 0, new Object[0]));
  private static final Tree<Void> EMPTY_SET = new Tree<>(new Leaf(null, 0, null));

  final Node root;

  Tree(Node root) {
    this.root = root;
  }

  /** A map without entries. */
  @SuppressWarnings("unchecked") // holds no value, so it is a map to anything
  public static <V> Tree<V> empty() {
    return (Tree<V>) EMPTY_MAP;
  }

  /** A set without keys: a tree that keeps no values, and no room for them. */
  public static Tree<Void> emptySet() {
    return EMPTY_SET;
  }

  public int size() {
    return root.total();
  }

  public boolean isEmpty() {
    return root.size == 0;
  }

  /** The value under {@code key}, or null. */
  public @Nullable V get(byte[] key) {
    return get(key, 0, key.length);
  }

  /** The value under the key {@code bytes[from, to)}, or null. */
  @SuppressWarnings("unchecked") // only values of V were put
  public @Nullable V get(byte[] bytes, int from, int to) {
    Leaf leaf = leafFor(bytes, from, to);
    int at = leaf.find(bytes, from, to);
    return at < 0 || leaf.values == null ? null : (V) leaf.values[at];
  }

  public boolean contains(byte[] key) {
    return leafFor(key, 0, key.length).find(key, 0, key.length) >= 0;
  }

  /** The least key that is {@code key} or greater, or null. */
  public byte @Nullable [] ceiling(byte[] key) {
    Node node = root;
    Node behind = null;
    while (node instanceof Branch branch) {
      int child = branch.childFor(key, 0, key.length);
      if (child + 1 < branch.size) {
        behind = branch.child(child + 1);
      }
      node = branch.child(child);
    }
    int found = ((Leaf) node).find(key, 0, key.length);
    int at = found >= 0 ? found : -found - 1;
    if (at < node.size) {
      return node.key(at);
    }
    return behind == null ? null : first(behind);
  }

  private static byte[] first(Node node) {
    Node first = node;
    while (first instanceof Branch branch) {
      first = branch.child(0);
    }
    return first.key(0);
  }

  /** How many keys are less than {@code key}. */
  public int rank(byte[] key) {
    int before = 0;
    Node node = root;
    while (node instanceof Branch branch) {
      int child = branch.childFor(key, 0, key.length);
      before += branch.before(child);
      node = branch.child(child);
    }
    int at = ((Leaf) node).find(key, 0, key.length);
    return before + (at >= 0 ? at : -at - 1);
  }

  /** How many keys lie in {@code [from, to)}; null is no bound. */
  public int count(byte @Nullable [] from, byte @Nullable [] to) {
    int end = to == null ? size() : rank(to);
    return Math.max(0, end - (from == null ? 0 : rank(from)));
  }

  /**
   * The key that has {@code rank} keys before it.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= rank < size()}
   */
  public byte[] keyAt(int rank) {
    TreeCursor<V> cursor = cursor();
    cursor.seekRank(rank);
    return cursor.key();
  }

  public TreeCursor<V> cursor() {
    return new TreeCursor<>(root);
  }

  public TreeEditor<V> edit() {
    return new TreeEditor<>(this);
  }

  /** This tree with {@code value} under {@code key}. */
  public Tree<V> with(byte[] key, V value) {
    TreeEditor<V> editor = edit();
    editor.put(key, value);
    return editor.tree();
  }

  /** This tree without {@code key}. */
  public Tree<V> without(byte[] key) {
    TreeEditor<V> editor = edit();
    editor.remove(key);
    return editor.tree();
  }

  private Leaf leafFor(byte[] bytes, int from, int to) {
    Node node = root;
    while (node instanceof Branch branch) {
      node = branch.child(branch.childFor(bytes, from, to));
    }
    return (Leaf) node;
  }
}
