// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.index.KeyValues;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.plan.ByteRange;
import io.fairlead.engine.plan.QueryPlan;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.value.DocumentWriter;
import io.fairlead.engine.value.RawBytes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The cursors at the beginning of a plan. */
final class Sources {
  private Sources() {}

  static RecordCursor of(
      CollectionState collection, Access access, Counters counters, Interrupt interrupt) {
    return switch (access) {
      case Access.Scan scan ->
          new RecordRanges(collection.records(), List.of(ByteRange.ALL), scan.backward(), counters);
      case Access.Records records ->
          new RecordRanges(collection.records(), records.ranges(), records.backward(), counters);
      case Access.Index index when index.idLookup() -> new OneRecord(collection, index, counters);
      case Access.Index index -> new IndexRanges(collection, index, counters);
      case Access.Covered covered -> new CoveredRanges(covered, counters);
      case Access.Near near -> new NearCursor(collection, near, counters, interrupt);
      case Access.Text text -> new TextCursor(collection, text, counters, interrupt);
      case Access.Nothing nothing -> new Nothing();
      case Access.Union union -> new Union(collection, union, counters, interrupt);
    };
  }

  private static final class Nothing extends RecordCursor {
    @Override
    public boolean next() {
      return false;
    }
  }

  /** The record of one {@code _id}. */
  private static final class OneRecord extends RecordCursor {
    private final CollectionState collection;
    private final Access.Index index;
    private final Counters counters;
    private boolean done;

    OneRecord(CollectionState collection, Access.Index index, Counters counters) {
      this.collection = collection;
      this.index = index;
      this.counters = counters;
    }

    @Override
    public boolean next() {
      if (done) {
        return false;
      }
      done = true;
      byte[] entry =
          CollectionState.entryOf(index.index().entries(), index.ranges().getFirst().from());
      if (entry == null) {
        return false;
      }
      counters.keysExamined++;
      counters.documentsExamined++;
      this.entry = entry;
      record = Arrays.copyOfRange(entry, RecordIds.start(entry), RecordIds.end(entry));
      document = collection.document(entry);
      return true;
    }
  }

  /** Walks over ranges of a tree, in one direction. */
  private static final class Ranges<V> {
    private final Tree<V> tree;
    private final TreeCursor<V> cursor;
    private final List<ByteRange> ranges;
    private final boolean backward;
    private int range = -1;
    private boolean inside;

    /** The key here, once someone has asked for it: the tree may have to put it together. */
    private byte @Nullable [] key;

    Ranges(Tree<V> tree, List<ByteRange> ranges, boolean backward) {
      this.tree = tree;
      this.cursor = tree.cursor();
      this.ranges = ranges;
      this.backward = backward;
    }

    boolean next() {
      key = null;
      if (inside) {
        inside = (backward ? cursor.previous() : cursor.next()) && within(current());
        if (inside) {
          return true;
        }
      }
      while (range + 1 < ranges.size()) {
        range++;
        key = null;
        inside = enter(current()) && within(current());
        if (inside) {
          return true;
        }
      }
      return false;
    }

    byte[] key() {
      byte[] known = key;
      if (known == null) {
        known = cursor.key();
        key = known;
      }
      return known;
    }

    V value() {
      return cursor.value();
    }

    /** Passes over entries by their ranks; only before the first {@link #next()}. */
    long skip(long count) {
      long left = count;
      while (left > 0 && range + 1 < ranges.size()) {
        ByteRange next = ranges.get(backward ? ranges.size() - 2 - range : range + 1);
        int from = next.from().length == 0 ? 0 : tree.rank(next.from());
        int to = next.to() == null ? tree.size() : tree.rank(next.to());
        int entries = Math.max(0, to - from);
        if (entries > left) {
          range++;
          // One before the entry that next() is to find.
          cursor.seekRank(backward ? to - (int) left : from + (int) left - 1);
          inside = true;
          return count;
        }
        left -= entries;
        range++;
      }
      return count - left;
    }

    private ByteRange current() {
      return ranges.get(backward ? ranges.size() - 1 - range : range);
    }

    private boolean enter(ByteRange to) {
      if (!backward) {
        return to.from().length == 0 ? cursor.first() : cursor.seek(to.from());
      }
      byte[] end = to.to();
      return end == null ? cursor.last() : cursor.seekBefore(end);
    }

