// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import io.fairlead.engine.storage.Node.Branch;
import io.fairlead.engine.storage.Node.Leaf;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What must be done to one tree to make another of it. Nodes that both share are passed over whole,
 * so the cost follows the difference and not the trees: two walks in step, each of which goes down
 * only where the other is not at the very same node.
 */
@SuppressWarnings("ReferenceEquality") // a shared node and an untouched value are the same object
public final class TreeDifference {
  private TreeDifference() {}

  /** Is told of every key whose value differs, in ascending order. */
  @FunctionalInterface
  public interface Listener<V> {
    /**
     * A difference.
     *
     * @param before null where the key came to be
     * @param after null where the key ceased to be
     */
    void differs(byte[] key, @Nullable V before, @Nullable V after);
  }

  /**
   * Tells how {@code after} differs from {@code before}; values, which both must have, are compared
   * by identity.
   */
  public static <V> void between(Tree<V> before, Tree<V> after, Listener<V> listener) {
    Walk<V> old = new Walk<>(before.root);
    Walk<V> now = new Walk<>(after.root);
    while (!old.atEnd() || !now.atEnd()) {
      step(old, now, listener);
    }
  }

  private static <V> void step(Walk<V> old, Walk<V> now, Listener<V> listener) {
    if (old.atEnd()) {
      if (!now.enter()) {
        listener.differs(now.key(), null, now.value());
        now.next();
      }
      return;
    }
    if (now.atEnd()) {
      if (!old.enter()) {
        listener.differs(old.key(), old.value(), null);
        old.next();
      }
      return;
    }
    Node left = old.pending;
    Node right = now.pending;
    if (left != null && left == right) {
      old.skip();
      now.skip();
      return;
    }
    int order = Arrays.compareUnsigned(old.firstKey(), now.firstKey());
    if (left == null && right == null) {
      entries(order, old, now, listener);
    } else if (order == 0) {
      enterHigher(old, now);
    } else if (order < 0) {
      enterOrTell(old, listener, true);
    } else {
      enterOrTell(now, listener, false);
    }
  }

  private static <V> void entries(int order, Walk<V> old, Walk<V> now, Listener<V> listener) {
    if (order < 0) {
      listener.differs(old.key(), old.value(), null);
      old.next();
    } else if (order > 0) {
      listener.differs(now.key(), null, now.value());
      now.next();
    } else {
      V was = old.value();
      V is = now.value();
      if (was != is) {
        listener.differs(now.key(), was, is);
      }
      old.next();
      now.next();
    }
  }

  /** Down on the side that is above the other, or on both. */
  private static void enterHigher(Walk<?> old, Walk<?> now) {
    int left = old.height();
    int right = now.height();
    if (left >= right) {
      old.enter();
    }
    if (right >= left) {
      now.enter();
    }
  }

  /** This side begins before the other: what is there is not on the other side. */
  private static <V> void enterOrTell(Walk<V> side, Listener<V> listener, boolean old) {
    if (side.enter()) {
      return;
    }
    V value = side.value();
    listener.differs(side.key(), old ? value : null, old ? null : value);
    side.next();
  }

  /** A position before a node that was not entered yet, or at an entry of a leaf. */
  private static final class Walk<V> {
    private static final int DEEPEST = 16;

    private final @Nullable Branch[] path = new Branch[DEEPEST];
    private final int[] at = new int[DEEPEST];
    private int depth;
    private @Nullable Leaf leaf;
    private int index;

    @Nullable Node pending;

    Walk(Node root) {
      if (root.size > 0) {
        pending = root;
      }
    }

    boolean atEnd() {
      return pending == null && leaf == null;
    }

    /** Levels from here down to the entries, which are at 0. */
    int height() {
      int height = 0;
      for (Node node = pending; node != null; height++) {
        node = node instanceof Branch branch ? branch.child(0) : null;
      }
      return height;
    }

    /** The least key from here on. */
    byte[] firstKey() {
      Node node = pending;
      if (node == null) {
        return key();
      }
      while (node instanceof Branch branch) {
        node = branch.child(0);
      }
      return node.key(0);
    }

    byte[] key() {
      return Objects.requireNonNull(leaf).key(index);
    }

    @SuppressWarnings("unchecked") // only values of V were put
    V value() {
      @Nullable Object[] values =
          Objects.requireNonNull(Objects.requireNonNull(leaf).values, "a set has no values");
      return (V) Objects.requireNonNull(values[index]);
    }

    /** Goes into the node that comes next; false when it is at an entry already. */
    boolean enter() {
      Node node = pending;
      if (node == null) {
        return false;
      }
      if (node instanceof Branch branch) {
        path[depth] = branch;
        at[depth] = 0;
        depth++;
        pending = branch.child(0);
      } else {
        pending = null;
        leaf = (Leaf) node;
        index = 0;
      }
      return true;
    }

    /** Past the node that comes next. */
    void skip() {
      pending = null;
      up();
    }

    /** Past the entry here. */
    void next() {
      index++;
      if (index == Objects.requireNonNull(leaf).size) {
        leaf = null;
        up();
      }
    }

    private void up() {
      while (depth > 0) {
        Branch branch = Objects.requireNonNull(path[depth - 1]);
        int child = ++at[depth - 1];
        if (child < branch.size) {
          pending = branch.child(child);
          return;
        }
        depth--;
      }
    }
  }
}
