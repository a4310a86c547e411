// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.plan.IdLookup;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.read.Counters;
import io.fairlead.engine.read.Query;
import io.fairlead.engine.read.RecordCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Which documents a write is about. A filter that names one {@code _id} is compiled only when
 * something else than the document is asked of it.
 */
final class Selection {
  private final BsonDocument filter;
  private final OperationContext operation;

  /** Of the one {@code _id} that the filter names, or null. */
  private final byte @Nullable [] id;

  private @Nullable Matcher matcher;

  /**
   * Compiles the filter where it is not one {@code _id}.
   *
   * @param collection the collection as it is now, or null
   * @throws io.fairlead.engine.error.EngineException as {@link Matcher#compile}
   */
  Selection(@Nullable CollectionState collection, BsonDocument filter, OperationContext operation) {
    this.filter = filter;
    this.operation = operation;
    this.id = collection == null ? null : IdLookup.key(collection, filter, operation.order());
    if (id == null) {
      matcher();
    }
  }

  /** A record that shall be written. */
  @SuppressWarnings("ArrayRecordComponent") // never compared for equality
  record Found(byte[] record, byte[] document) {}

  /** The filter, compiled. */
  Matcher matcher() {
    Matcher compiled = matcher;
    if (compiled == null) {
      compiled = Matcher.compile(filter, operation);
      matcher = compiled;
    }
    return compiled;
  }

  /**
   * The records, all of them before the first is changed, so that none is met twice.
   *
   * @param collection the state in which they are looked for
   * @param sort which are the first; empty for any
   * @param most 0 for all
   */
  List<Found> find(
      CollectionState collection, BsonDocument sort, @Nullable BsonValue hint, long most) {
    if (id != null && hint == null && sort.isEmpty()) {
      byte[] entry = IdLookup.entry(collection, id);
      return entry == null
          ? List.of()
          : List.of(
              new Found(
                  Arrays.copyOfRange(entry, RecordIds.start(entry), RecordIds.end(entry)),
                  collection.document(entry)));
    }
    List<Found> found = new ArrayList<>(1);
    Query query = Query.of(collection, matcher(), sort, 0, most, hint, operation);
    RecordCursor cursor = query.counted().run(new Counters());
    while (cursor.next()) {
      found.add(new Found(cursor.record(), cursor.document()));
    }
    return found;
  }
}
