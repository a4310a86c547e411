// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.geo.NearQuery;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.plan.ByteRange;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.value.Metadata;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Records by their distance from a point, nearest first. The index is read in growing circles: what
 * a circle finds is sorted, and given out as far as nothing nearer can lie outside of it.
 */
final class NearCursor extends RecordCursor {
  /** How many entries the first circle should hold, and each one more than the last. */
  private static final int STEP = 32;

  /** How many entries are read between two questions whether to go on. */
  private static final int CHECK_EVERY = 128;

  @SuppressWarnings("ArrayRecordComponent") // never compared for equality
  private record Found(
      double distance, byte[] record, byte[] document, byte[] entry, Metadata metadata) {}

  private final CollectionState collection;
  private final Access.Near access;
  private final NearQuery near;
  private final Counters counters;
  private final Interrupt interrupt;
  private final double end;
  private final Set<RecordKey> seen = new HashSet<>();
  private final PriorityQueue<Found> waiting =
      new PriorityQueue<>(
          Comparator.comparingDouble(Found::distance)
              .thenComparing(Found::record, Arrays::compareUnsigned));

  /** Everything nearer has been found. */
  private double complete;

  private double radius;

  NearCursor(
      CollectionState collection, Access.Near access, Counters counters, Interrupt interrupt) {
    this.interrupt = interrupt;
    this.collection = collection;
    this.access = access;
    this.near = access.near();
    this.counters = counters;
    this.end = Math.min(near.max(), access.farthest());
    this.radius = access.farthest() / (1 << 20);
    this.complete = -1;
  }

  @Override
  public boolean next() {
    while (true) {
      Found first = waiting.peek();
      if (first != null && first.distance <= complete) {
        waiting.poll();
        record = first.record;
        document = first.document;
        entry = first.entry;
        metadata = first.metadata;
        return true;
      }
      if (complete >= end) {
        return false;
      }
      grow();
    }
  }

  private void grow() {
    Tree<Void> entries = access.index().entries();
    long wanted = (long) seen.size() + STEP;
    List<ByteRange> ranges = access.within().apply(Math.min(radius, end));
    // Where few are, a small circle finds none: the counts say so before anything is read.
    while (radius < end && count(entries, ranges) < wanted) {
      radius *= 1.5;
      ranges = access.within().apply(Math.min(radius, end));
    }
    for (ByteRange range : ranges) {
      read(entries.cursor(), range);
    }
    complete = Math.min(radius, end);
    if (complete >= end) {
      complete = Double.MAX_VALUE;
    }
    radius *= 1.2;
  }

  private static long count(Tree<Void> entries, List<ByteRange> ranges) {
    long count = 0;
    for (ByteRange range : ranges) {
      count += entries.count(range.from(), range.to());
    }
    return count;
  }

  private void read(TreeCursor<Void> cursor, ByteRange range) {
    byte[] to = range.to();
    boolean more = range.from().length == 0 ? cursor.first() : cursor.seek(range.from());
    while (more && (to == null || Arrays.compareUnsigned(cursor.key(), to) < 0)) {
      if (++counters.keysExamined % CHECK_EVERY == 0) {
        interrupt.check();
      }
      byte[] key = cursor.key();
      byte[] id = Arrays.copyOfRange(key, RecordIds.start(key), RecordIds.end(key));
      if (seen.add(new RecordKey(id))) {
        counters.documentsExamined++;
        add(id, collection.document(key), key);
      }
      more = cursor.next();
    }
  }

  private void add(byte[] id, byte[] bytes, byte[] key) {
    double[] least = {-1};
    @Nullable BsonValue[] place = {null};
    access
        .path()
        .visit(
            bytes,
            0,
            true,
            (slice, arrayIndex) -> {
              BsonValue value = slice.value();
              double distance = value == null ? -1 : near.distance(value);
              if (distance >= 0 && (least[0] < 0 || distance < least[0])) {
                least[0] = distance;
                place[0] = value;
              }
              return false;
            });
    BsonValue point = place[0];
    if (point != null && near.reaches(least[0])) {
      waiting.add(
          new Found(least[0], id, bytes, key, Metadata.near(least[0] * near.unit(), point)));
    }
  }
}
