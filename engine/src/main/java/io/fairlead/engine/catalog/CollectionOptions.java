// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

import java.util.UUID;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What a collection is created with.
 *
 * @param uuid its identity; null lets the engine draw one
 * @param declared the options as the create command gave and listCollections reports them ({@code
 *     capped}, {@code size}, {@code validator}, …); an option the engine does not honour is refused
 *     at creation by name
 * @param recordKeyField a top-level field whose value orders the records and is their key, such as
 *     the oplog's {@code ts}: ranges and sorts on it need no index; null orders records by
 *     insertion. Only for collections that the server itself keeps; not reported
 */
public record CollectionOptions(
    @Nullable UUID uuid, BsonDocument declared, @Nullable String recordKeyField) {
  private static final CollectionOptions NONE =
      new CollectionOptions(null, new BsonDocument(), null);

  /** An ordinary collection. */
  public static CollectionOptions none() {
    return NONE;
  }

  /** The options of a create command. */
  public static CollectionOptions of(BsonDocument declared) {
    return new CollectionOptions(null, declared, null);
  }

  public CollectionOptions withUuid(@Nullable UUID value) {
    return new CollectionOptions(value, declared, recordKeyField);
  }

  public CollectionOptions withRecordKeyField(@Nullable String value) {
    return new CollectionOptions(uuid, declared, value);
  }
}
