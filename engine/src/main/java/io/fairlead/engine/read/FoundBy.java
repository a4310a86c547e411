// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.read;

import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.index.IndexKeys;
import io.fairlead.engine.key.RecordIds;
import io.fairlead.engine.plan.QueryPlan.Access;
import io.fairlead.engine.value.Metadata;
import java.util.Arrays;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Where a record was found: its number, and the values of the index entry. */
final class FoundBy {
  private final @Nullable IndexKeys keys;
  private final boolean numbered;

  /**
   * @throws EngineException 115 when several indexes are read, of which no one can be told
   */
  FoundBy(Query query) {
    IndexState index =
        switch (query.plan().access()) {
          case Access.Index access -> access.index();
          case Access.Covered covered -> covered.index().index();
          case Access.Near near -> near.index();
          case Access.Union union ->
              throw new EngineException(
                  ErrorCodes.COMMAND_NOT_SUPPORTED,
                  "the index key of a query that reads several indexes is not supported");
          case Access.Scan scan -> null;
          case Access.Records records -> null;
          case Access.Text text -> null;
          case Access.Nothing nothing -> null;
        };
    keys = index == null ? null : index.definition().reader();
    numbered = query.collection().options().recordKeyField() == null;
  }

  /** What is known of the record at which the cursor stands, with this. */
  Metadata of(RecordCursor record) {
    return Metadata.found(record.metadata(), recordId(record), indexKey(record));
  }

  /** The number of the record; its key where records are ordered by a field. */
  BsonValue recordId(RecordCursor record) {
    byte[] id = record.record();
    return numbered ? new BsonInt64(RecordIds.number(id, 0, id.length)) : new BsonBinary(id);
  }

  /** The values of the entry; empty when no index was read. */
  BsonDocument indexKey(RecordCursor record) {
    byte[] entry = record.entry;
    return keys == null || entry == null
        ? new BsonDocument()
        : keys.values(record.document(), Arrays.copyOf(entry, RecordIds.start(entry)));
  }
}
