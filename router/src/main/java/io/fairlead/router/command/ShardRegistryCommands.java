// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.Operation;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.shard.Shards;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadWish;
import java.time.Duration;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The shards of the cluster: one is added, they are listed, what is remembered is forgotten. */
final class ShardRegistryCommands {

  private final Parts parts;

  ShardRegistryCommands(Asking asking) {
    this.parts = asking.parts();
  }

  BsonDocument addShard(Request request) {
    request.requireOnly("addShard", "addshard", "name");
    String host = request.text("addShard");
    int slash = host.indexOf('/');
    if (slash <= 0) {
      throw new EngineException(
          96, "a shard is a replica set: addShard: 'set/host:port,…', was '" + host + "'");
    }
    String id = request.has("name") ? request.text("name") : host.substring(0, slash);
    if (id.equals(Shards.CONFIG)) {
      throw new EngineException(2, "a shard cannot be named " + Shards.CONFIG);
    }
    BsonDocument known = parts.config().findById("shards", new BsonString(id));
    if (known == null) {
      try (Cluster probe = parts.settings().connect(host)) {
        Shards.run(
            probe,
            id,
            Operation.builder("admin", new BsonDocument("ping", new BsonInt32(1)))
                .readWish(ReadWish.none(OperationKind.WRITE))
                .timeout(Duration.ofSeconds(15))
                .build());
      }
      insertShard(id, host);
    } else if (!known.getString("host").getValue().equals(host)) {
      throw new EngineException(
          20, "there is a shard named " + id + " at " + known.getString("host").getValue());
    }
    parts.shards().refresh();
    return Asking.ok(request, new BsonDocument("shardAdded", new BsonString(id)));
  }

  private void insertShard(String id, String host) {
    BsonDocument shard =
        new BsonDocument("_id", new BsonString(id))
            .append("host", new BsonString(host))
            .append("state", new BsonInt32(1));
    try {
      parts.config().insert("shards", List.of(shard));
    } catch (EngineException error) {
      if (error.code() != 11000) { // another router was asked the same
        throw error;
      }
    }
  }

  BsonDocument listShards(Request request) {
    BsonArray shards = new BsonArray();
    parts.shards().refresh();
    for (Shards.Shard shard : parts.shards().all()) {
      shards.add(
          new BsonDocument("_id", new BsonString(shard.id()))
              .append("host", new BsonString(shard.host()))
              .append("state", new BsonInt32(1)));
    }
    return Asking.ok(request, new BsonDocument("shards", shards));
  }

  BsonDocument getShardMap(Request request) {
    BsonDocument map = new BsonDocument("config", new BsonString(parts.settings().configHosts()));
    BsonDocument hosts = new BsonDocument();
    for (Shards.Shard shard : parts.shards().all()) {
      map.append(shard.id(), new BsonString(shard.host()));
      for (String member : shard.host().substring(shard.host().indexOf('/') + 1).split(",", -1)) {
        hosts.append(member, new BsonString(shard.id()));
      }
    }
    return Asking.ok(request, new BsonDocument("map", map).append("hosts", hosts));
  }

  /** Reads everything about databases and collections anew when next needed. */
  BsonDocument flushRouterConfig(Request request) {
    parts.catalog().forgetAll();
    return Asking.ok(request, new BsonDocument("flushed", BsonBoolean.TRUE));
  }
}
