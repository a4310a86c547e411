// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import io.fairlead.engine.storage.Node.Branch;
import io.fairlead.engine.storage.Node.Leaf;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two states of a tree. Leaves that both share are passed over whole, so the
 * cost is one step for each leaf and one for each entry of those that are not shared.
 */
public final class TreeChanges {
  /** Told of each difference, in the order of the keys. */
  @FunctionalInterface
  public interface Sink<V> {
    /**
     * One key.
     *
     * @param before null when it was not there
     * @param after null when it is no more
     */
    void change(byte[] key, @Nullable V before, @Nullable V after);
  }

  private TreeChanges() {}

  /** Tells of every key that is in one tree only, or has another value (by identity). */
  public static <V> void between(Tree<V> before, Tree<V> after, Sink<V> sink) {
    Walk<V> old = new Walk<>(before.root);
    Walk<V> now = new Walk<>(after.root);
    while (old.leaf != null || now.leaf != null) {
      if (old.index == 0 && now.index == 0 && isSame(old.leaf, now.leaf)) {
        old.nextLeaf();
        now.nextLeaf();
        continue;
      }
      int order =
          old.leaf == null
              ? 1
              : now.leaf == null ? -1 : Arrays.compareUnsigned(old.key(), now.key());
      if (order < 0) {
        sink.change(old.key(), old.value(), null);
        old.next();
      } else if (order > 0) {
        sink.change(now.key(), null, now.value());
        now.next();
      } else {
        if (!isSame(old.value(), now.value())) {
          sink.change(now.key(), old.value(), now.value());
        }
        old.next();
        now.next();
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // what is not the same object has been replaced
  private static boolean isSame(@Nullable Object a, @Nullable Object b) {
    return a == b;
  }

  /** The entries of one tree, leaf by leaf. */
  private static final class Walk<V> {
    private final ArrayDeque<Node> below = new ArrayDeque<>();
    @Nullable Leaf leaf;
    int index;

    Walk(Node root) {
      below.push(root);
      nextLeaf();
    }

    void nextLeaf() {
      leaf = null;
      index = 0;
      while (!below.isEmpty()) {
        switch (below.pop()) {
          case Leaf found -> {
            if (found.size > 0) {
              leaf = found;
              return;
            }
          }
          case Branch branch -> {
            for (int i = branch.size - 1; i >= 0; i--) {
              below.push(branch.child(i));
            }
          }
        }
      }
    }

    void next() {
      index++;
      if (index == Objects.requireNonNull(leaf).size) {
        nextLeaf();
      }
    }

    byte[] key() {
      return Objects.requireNonNull(leaf).keys[index];
    }

    @SuppressWarnings("unchecked") // only values of V were put
    V value() {
      @Nullable Object[] values = Objects.requireNonNull(Objects.requireNonNull(leaf).values);
      return (V) Objects.requireNonNull(values[index]);
    }
  }
}
