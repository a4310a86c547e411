// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.router.catalog.DatabaseEntry;
import java.util.Set;
import org.bson.BsonDocument;

/** {@code enableSharding}: creates a database, on a primary shard of one's choice. */
final class EnableShardingCommand implements Command {

  private final Asking asking;
  private final Parts parts;

  EnableShardingCommand(Asking asking) {
    this.asking = asking;
    this.parts = asking.parts();
  }

  @Override
  public BsonDocument run(Request request) {
    request.requireOnly("enableSharding", "primaryShard");
    String name = request.text("enableSharding");
    requireName(name);
    String primary = request.has("primaryShard") ? request.text("primaryShard") : null;
    if (primary != null) {
      parts.shards().shard(primary);
    }
    DatabaseEntry entry = parts.catalog().createDatabase(name, primary, asking.shardIds());
    if (primary != null && !entry.primary().equals(primary)) {
      throw new EngineException(
          48, "the database " + name + " exists, with the primary shard " + entry.primary());
    }
    parts.teller().database(entry.primary(), entry);
    return Asking.ok(request, new BsonDocument());
  }

  /**
   * @throws EngineException 73 for a name that no sharded database can have
   */
  static void requireName(String database) {
    if (database.isEmpty()
        || database.length() > 63
        || database.matches(".*[/\\\\. \"$\\x00].*")
        || Set.of("admin", "config", "local").contains(database)) {
      throw new EngineException(73, "Invalid database name: '" + database + "'");
    }
  }
}