    private boolean within(ByteRange bounds) {
      byte[] end = bounds.to();
      return backward
          ? bounds.from().length == 0 || Arrays.compareUnsigned(key(), bounds.from()) >= 0
          : end == null || Arrays.compareUnsigned(key(), end) < 0;
    }
  }

  /** Records in ranges of their ids. */
  private static final class RecordRanges extends RecordCursor {
    private final Ranges<byte[]> ranges;
    private final Counters counters;

    RecordRanges(
        Tree<byte[]> records, List<ByteRange> bounds, boolean backward, Counters counters) {
      this.ranges = new Ranges<>(records, bounds, backward);
      this.counters = counters;
    }

    @Override
    public boolean next() {
      if (!ranges.next()) {
        return false;
      }
      counters.documentsExamined++;
      record = null;
      document = ranges.value();
      return true;
    }

    @Override
    byte[] recordHere() {
      return ranges.key();
    }

    @Override
    long skip(long count) {
      return ranges.skip(count);
    }
  }

  /** What entries in ranges of an index say by themselves. */
  private static final class CoveredRanges extends RecordCursor {
    private final Access.Covered access;
    private final Ranges<Void> ranges;
    private final Counters counters;

    CoveredRanges(Access.Covered access, Counters counters) {
      Access.Index index = access.index();
      this.access = access;
      this.ranges = new Ranges<>(index.index().entries(), index.ranges(), index.backward());
      this.counters = counters;
    }

    @Override
    public boolean next() {
      if (!ranges.next()) {
        return false;
      }
      counters.keysExamined++;
      byte[] key = ranges.key();
      entry = key;
      record = Arrays.copyOfRange(key, RecordIds.start(key), RecordIds.end(key));
      document =
          RawBytes.bytes(
              DocumentWriter.write(
                  KeyValues.read(
                      key, access.index().index().definition().pattern(), access.fields())));
      return true;
    }

    @Override
    long skip(long count) {
      return ranges.skip(count);
    }
  }

  /** The records of entries in ranges of an index, each once. */
  private static final class IndexRanges extends RecordCursor {
    private final CollectionState collection;
    private final Ranges<Void> ranges;
    private final Counters counters;
    private final @Nullable Set<RecordKey> seen;

    IndexRanges(CollectionState collection, Access.Index index, Counters counters) {
      this.collection = collection;
      this.ranges = new Ranges<>(index.index().entries(), index.ranges(), index.backward());
      this.counters = counters;
      this.seen = index.repeats() ? new HashSet<>() : null;
    }

    @Override
    public boolean next() {
      while (ranges.next()) {
        counters.keysExamined++;
        byte[] entry = ranges.key();
        byte[] found = Arrays.copyOfRange(entry, RecordIds.start(entry), RecordIds.end(entry));
        if (seen == null || seen.add(new RecordKey(found))) {
          counters.documentsExamined++;
          this.entry = entry;
          record = found;
          document = collection.document(entry);
          return true;
        }
      }
      return false;
    }

    @Override
    long skip(long count) {
      return seen == null ? ranges.skip(count) : 0;
    }
  }

  /** What any of several plans leads to, each record once, one plan after the other. */
  private static final class Union extends RecordCursor {
    private final CollectionState collection;
    private final List<QueryPlan> parts;
    private final Counters counters;
    private final Interrupt interrupt;
    private final Set<RecordKey> seen = new HashSet<>();
    private int part;
    private @Nullable RecordCursor current;

    Union(CollectionState collection, Access.Union union, Counters counters, Interrupt interrupt) {
      this.interrupt = interrupt;
      this.collection = collection;
      this.parts = union.parts();
      this.counters = counters;
    }

    @Override
    public boolean next() {
      while (true) {
        RecordCursor source = current;
        if (source == null) {
          if (part == parts.size()) {
            return false;
          }
          source = of(collection, parts.get(part).access(), counters, interrupt);
          part++;
          current = source;
        }
        while (source.next()) {
          if (seen.add(new RecordKey(source.record()))) {
            standAt(source);
            return true;
          }
        }
        current = null;
      }
    }
  }
}
