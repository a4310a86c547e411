// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.cursor;

import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.sort.SortKey;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.value.BsonOrder;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.UnaryOperator;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Several cursors as one: in the order of a sort that each of them already has, or one batch after
 * the other.
 */
public final class MergedCursor implements DocumentCursor {

  private final List<? extends DocumentCursor> sources;
  private final @Nullable PriorityQueue<Head> heads;
  private final ArrayDeque<DocumentCursor> turns;
  private final SortPattern sort;
  private final BsonOrder order;
  private boolean begun;

  private record Head(RawBsonDocument document, SortKey key, DocumentCursor source, int index) {}

  private MergedCursor(List<? extends DocumentCursor> sources, SortPattern sort, BsonOrder order) {
    this.sources = sources;
    this.sort = sort;
    this.order = order;
    this.turns = new ArrayDeque<>(sources);
    Comparator<Head> byKey = (a, b) -> sort.compare(a.key(), b.key(), order);
    this.heads = sort.isEmpty() ? null : new PriorityQueue<>(byKey.thenComparingInt(Head::index));
  }

  /**
   * Merges cursors.
   *
   * @param sort how each source is sorted; empty for not at all
   */
  public static DocumentCursor of(
      List<? extends DocumentCursor> sources, SortPattern sort, BsonOrder order) {
    return new MergedCursor(sources, sort, order);
  }

  @Override
  public @Nullable RawBsonDocument next() {
    return heads == null ? nextInTurn() : nextInOrder(heads);
  }

  private @Nullable RawBsonDocument nextInTurn() {
    while (!turns.isEmpty()) {
      RawBsonDocument document = turns.peek().next();
      if (document != null) {
        return document;
      }
      turns.poll();
    }
    return null;
  }

  private @Nullable RawBsonDocument nextInOrder(PriorityQueue<Head> queue) {
    if (!begun) {
      begun = true;
      for (int i = 0; i < sources.size(); i++) {
        pull(queue, sources.get(i), i);
      }
    }
    Head least = queue.poll();
    if (least == null) {
      return null;
    }
    pull(queue, least.source(), least.index());
    return least.document();
  }

  private void pull(PriorityQueue<Head> queue, DocumentCursor source, int index) {
    RawBsonDocument document = source.next();
    if (document != null) {
      queue.add(new Head(document, sort.key(document, order), source, index));
    }
  }

  @Override
  public void close() {
    sources.forEach(DocumentCursor::close);
  }

  /** Leaves out the first documents and stops after a number; a limit of 0 stops never. */
  public static DocumentCursor limited(DocumentCursor source, long skip, long limit) {
    return new DocumentCursor() {
      private long toSkip = skip;
      private long left = limit == 0 ? Long.MAX_VALUE : limit;

      @Override
      public @Nullable RawBsonDocument next() {
        while (toSkip > 0 && source.next() != null) {
          toSkip--;
        }
        toSkip = 0;
        if (left <= 0) {
          return null;
        }
        left--;
        return source.next();
      }

      @Override
      public void close() {
        source.close();
      }
    };
  }

  /** Changes each document. */
  public static DocumentCursor mapped(
      DocumentCursor source, UnaryOperator<RawBsonDocument> change) {
    return new DocumentCursor() {
      @Override
      public @Nullable RawBsonDocument next() {
        RawBsonDocument document = source.next();
        return document == null ? null : change.apply(document);
      }

      @Override
      public void close() {
        source.close();
      }
    };
  }
}
