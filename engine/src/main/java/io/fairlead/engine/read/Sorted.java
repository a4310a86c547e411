// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.Metadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Records in the order of their sort keys; equal ones in the order in which they came. With a limit
 * only as many are kept at any time. Keys are bytes, so comparing two is comparing memory.
 */
final class Sorted extends RecordCursor {
  /** How much a sort may hold: MongoDB's 100 MiB. */
  static final long BYTES_MAX = 100L * 1024 * 1024;

  private static final int QUERY_EXCEEDED_MEMORY_LIMIT = 292;

  /** Estimated overhead of one kept record. */
  private static final int ROW_BYTES = 64;

  @SuppressWarnings("ArrayRecordComponent") // rows are never compared for equality
  private record Row(
      byte[] key,
      long arrival,
      byte[] record,
      byte[] document,
      byte @Nullable [] entry,
      @Nullable Metadata metadata) {
    static Row of(byte[] key, long arrival, RecordCursor at) {
      return new Row(key, arrival, at.record(), at.document(), at.entry, at.metadata);
    }

    static final Comparator<Row> ORDER =
        (a, b) -> {
          int order = Arrays.compareUnsigned(a.key, b.key);
          return order != 0 ? order : Long.compare(a.arrival, b.arrival);
        };
  }

  private final RecordCursor source;
  private final SortKeys keys;
  private final long most;
  private List<Row> rows = List.of();
  private int at = -1;
  private boolean sorted;

  /**
   * @param most how many of the first are wanted; 0 is all
   */
  Sorted(RecordCursor source, SortKeys keys, long most) {
    this.source = source;
    this.keys = keys;
    this.most = most;
  }

  @Override
  public boolean next() {
    if (!sorted) {
      rows = most > 0 && most <= Integer.MAX_VALUE / 2 ? first() : all();
      sorted = true;
    }
    at++;
    if (at >= rows.size()) {
      return false;
    }
    Row row = rows.get(at);
    record = row.record;
    document = row.document;
    entry = row.entry;
    metadata = row.metadata;
    return true;
  }

  private List<Row> all() {
    List<Row> all = new ArrayList<>();
    long bytes = 0;
    while (source.next()) {
      Row row = Row.of(key(source), all.size(), source);
      bytes += row.key.length + ROW_BYTES;
      checkMemory(bytes);
      all.add(row);
    }
    all.sort(Row.ORDER);
    return all;
  }

  private List<Row> first() {
    // The greatest of those kept is on top, to be thrown out next.
    PriorityQueue<Row> kept = new PriorityQueue<>(Row.ORDER.reversed());
    long arrival = 0;
    long bytes = 0;
    while (source.next()) {
      byte[] key = key(source);
      arrival++;
      if (kept.size() == most) {
        Row greatest = kept.element();
        if (Arrays.compareUnsigned(key, greatest.key) >= 0) {
          continue;
        }
        kept.remove();
        bytes -= greatest.key.length + ROW_BYTES;
      }
      kept.add(Row.of(key, arrival, source));
      bytes += key.length + ROW_BYTES;
      checkMemory(bytes);
    }
    List<Row> rows = new ArrayList<>(kept);
    rows.sort(Row.ORDER);
    return rows;
  }

  private byte[] key(RecordCursor at) {
    try {
      return keys.of(at);
    } catch (EngineException e) {
      if (e.code() == ErrorCodes.CANNOT_INDEX_PARALLEL_ARRAYS) {
        throw new EngineException(
            ErrorCodes.BAD_VALUE,
            "Executor error during find command :: caused by :: cannot sort with keys that are"
                + " parallel arrays");
      }
      throw e;
    }
  }

  private static void checkMemory(long bytes) {
    if (bytes > BYTES_MAX) {
      throw new EngineException(
          QUERY_EXCEEDED_MEMORY_LIMIT,
          "Executor error during find command :: caused by :: Sort exceeded memory limit of "
              + BYTES_MAX
              + " bytes, but did not opt in to external sorting.");
    }
  }
}
