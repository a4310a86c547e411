// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.cursor;

import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.router.bytes.Elements;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.router.shard.Shards;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import java.util.ArrayDeque;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that is open on one member of one shard, as documents pulled one by one. Used by one
 * thread at a time.
 */
public final class RemoteCursor implements DocumentCursor {

  private final Shards shards;
  private final String shard;
  private final HostAddress server;
  private final String database;
  private final String collection;
  private final ReadPreference preference;
  private final BsonDocument generic;
  private final int batchSize;
  private final ArrayDeque<RawBsonDocument> batch = new ArrayDeque<>();
  private long id;

  /**
   * @param generic the fields that each command of the cursor carries: {@code lsid} and others that
   *     belong to the client
   * @param batchSize of each getMore; 0 leaves it to the shard
   */
  public RemoteCursor(
      Shards shards,
      String shard,
      CommandResult first,
      String database,
      ReadPreference preference,
      BsonDocument generic,
      int batchSize) {
    this.shards = shards;
    this.shard = shard;
    this.server = first.server();
    this.database = database;
    this.preference = preference;
    this.generic = generic;
    this.batchSize = batchSize;
    String namespace = take(first.reply());
    this.collection = namespace.substring(namespace.indexOf('.') + 1);
  }

  @Override
  public @Nullable RawBsonDocument next() {
    while (batch.isEmpty()) {
      if (id == 0) {
        return null;
      }
      more();
    }
    return batch.poll();
  }

  private void more() {
    BsonDocument command =
        command(
            new BsonDocument("getMore", new BsonInt64(id))
                .append("collection", new BsonString(collection)));
    if (batchSize > 0) {
      command.append("batchSize", new BsonInt32(batchSize));
    }
    take(shards.run(shard, operation(command)).reply());
  }

  private BsonDocument command(BsonDocument command) {
    generic.forEach(command::append);
    return command;
  }

  private Operation operation(BsonDocument command) {
    return Operation.builder(database, command)
        .readWish(
            new ReadWish(
                OperationKind.READ, preference, null, null, null, ReadWish.SessionState.NONE))
        .retry(Retryability.READ_ONCE)
        .pinnedTo(server)
        .build();
  }

  private String take(RawBsonDocument reply) {
    Elements top = Elements.of(reply);
    String namespace = ".";
    if (!top.find("cursor")) {
      throw new IllegalStateException("shard " + shard + " answered without a cursor");
    }
    Elements cursor = top.inside();
    while (cursor.next()) {
      if (cursor.isNamed("id")) {
        id = Elements.int64(cursor.bytes(), cursor.valueStart());
      } else if (cursor.isNamed("firstBatch") || cursor.isNamed("nextBatch")) {
        Elements documents = cursor.inside();
        while (documents.next()) {
          batch.add(documents.document());
        }
      } else if (cursor.isNamed("ns")) {
        namespace = reply.getDocument("cursor").getString("ns").getValue();
      }
    }
    return namespace;
  }

  /** Kills the cursor on its shard, if it is still open there. */
  @Override
  public void close() {
    batch.clear();
    if (id == 0) {
      return;
    }
    long open = id;
    id = 0;
    BsonDocument command =
        command(
            new BsonDocument("killCursors", new BsonString(collection))
                .append("cursors", new BsonArray(java.util.List.of(new BsonInt64(open)))));
    try {
      shards.run(shard, operation(command));
    } catch (ReplyException unreachable) {
      // the member forgets an idle cursor by itself
    }
  }
}
