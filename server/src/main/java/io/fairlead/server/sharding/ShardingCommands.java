// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.sharding;

import io.fairlead.engine.Namespace;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Placement;
import io.fairlead.server.command.Trait;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * How routers tell a shard what it owns. What they tell is replicated, so that a new primary knows.
 * A change is answered when every command that was let through under the older version has ended,
 * so that the router may then publish it.
 */
public final class ShardingCommands {
  private static final Duration OLDER_COMMANDS_MAX = Duration.ofSeconds(10);

  private ShardingCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        CommandSpec.named("_fairleadSetShardVersion")
            .on(Placement.PRIMARY_ONLY)
            .with(Trait.ADMIN_ONLY, Trait.WRITES, Trait.INTERNAL)
            .takes("collection", "dropped")
            .help("Tells a shard a collection's version and which of its ranges it owns.")
            .runs(ShardingCommands::setShardVersion),
        CommandSpec.named("_fairleadSetDatabaseVersion")
            .on(Placement.PRIMARY_ONLY)
            .with(Trait.ADMIN_ONLY, Trait.WRITES, Trait.INTERNAL)
            .takes("version", "dropped")
            .help("Tells a shard a database's version.")
            .runs(ShardingCommands::setDatabaseVersion));
  }

  private static BsonDocument setShardVersion(CommandContext context) throws InterruptedException {
    BsonString id = new BsonString(Arguments.string(context.spec().name(), context.subject()));
    record(context, id);
    awaitOlderCommands(context, id.getValue());
    return new BsonDocument();
  }

  private static void awaitOlderCommands(CommandContext context, String namespace)
      throws InterruptedException {
    Duration left = context.operation().remaining();
    boolean ended =
        context
            .server()
            .operations()
            .awaitEnd(
                operation ->
                    operation.namespace().equals(namespace)
                        && operation.command().containsKey("shardVersion"),
                left.compareTo(OLDER_COMMANDS_MAX) < 0 ? left : OLDER_COMMANDS_MAX);
    if (!ended) {
      throw Failures.of(
          262, "commands under the older version of " + namespace + " are still running");
    }
  }

  private static void record(CommandContext context, BsonString id) {
    if (Arguments.flag(context.body(), "dropped")) {
      forget(context, ShardVersions.COLLECTIONS, id);
      return;
    }
    BsonDocument collection = Arguments.optionalDocument(context.body(), "collection");
    if (collection == null || !collection.containsKey("version")) {
      throw Failures.missing(context.spec().name() + ".collection.version");
    }
    BsonDocument record = new BsonDocument("_id", id);
    collection.forEach(record::append);
    put(context, ShardVersions.COLLECTIONS, record);
  }

  private static BsonDocument setDatabaseVersion(CommandContext context) {
    BsonString id = new BsonString(Arguments.string(context.spec().name(), context.subject()));
    if (Arguments.flag(context.body(), "dropped")) {
      forget(context, ShardVersions.DATABASES, id);
      return new BsonDocument();
    }
    BsonValue version = context.get("version");
    if (version == null) {
      throw Failures.missing(context.spec().name() + ".version");
    }
    BsonDocument record =
        new BsonDocument("_id", id).append("version", Arguments.document("version", version));
    put(context, ShardVersions.DATABASES, record);
    return new BsonDocument();
  }

  private static void put(CommandContext context, Namespace namespace, BsonDocument record) {
    context.write(
        transaction -> {
          transaction.put(namespace, record);
          return true;
        });
  }

  private static void forget(CommandContext context, Namespace namespace, BsonString id) {
    context.write(transaction -> transaction.deleteById(namespace, id));
  }
}
