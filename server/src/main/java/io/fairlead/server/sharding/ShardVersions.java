// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.sharding;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.Values;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.GenericArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Compares the versions that a router stamped on a command with what this shard knows. They differ
 * when the router, or the shard, has missed a change; the router then refreshes what it knows,
 * tells the shard, and tries again. A command without versions came directly and is not checked.
 */
public final class ShardVersions {
  static final Namespace COLLECTIONS = Namespace.of("config", "cache.collections");
  static final Namespace DATABASES = Namespace.of("config", "cache.databases");

  private static final int COMMAND_ON_SHARDED_VIEW = 169;
  private static final Set<String> READS = Set.of("find", "aggregate", "count", "distinct");

  private ShardVersions() {}

  /**
   * Lets a command through whose versions are this shard's own, and one that has none.
   *
   * @throws EngineException 13388 StaleConfig where the collection's version differs, 249
   *     StaleDbVersion where the database's does, 169 for a view or stage that reads a sharded
   *     collection, with the view resolved by one step
   */
  public static void requireKnown(CommandContext context) {
    GenericArguments generic = context.generic();
    if (generic.shardVersion() == null && generic.databaseVersion() == null) {
      return;
    }
    Snapshot snapshot = context.server().engine().snapshot();
    requireWholeViews(snapshot, context);
    if (generic.databaseVersion() != null) {
      requireDatabase(snapshot, context.database(), generic.databaseVersion());
    }
    if (generic.shardVersion() != null && context.subject().isString()) {
      requireCollection(snapshot, context.namespace(), generic.shardVersion());
    }
  }

  /**
   * Refuses a read that reaches a sharded collection through a view or a stage: this shard has only
   * a part of it.
   */
  private static void requireWholeViews(Snapshot snapshot, CommandContext context) {
    if (!context.subject().isString() || !READS.contains(context.spec().name())) {
      return;
    }
    BsonValue pipeline = context.body().get("pipeline");
    List<BsonDocument> stages = new ArrayList<>();
    if (context.spec().name().equals("aggregate") && pipeline != null && pipeline.isArray()) {
      pipeline
          .asArray()
          .forEach(
              stage -> {
                if (stage instanceof BsonDocument document) {
                  stages.add(document);
                }
              });
    }
    for (Namespace read : snapshot.reads(context.namespace(), stages)) {
      RawBsonDocument known = snapshot.findById(COLLECTIONS, new BsonString(read.toString()));
      if (known != null
          && known.get("version") instanceof BsonDocument version
          && !isUnsharded(version)) {
        throw new EngineException(
            COMMAND_ON_SHARDED_VIEW,
            context.namespace() + " reads " + read + ", of which this shard has only a part",
            resolvedView(snapshot, context.namespace()));
      }
    }
  }

  /** What a router has to read instead of a view; nothing for a collection. */
  private static BsonDocument resolvedView(Snapshot snapshot, Namespace namespace) {
    BsonDocument options =
        snapshot
            .collection(namespace)
            .map(collection -> collection.options().declared())
            .orElseGet(BsonDocument::new);
    BsonValue on = options.get("viewOn");
    if (on == null) {
      return new BsonDocument();
    }
    BsonDocument view =
        new BsonDocument(
                "ns",
                new BsonString(
                    Namespace.of(namespace.database(), on.asString().getValue()).toString()))
            .append("pipeline", options.getArray("pipeline", new BsonArray()));
    if (options.containsKey("collation")) {
      view.append("collation", options.getDocument("collation"));
    }
    return new BsonDocument("resolvedView", view);
  }

  private static void requireDatabase(Snapshot snapshot, String database, BsonDocument received) {
    RawBsonDocument known = snapshot.findById(DATABASES, new BsonString(database));
    BsonValue wanted = known == null ? null : Values.field(known, "version");
    if (wanted != null && !wanted.equals(received)) {
      throw new EngineException(
          249,
          "version mismatch for database " + database,
          new BsonDocument("db", new BsonString(database))
              .append("vReceived", received)
              .append("vWanted", wanted));
    }
  }

  private static void requireCollection(
      Snapshot snapshot, Namespace namespace, BsonDocument received) {
    RawBsonDocument known = snapshot.findById(COLLECTIONS, new BsonString(namespace.toString()));
    BsonValue wanted = known == null ? null : Values.field(known, "version");
    boolean same = wanted == null ? isUnsharded(received) : wanted.equals(received);
    if (!same) {
      BsonDocument details =
          new BsonDocument("ns", new BsonString(namespace.toString()))
              .append("vReceived", received);
      if (wanted != null) {
        details.append("vWanted", wanted);
      }
      throw new EngineException(
          ErrorCodes.STALE_CONFIG, "version mismatch detected for " + namespace, details);
    }
  }

  private static boolean isUnsharded(BsonDocument version) {
    BsonValue placement = version.get("v");
    return placement == null || placement.equals(new BsonTimestamp(0, 0));
  }
}
