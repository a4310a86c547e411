// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.shard;

import io.fairlead.cluster.Operation;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Tells shards which version of a collection or database they have, and waits until a majority of
 * the shard knows.
 */
public final class ShardTeller {

  private static final BsonDocument MAJORITY =
      new BsonDocument("w", new BsonString("majority")).append("wtimeout", new BsonInt32(15_000));

  private final Shards shards;

  public ShardTeller(Shards shards) {
    this.shards = shards;
  }

  /** From now on the shard refuses every other version of this collection. */
  public void collection(String shard, RoutingTable table) {
    BsonDocument collection =
        new BsonDocument("uuid", table.uuid())
            .append("key", table.key().pattern())
            .append("version", table.versionOf(shard))
            .append("ranges", new BsonArray(table.rangesOf(shard)));
    run(
        shard,
        new BsonDocument("_fairleadSetShardVersion", new BsonString(table.namespace()))
            .append("collection", collection));
  }

  /** From now on the shard takes this collection to be not sharded. */
  public void unsharded(String shard, String namespace) {
    run(
        shard,
        new BsonDocument("_fairleadSetShardVersion", new BsonString(namespace))
            .append("dropped", BsonBoolean.TRUE));
  }

  /** From now on the shard refuses every other version of this database. */
  public void database(String shard, DatabaseEntry database) {
    database(shard, database.name(), database.version());
  }

  public void database(String shard, String name, BsonDocument version) {
    run(
        shard,
        new BsonDocument("_fairleadSetDatabaseVersion", new BsonString(name))
            .append("version", version));
  }

  private void run(String shard, BsonDocument command) {
    command.append("writeConcern", MAJORITY);
    // telling it twice is harmless, so it goes again wherever a write could
    Operation operation =
        Operation.builder("admin", command)
            .readWish(ReadWish.none(OperationKind.WRITE))
            .retry(Retryability.WRITE_ONCE)
            .build();
    shards.run(shard, operation);
  }
}
