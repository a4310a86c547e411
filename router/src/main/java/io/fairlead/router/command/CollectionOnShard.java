// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.catalog.ShardKey;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.topology.readpreference.ReadPreference;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A sharded collection as one shard has it: made ready for chunks, and looked into. */
final class CollectionOnShard {

  private static final int NAMESPACE_EXISTS = 48;

  private final Asking asking;
  private final Request request;
  private final Namespace namespace;
  private final String shard;

  CollectionOnShard(Asking asking, Request request, Namespace namespace, String shard) {
    this.asking = asking;
    this.request = request;
    this.namespace = namespace;
    this.shard = shard;
  }

  /** Creates the collection and an index that serves the shard key, where they are missing. */
  void prepare(ShardKey key, boolean unique) {
    BsonDocument command = new BsonDocument();
    if (key.pattern().equals(new BsonDocument("_id", new BsonInt32(1)))) {
      command.append("create", new BsonString(namespace.collection()));
    } else {
      BsonDocument index = IndexSpec.on(key.pattern()).declared();
      if (unique) {
        index.append("unique", BsonBoolean.TRUE);
      }
      command
          .append("createIndexes", new BsonString(namespace.collection()))
          .append("indexes", new BsonArray(List.of(index)));
    }
    command
        .append("writeConcern", new BsonDocument("w", new BsonString("majority")))
        .append("$db", new BsonString(namespace.database()));
    try {
      asking.write(request, shard, command, List.of());
    } catch (ReplyException error) {
      if (error.code() != NAMESPACE_EXISTS) {
        throw error;
      }
    }
  }

  /** Its entry in the shard's {@code listCollections}; null when the shard does not have it. */
  @Nullable BsonDocument listed() {
    BsonDocument list =
        new BsonDocument("listCollections", new BsonInt32(1))
            .append("filter", new BsonDocument("name", new BsonString(namespace.collection())))
            .append("$db", new BsonString(namespace.database()));
    BsonArray found = firstBatch(list);
    return found.isEmpty() ? null : found.getFirst().asDocument();
  }

  /** Whether the shard has no document of it, by the version of this table. */
  boolean isEmpty(RoutingTable table) {
    return firstBatch(findOne(table, new BsonDocument())).isEmpty();
  }

  /**
   * Whether the shard has no document in the range of a chunk. May say no for a neighbour's, when
   * the key has several fields, and for any document when a field is hashed.
   */
  boolean isEmpty(RoutingTable table, int chunk) {
    BsonDocument filter =
        table.key().hashed() >= 0
            ? new BsonDocument()
            : new BsonDocument("$expr", new BsonDocument("$and", within(chunk, table)));
    return firstBatch(findOne(table, filter)).isEmpty();
  }

  private BsonDocument findOne(RoutingTable table, BsonDocument filter) {
    return new BsonDocument("find", new BsonString(namespace.collection()))
        .append("filter", filter)
        .append("limit", new BsonInt32(1))
        .append("singleBatch", BsonBoolean.TRUE)
        .append("projection", new BsonDocument("_id", new BsonInt32(1)))
        .append("shardVersion", table.versionOf(shard))
        .append("$db", new BsonString(namespace.database()));
  }

  private BsonArray firstBatch(BsonDocument command) {
    return asking
        .read(request, shard, command, ReadPreference.PRIMARY, List.of())
        .reply()
        .getDocument("cursor")
        .getArray("firstBatch");
  }

  /**
   * Conditions on the first field that every document of a chunk meets, compared across types; a
   * few of its neighbours may meet them, too, when the key has more fields.
   */
  private static BsonArray within(int index, RoutingTable table) {
    ShardKey key = table.key();
    BsonArray path =
        new BsonArray(List.of(new BsonString("$" + key.fields().getFirst()), BsonNull.VALUE));
    BsonDocument value = new BsonDocument("$ifNull", path);
    BsonValue low = table.chunks().get(index).min()[0];
    BsonValue high = table.maxOf(index)[0];
    BsonArray conditions = new BsonArray();
    conditions.add(new BsonDocument("$gte", new BsonArray(List.of(value, literal(low)))));
    String below =
        key.fields().size() == 1 && !high.getBsonType().equals(BsonType.MAX_KEY) ? "$lt" : "$lte";
    conditions.add(new BsonDocument(below, new BsonArray(List.of(value, literal(high)))));
    return conditions;
  }

  private static BsonDocument literal(BsonValue value) {
    return new BsonDocument("$literal", value);
  }
}
