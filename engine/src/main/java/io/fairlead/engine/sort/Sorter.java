// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.sort;

import io.fairlead.engine.context.MemoryUse;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.RawBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.bson.RawBsonDocument;

/**
 * Sorts documents, or keeps the first few of them in order: with a limit, memory is bounded by it.
 * Documents that compare as equal keep the order in which they came. Not for several threads.
 */
public final class Sorter {
  private static final int HEAP_MAX = 100_000;

  private record Entry(SortKey key, long position, RawBsonDocument document) {}

  private final SortPattern pattern;
  private final OperationContext context;
  private final long most;
  private final Comparator<Entry> order;
  private final List<Entry> all = new ArrayList<>();
  private final PriorityQueue<Entry> best;
  private final boolean bounded;
  private final MemoryUse memory;
  private long position;

  /**
   * Makes one.
   *
   * @param most how many of the sorted documents are wanted
   */
  public Sorter(SortPattern pattern, OperationContext context, long most) {
    this(
        pattern,
        context,
        most,
        new MemoryUse(
            ErrorCodes.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED,
            "Sort exceeded memory limit, but did not opt in to external sorting"));
  }

  /**
   * As {@link #Sorter(SortPattern, OperationContext, long)}.
   *
   * @param memory what it holds is added there
   */
  public Sorter(SortPattern pattern, OperationContext context, long most, MemoryUse memory) {
    this.memory = memory;
    this.pattern = pattern;
    this.context = context;
    this.most = most;
    this.order =
        (a, b) -> {
          int keys = pattern.compare(a.key, b.key, context.order());
          return keys != 0 ? keys : Long.compare(a.position, b.position);
        };
    this.bounded = most <= HEAP_MAX;
    this.best = new PriorityQueue<>(order.reversed());
  }

  public void add(RawBsonDocument document) {
    if ((position & 0x3ff) == 0) {
      context.interrupt().check();
    }
    Entry entry = new Entry(pattern.key(document, context.order()), position++, document);
    if (!bounded) {
      memory.add(bytes(entry));
      all.add(entry);
    } else if (best.size() < most) {
      memory.add(bytes(entry));
      best.add(entry);
    } else if (most > 0 && order.compare(entry, best.element()) < 0) {
      memory.add(bytes(entry) - bytes(best.remove()));
      best.add(entry);
    }
  }

  private static long bytes(Entry entry) {
    return (long) MemoryUse.ROW_BYTES + RawBytes.length(entry.document);
  }

  /** The documents in order. */
  public List<RawBsonDocument> sorted() {
    List<Entry> entries = bounded ? new ArrayList<>(best) : all;
    entries.sort(order);
    return entries.stream().limit(most).map(Entry::document).toList();
  }
}
