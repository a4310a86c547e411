// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import io.fairlead.engine.storage.Node.Branch;
import io.fairlead.engine.storage.Node.Leaf;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes new trees out of one. The first change of a node copies it; further changes before the next
 * {@link #tree()} happen in that copy, so that a batch costs little more than a mutable tree. Used
 * by one thread.
 *
 * <p>A node that overflows gives half of its content to a new neighbour on its right, except at the
 * right edge of the tree, where it keeps all: keys that only grow fill their nodes completely.
 */
@SuppressWarnings(
    "ReferenceEquality") // a token is an identity, and an untouched node is the same node
public final class TreeEditor<V> {
  private Tree<V> shown;
  private Node root;
  private Object token = new Object();

  // What the change under way has to tell the callers up the path.
  private @Nullable Node splitOff;
  private byte @Nullable [] splitKey;
  private @Nullable Object previous;
  private int growth;

  TreeEditor(Tree<V> tree) {
    this.shown = tree;
    this.root = tree.root;
  }

  /**
   * The tree as it stands, the same one as before when nothing was changed; later changes do not
   * show in it.
   */
  public Tree<V> tree() {
    if (shown.root != root) {
      token = new Object();
      shown = new Tree<>(root);
    }
    return shown;
  }

  public int size() {
    return root.total();
  }

  /** A position in the content as it stands; not to be used after the next change. */
  public TreeCursor<V> cursor() {
    return new TreeCursor<>(root);
  }

  /** The value under {@code key}, or null. */
  public @Nullable V get(byte[] key) {
    return new Tree<V>(root).get(key);
  }

  /** The least key that is {@code key} or greater, or null. */
  public byte @Nullable [] ceiling(byte[] key) {
    return new Tree<V>(root).ceiling(key);
  }

  /** Puts {@code value} under {@code key} and returns what was there, or null. */
  @SuppressWarnings("unchecked") // only values of V were put
  public @Nullable V put(byte[] key, V value) {
    insert(key, Objects.requireNonNull(value));
    return (V) previous;
  }

  /** Adds a key to a set; false when it was there. */
  public boolean add(byte[] key) {
    insert(key, null);
    return growth == 1;
  }

  /** Removes {@code key} and returns what was there, or null. */
  @SuppressWarnings("unchecked") // only values of V were put
  public @Nullable V remove(byte[] key) {
    delete(key);
    return (V) previous;
  }

  /** Removes a key from a set; false when it was not there. */
  public boolean removeKey(byte[] key) {
    delete(key);
    return growth == -1;
  }

  private void insert(byte[] key, @Nullable Object value) {
    splitOff = null;
    splitKey = null;
    previous = null;
    growth = 0;
    Node left = insert(root, key, value, true);
    Node right = splitOff;
    if (right == null) {
      root = left;
      return;
    }
    Branch above =
        new Branch(
            token,
            2,
            new Node[] {left, right},
            new int[] {left.total(), left.total() + right.total()});
    above.setKeys(Objects.requireNonNull(splitKey));
    root = above;
    splitOff = null;
    splitKey = null;
  }

  private Node insert(Node node, byte[] key, @Nullable Object value, boolean rightEdge) {
    return node instanceof Branch branch
        ? insertBelow(branch, key, value, rightEdge)
        : insertInto((Leaf) node, key, value, rightEdge);
  }

  private Leaf insertInto(Leaf leaf, byte[] key, @Nullable Object value, boolean rightEdge) {
    int found = leaf.find(key, 0, key.length);
    if (found >= 0) {
      if (leaf.values == null) {
        return leaf;
      }
      previous = leaf.values[found];
      Leaf mine = own(leaf);
      Objects.requireNonNull(mine.values)[found] = value;
      return mine;
    }
    growth = 1;
    int at = -found - 1;
    if (leaf.size < Node.WIDTH) {
      return insertAt(leaf, at, key, value);
    }
    if (rightEdge && at == leaf.size) {
      Leaf next = new Leaf(token, 1, leaf.values == null ? null : new @Nullable Object[] {value});
      next.setKeys(key);
      splitOff = next;
      splitKey = separator(leaf, next);
      return leaf;
    }
    int half = Node.WIDTH / 2;
    Leaf right = slice(leaf, half, leaf.size);
    Leaf left = slice(leaf, 0, half);
    if (at < half) {
      left = insertAt(left, at, key, value);
    } else {
      right = insertAt(right, at - half, key, value);
    }
    splitOff = right;
    splitKey = separator(left, right);
    return left;
  }

  /** The shortest key that has all of the one leaf before it, and none of the other. */
  private static byte[] separator(Leaf left, Leaf right) {
    byte[] first = right.key(0);
    return Arrays.copyOf(first, Arrays.mismatch(left.key(left.size - 1), first) + 1);
  }

  private Branch insertBelow(Branch branch, byte[] key, @Nullable Object value, boolean rightEdge) {
    int at = branch.childFor(key, 0, key.length);
    Node before = branch.child(at);
    Node after = insert(before, key, value, rightEdge && at == branch.size - 1);
    Node right = splitOff;
    if (right == null) {
      return after == before && growth == 0 ? branch : replaceChild(branch, at, after, growth);
    }
    byte[] separator = Objects.requireNonNull(splitKey);
    splitOff = null;
    splitKey = null;
    if (branch.size < Node.WIDTH) {
      return insertChild(branch, at, after, separator, right);
    }
    if (rightEdge && at == branch.size - 1) {
      splitOff = new Branch(token, 1, new Node[] {right}, new int[] {right.total()});
      splitKey = separator;
      // The child on the left may have been changed in place, so its count decides and not its
      // identity.
      int difference = after.total() - childTotal(branch, at);
      return after == before && difference == 0
          ? branch
          : replaceChild(branch, at, after, difference);
    }
    int half = Node.WIDTH / 2;
    byte[] middle = branch.key(half - 1);
    Branch rightHalf = slice(branch, half, branch.size);
    Branch leftHalf = slice(branch, 0, half);
    if (at < half) {
      leftHalf = insertChild(leftHalf, at, after, separator, right);
    } else {
      rightHalf = insertChild(rightHalf, at - half, after, separator, right);
    }
    splitOff = rightHalf;
    splitKey = middle;
    return leftHalf;
  }

  private void delete(byte[] key) {
    previous = null;
    growth = 0;
    root = remove(root, key);
    while (root instanceof Branch branch && branch.size == 1) {
      root = branch.child(0);
    }
  }

  private Node remove(Node node, byte[] key) {
    if (node instanceof Leaf leaf) {
      int at = leaf.find(key, 0, key.length);
      if (at < 0) {
        return leaf;
      }
      growth = -1;
      previous = leaf.values == null ? null : leaf.values[at];
      return removeAt(leaf, at);
    }
    Branch branch = (Branch) node;
    int at = branch.childFor(key, 0, key.length);
    Node after = remove(branch.child(at), key);
    if (growth == 0) {
      return branch;
    }
    Branch changed = replaceChild(branch, at, after, growth);
    return after.size < Node.FEWEST && changed.size > 1 ? rebalance(changed, at) : changed;
  }

  /**
   * Joins the child at {@code at} with a neighbour, or shares their content evenly when that is too
   * much for one.
   */
  private Branch rebalance(Branch branch, int at) {
    int leftAt = at == 0 ? 0 : at - 1;
    Node left = branch.child(leftAt);
    Node right = branch.child(leftAt + 1);
    byte[] separator = branch.key(leftAt);
    Node joined = join(left, right, separator);
    if (joined.size <= Node.WIDTH) {
      return mergeChildren(branch, leftAt, joined);
    }
    int half = joined.size / 2;
    Branch mine = own(branch);
    if (joined instanceof Leaf leaf) {
      mine.replaceKey(leftAt, leaf.key(half), mine.size - 1);
      mine.children[leftAt] = slice(leaf, 0, half);
      mine.children[leftAt + 1] = slice(leaf, half, leaf.size);
    } else {
      Branch both = (Branch) joined;
      mine.replaceKey(leftAt, both.key(half - 1), mine.size - 1);
      mine.children[leftAt] = slice(both, 0, half);
      mine.children[leftAt + 1] = slice(both, half, both.size);
    }
    mine.ownCounts()[leftAt] = mine.before(leftAt) + mine.child(leftAt).total();
    return mine;
  }

  private Node join(Node left, Node right, byte[] separator) {
    int size = left.size + right.size;
    if (left instanceof Leaf leftLeaf && right instanceof Leaf rightLeaf) {
      @Nullable Object[] values = null;
      if (leftLeaf.values != null && rightLeaf.values != null) {
        values = new @Nullable Object[size];
        System.arraycopy(leftLeaf.values, 0, values, 0, leftLeaf.size);
        System.arraycopy(rightLeaf.values, 0, values, leftLeaf.size, rightLeaf.size);
      }
      Leaf joined = new Leaf(token, size, values);
      joined.setJoined(left, left.size, right, right.size);
      return joined;
    }
    Branch a = (Branch) left;
    Branch b = (Branch) right;
    @Nullable Node[] children = new Node[size];
    System.arraycopy(a.children, 0, children, 0, a.size);
    System.arraycopy(b.children, 0, children, a.size, b.size);
    Branch joined = counted(size, children);
    joined.setJoined(a, a.size - 1, b, b.size - 1, separator);
    return joined;
  }

  private Branch mergeChildren(Branch branch, int leftAt, Node joined) {
    int size = branch.size - 1;
    @Nullable Node[] children = new Node[size];
    int[] upTo = new int[size];
    System.arraycopy(branch.children, 0, children, 0, leftAt);
    System.arraycopy(branch.upTo, 0, upTo, 0, leftAt);
    children[leftAt] = joined;
    System.arraycopy(branch.children, leftAt + 2, children, leftAt + 1, size - leftAt - 1);
    System.arraycopy(branch.upTo, leftAt + 1, upTo, leftAt, size - leftAt);
    Branch merged = new Branch(token, size, children, upTo);
    merged.setCopy(branch, 0, size, size);
    merged.removeKey(leftAt, size);
    return merged;
  }

  private Branch counted(int size, @Nullable Node[] children) {
    int[] upTo = new int[size];
    int sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Objects.requireNonNull(children[i]).total();
      upTo[i] = sum;
    }
    return new Branch(token, size, children, upTo);
  }

  private static int childTotal(Branch branch, int at) {
    return branch.upTo[at] - branch.before(at);
  }

  private Leaf own(Leaf leaf) {
    if (leaf.owner == token) {
      return leaf;
    }
    return slice(leaf, 0, leaf.size);
  }

  private Branch own(Branch branch) {
    if (branch.owner == token) {
      return branch;
    }
    return new Branch(token, branch);
  }

  private Leaf slice(Leaf leaf, int from, int to) {
    return slice(leaf, from, to, to - from);
  }

  private Leaf slice(Leaf leaf, int from, int to, int room) {
    Leaf slice =
        new Leaf(
            token,
            to - from,
            leaf.values == null ? null : Arrays.copyOfRange(leaf.values, from, from + room));
    slice.setCopy(leaf, from, to, room);
    return slice;
  }

  private Branch slice(Branch branch, int from, int to) {
    return slice(branch, from, to, to - from);
  }

  private Branch slice(Branch branch, int from, int to, int room) {
    int[] upTo = Arrays.copyOfRange(branch.upTo, from, from + room);
    int base = branch.before(from);
    if (base != 0) {
      for (int i = 0; i < upTo.length; i++) {
        upTo[i] -= base;
      }
    }
    Branch slice =
        new Branch(token, to - from, Arrays.copyOfRange(branch.children, from, from + room), upTo);
    slice.setCopy(branch, from, to - 1, room - 1);
    return slice;
  }

  private Leaf insertAt(Leaf leaf, int at, byte[] key, @Nullable Object value) {
    int size = leaf.size;
    Leaf mine = leaf.owner == token ? leaf : slice(leaf, 0, size, size + 1);
    mine.insertKey(at, key, size);
    if (mine.values != null) {
      if (mine.values.length == size) {
        mine.values = Arrays.copyOf(mine.values, grown(size));
      }
      System.arraycopy(mine.values, at, mine.values, at + 1, size - at);
      mine.values[at] = value;
    }
    mine.size = size + 1;
    return mine;
  }

  private Leaf removeAt(Leaf leaf, int at) {
    int size = leaf.size;
    Leaf mine = own(leaf);
    mine.removeKey(at, size);
    if (mine.values != null) {
      System.arraycopy(mine.values, at + 1, mine.values, at, size - 1 - at);
      mine.values[size - 1] = null;
    }
    mine.size = size - 1;
    return mine;
  }

  private Branch replaceChild(Branch branch, int at, Node child, int difference) {
    Branch mine = own(branch);
    mine.children[at] = child;
    if (difference != 0) {
      int[] upTo = mine.ownCounts();
      for (int i = at; i < mine.size; i++) {
        upTo[i] += difference;
      }
    }
    return mine;
  }

  /** Puts {@code left} in the place of the child at {@code at}, and {@code right} after it. */
  private Branch insertChild(Branch branch, int at, Node left, byte[] separator, Node right) {
    int size = branch.size;
    Branch mine = branch.owner == token ? branch : slice(branch, 0, size, size + 1);
    if (mine.children.length == size) {
      mine.children = Arrays.copyOf(mine.children, grown(size));
      mine.upTo = Arrays.copyOf(mine.upTo, grown(size));
    }
    int[] upTo = mine.ownCounts();
    mine.insertKey(at, separator, size - 1);
    System.arraycopy(mine.children, at + 1, mine.children, at + 2, size - 1 - at);
    mine.children[at] = left;
    mine.children[at + 1] = right;
    System.arraycopy(upTo, at, upTo, at + 1, size - at);
    mine.size = size + 1;
    upTo[at] = mine.before(at) + left.total();
    int behind = upTo[at] + right.total() - upTo[at + 1];
    for (int i = at + 1; i <= size; i++) {
      upTo[i] += behind;
    }
    return mine;
  }

  private static int grown(int size) {
    return Math.min(Node.WIDTH, size + size / 2 + 4);
  }
}
