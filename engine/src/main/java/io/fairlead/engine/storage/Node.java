// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link Tree}: either entries in order, or children in order with their counts.
 *
 * <p>A node is immutable for everybody but the editor whose token it carries; an editor drops its
 * token before it shows a tree to anyone. Arrays may be longer than {@code size}; what lies behind
 * is null.
 */
abstract sealed class Node extends Keys {
  /**
   * A node splits rather than hold more. Wide, because a miss in the cache costs more than copying
   * a line of it.
   */
  static final int WIDTH = 64;

  /**
   * After a removal a node holds at least so many, or it is joined with a neighbour (but for the
   * root).
   */
  static final int FEWEST = WIDTH / 4;

  @Nullable Object owner;
  int size;

  Node(@Nullable Object owner, int size) {
    this.owner = owner;
    this.size = size;
  }

  /** Entries in this node and below. */
  abstract int total();

  /** Entries with their values; {@code values} is null in a tree that is a set of keys. */
  static final class Leaf extends Node {
    @Nullable Object @Nullable [] values;

    Leaf(@Nullable Object owner, int size, @Nullable Object @Nullable [] values) {
      super(owner, size);
      this.values = values;
    }

    @Override
    int total() {
      return size;
    }

    /** Where {@code key[from, to)} is, or {@code -(insertion point) - 1}. */
    int find(byte[] key, int from, int to) {
      return search(key, from, to, size);
    }
  }

  /**
   * Children with {@code size - 1} separating keys, each the least key that may be in the child on
   * its right, and the numbers of entries up to and with each child.
   */
  static final class Branch extends Node {
    @Nullable Node[] children;
    int[] upTo;

    /** Whether the counts are another branch's too, which must not see a change of them. */
    private boolean countsBorrowed;

    Branch(@Nullable Object owner, int size, @Nullable Node[] children, int[] upTo) {
      super(owner, size);
      this.children = children;
      this.upTo = upTo;
    }

    /** A copy of a branch that does not change any more. */
    Branch(@Nullable Object owner, Branch source) {
      this(owner, source.size, Arrays.copyOf(source.children, source.size), source.upTo);
      countsBorrowed = true;
      setSame(source);
    }

    /** The counts, to be changed; as many as there is room for children. */
    int[] ownCounts() {
      if (countsBorrowed) {
        upTo = Arrays.copyOf(upTo, children.length);
        countsBorrowed = false;
      }
      return upTo;
    }

    @Override
    int total() {
      return size == 0 ? 0 : upTo[size - 1];
    }

    /** The child in whose range {@code key[from, to)} lies. */
    int childFor(byte[] key, int from, int to) {
      int found = search(key, from, to, size - 1);
      return found >= 0 ? found + 1 : -found - 1;
    }

    /** Entries in children before {@code child}. */
    int before(int child) {
      return child == 0 ? 0 : upTo[child - 1];
    }

    /** The child that holds the entry at {@code rank}, counted within this node. */
    int childAt(int rank) {
      int found = Arrays.binarySearch(upTo, 0, size, rank);
      return found >= 0 ? found + 1 : -found - 1;
    }

    Node child(int index) {
      return Objects.requireNonNull(children[index]);
    }
  }
}
