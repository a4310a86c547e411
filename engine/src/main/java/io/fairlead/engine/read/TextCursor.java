// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.index.KeyValues;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.plan.ByteRange;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.value.Metadata;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The records that have one of the words of a text search and pass its phrases and negations, each
 * with the sum of its words' scores. In the order of the records.
 */
final class TextCursor extends RecordCursor {
  /** How many entries are read between two questions whether to go on. */
  private static final int CHECK_EVERY = 128;

  private final CollectionState collection;
  private final Access.Text access;
  private final Counters counters;
  private final Interrupt interrupt;
  private @Nullable Iterator<Map.Entry<byte[], Double>> found;

  TextCursor(
      CollectionState collection, Access.Text access, Counters counters, Interrupt interrupt) {
    this.interrupt = interrupt;
    this.collection = collection;
    this.access = access;
    this.counters = counters;
  }

  @Override
  public boolean next() {
    Iterator<Map.Entry<byte[], Double>> rest = found;
    if (rest == null) {
      rest = scores().entrySet().iterator();
      found = rest;
    }
    while (rest.hasNext()) {
      Map.Entry<byte[], Double> next = rest.next();
      byte[] bytes = collection.records().get(next.getKey());
      counters.documentsExamined++;
      if (bytes != null && access.search().accepts(new RawBsonDocument(bytes))) {
        record = next.getKey();
        document = bytes;
        metadata = Metadata.score(next.getValue());
        return true;
      }
    }
    return false;
  }

  private Map<byte[], Double> scores() {
    Map<byte[], Double> scores = new TreeMap<>(Arrays::compareUnsigned);
    TreeCursor<Void> cursor = access.index().entries().cursor();
    for (ByteRange range : access.ranges()) {
      byte[] to = range.to();
      boolean more = cursor.seek(range.from());
      while (more && (to == null || Arrays.compareUnsigned(cursor.key(), to) < 0)) {
        if (++counters.keysExamined % CHECK_EVERY == 0) {
          interrupt.check();
        }
        byte[] key = cursor.key();
        // behind the word
        double score = KeyValues.positive(key, range.from().length);
        byte[] id = Arrays.copyOfRange(key, RecordIds.start(key), RecordIds.end(key));
        scores.merge(id, score, Double::sum);
        more = cursor.next();
      }
    }
    return scores;
  }
}
