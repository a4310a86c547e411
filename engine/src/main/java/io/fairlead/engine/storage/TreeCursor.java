// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import io.fairlead.engine.storage.Node.Branch;
import io.fairlead.engine.storage.Node.Leaf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A position in one {@link Tree}, movable in both directions. The moves tell whether there is an
 * entry at the new position; {@link #key()} and {@link #value()} may be called only when there is.
 * Used by one thread.
 */
public final class TreeCursor<V> {
  // 16 nodes of at least 16 children each on a path are more than fit into memory.
  private static final int DEEPEST = 16;

  /** How many bytes come from memory together. */
  private static final int LINE = 64;

  /** How far into a value walks look ahead: where most of what is asked for stands. */
  private static final int LOOKED_AHEAD = 2 * LINE;

  private final Node root;
  private final @Nullable Branch[] path = new Branch[DEEPEST];
  private final int[] at = new int[DEEPEST];
  private int depth;
  private @Nullable Leaf leaf;
  private int index;

  /** What {@link #lookAhead} came to: kept, so that it is not optimized away. */
  int lookedAhead;

  TreeCursor(Node root) {
    this.root = root;
  }

  /** To the first entry. */
  public boolean first() {
    depth = 0;
    descendFirst(root);
    return present();
  }

  /** To the last entry. */
  public boolean last() {
    depth = 0;
    descendLast(root);
    return present();
  }

  /** To the first entry whose key is {@code key} or greater. */
  public boolean seek(byte[] key) {
    depth = 0;
    Node node = root;
    while (node instanceof Branch branch) {
      int child = branch.childFor(key, 0, key.length);
      push(branch, child);
      node = branch.child(child);
    }
    Leaf found = (Leaf) node;
    leaf = found;
    int position = found.find(key, 0, key.length);
    index = position >= 0 ? position : -position - 1;
    return index < found.size || nextLeaf();
  }

  /** To the last entry whose key is less than {@code key}. */
  public boolean seekBefore(byte[] key) {
    if (seek(key)) {
      return previous();
    }
    return last();
  }

  /**
   * To the entry that has {@code rank} entries before it.
   *
   * @throws IndexOutOfBoundsException unless there is such an entry
   */
  public void seekRank(int rank) {
    Objects.checkIndex(rank, root.total());
    depth = 0;
    int remaining = rank;
    Node node = root;
    while (node instanceof Branch branch) {
      int child = branch.childAt(remaining);
      remaining -= branch.before(child);
      push(branch, child);
      node = branch.child(child);
    }
    leaf = (Leaf) node;
    index = remaining;
  }

  /** To the entry after this one. */
  public boolean next() {
    Leaf current = leaf;
    if (current == null) {
      return false;
    }
    index++;
    return index < current.size || nextLeaf();
  }

  /** To the entry before this one. */
  public boolean previous() {
    if (leaf == null) {
      return false;
    }
    index--;
    return index >= 0 || previousLeaf();
  }

  /** Whether the last move found an entry. */
  public boolean present() {
    return leaf != null && index >= 0 && index < leaf.size;
  }

  public byte[] key() {
    return Objects.requireNonNull(leaf, "no entry here").key(index);
  }

  @SuppressWarnings("unchecked") // only values of V were put
  public V value() {
    @Nullable Object[] values =
        Objects.requireNonNull(
            Objects.requireNonNull(leaf, "no entry here").values, "a set has no values");
    return (V) Objects.requireNonNull(values[index]);
  }

  private boolean nextLeaf() {
    while (depth > 0) {
      Branch branch = top();
      int child = at[depth - 1] + 1;
      if (child < branch.size) {
        at[depth - 1] = child;
        descendFirst(branch.child(child));
        lookAhead();
        return true;
      }
      depth--;
    }
    leaf = null;
    return false;
  }

  /**
   * Looks at every value of a leaf that a walk enters. Each lies somewhere else, and whoever walks
   * would wait for the memory of one after another; looked at together they come together.
   */
  private void lookAhead() {
    Leaf entered = leaf;
    @Nullable Object[] values = entered == null ? null : entered.values;
    if (entered == null || values == null) {
      return;
    }
    int seen = 0;
    for (int i = 0; i < entered.size; i++) {
      if (values[i] instanceof byte[] bytes) {
        int end = Math.min(bytes.length, LOOKED_AHEAD);
        for (int at = 0; at < end; at += LINE) {
          seen += bytes[at];
        }
      }
    }
    lookedAhead = seen;
  }

  private boolean previousLeaf() {
    while (depth > 0) {
      Branch branch = top();
      int child = at[depth - 1] - 1;
      if (child >= 0) {
        at[depth - 1] = child;
        descendLast(branch.child(child));
        lookAhead();
        return true;
      }
      depth--;
    }
    leaf = null;
    return false;
  }

  private Branch top() {
    return Objects.requireNonNull(path[depth - 1]);
  }

  private void push(Branch branch, int child) {
    path[depth] = branch;
    at[depth] = child;
    depth++;
  }

  private void descendFirst(Node from) {
    Node node = from;
    while (node instanceof Branch branch) {
      push(branch, 0);
      node = branch.child(0);
    }
    leaf = (Leaf) node;
    index = 0;
  }

  private void descendLast(Node from) {
    Node node = from;
    while (node instanceof Branch branch) {
      push(branch, branch.size - 1);
      node = branch.child(branch.size - 1);
    }
    leaf = (Leaf) node;
    index = node.size - 1;
  }
}
