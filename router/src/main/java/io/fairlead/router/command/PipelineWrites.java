// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.aggregation.PipelineEnvironment.MergeWrite;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.topology.readpreference.ReadPreference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Where a pipeline that runs here writes: {@code $out} fills a collection beside the old one and
 * takes its name at the end, {@code $merge} inserts and updates. Both into collections that are not
 * sharded.
 */
final class PipelineWrites {

  private static final int BATCH = 1000;
  private static final int BATCH_BYTES = 8 * 1024 * 1024;

  private final Asking asking;
  private final Request request;

  PipelineWrites(Asking asking, Request request) {
    this.asking = asking;
    this.request = request;
  }

  /**
   * The shard that has a collection, or would; a missing database is created.
   *
   * @throws EngineException 28769 or 115 for a sharded collection
   */
  private String shardOf(Namespace target, String stage) throws InterruptedException {
    return asking.placed(
        target,
        placement ->
            switch (placement) {
              case Placement.Nowhere() -> asking.createDatabase(target.database()).primary();
              case Placement.Unsharded(var database) -> database.primary();
              case Placement.Sharded ignored ->
                  throw stage.equals("$out")
                      ? new EngineException(
                          28769, target + " cannot be sharded: $out writes no sharded collection")
                      : new EngineException(
                          115,
                          "$merge into the sharded collection "
                              + target
                              + " is not supported through the router yet");
            });
  }

  /** The new collection keeps the options and indexes of the old one. */
  boolean replace(Namespace target, DocumentCursor documents) throws InterruptedException {
    String shard = shardOf(target, "$out");
    Namespace filled =
        Namespace.of(target.database(), "tmp.agg_out." + UUID.randomUUID().toString());
    boolean renamed = false;
    try {
      create(filled, shard, new CollectionOnShard(asking, request, target, shard).listed());
      copyIndexes(target, filled, shard);
      insertAll(filled, shard, documents);
      write(
          shard,
          "admin",
          new BsonDocument("renameCollection", new BsonString(filled.toString()))
              .append("to", new BsonString(target.toString()))
              .append("dropTarget", BsonBoolean.TRUE));
      renamed = true;
    } finally {
      if (!renamed) {
        dropQuietly(filled, shard);
      }
    }
    return true;
  }

  private void create(Namespace filled, String shard, @Nullable BsonDocument old) {
    BsonDocument create = new BsonDocument("create", new BsonString(filled.collection()));
    if (old != null) {
      if (!new BsonString("collection").equals(old.get("type"))) {
        throw new EngineException(166, "Namespace to write to is a view, not a collection");
      }
      old.getDocument("options").forEach(create::append);
    }
    write(shard, filled.database(), create);
  }

  private void copyIndexes(Namespace target, Namespace filled, String shard) {
    BsonArray secondary = new BsonArray();
    for (BsonDocument index : indexes(target, shard)) {
      if (!new BsonString("_id_").equals(index.get("name")) && !index.containsKey("clustered")) {
        secondary.add(index);
      }
    }
    if (!secondary.isEmpty()) {
      write(
          shard,
          filled.database(),
          new BsonDocument("createIndexes", new BsonString(filled.collection()))
              .append("indexes", secondary));
    }
  }

  private void insertAll(Namespace filled, String shard, DocumentCursor documents) {
    List<RawBsonDocument> batch = new ArrayList<>();
    long bytes = 0;
    for (RawBsonDocument next = documents.next(); next != null; next = documents.next()) {
      batch.add(next);
      bytes += next.getByteBuffer().remaining();
      if (batch.size() == BATCH || bytes >= BATCH_BYTES) {
        insert(filled, shard, batch);
        batch.clear();
        bytes = 0;
      }
    }
    if (!batch.isEmpty()) {
      insert(filled, shard, batch);
    }
  }

  private void insert(Namespace target, String shard, List<RawBsonDocument> documents) {
    write(
        shard,
        target.database(),
        new BsonDocument("insert", new BsonString(target.collection()))
            .append("documents", new BsonArray(documents)));
  }

  private void dropQuietly(Namespace filled, String shard) {
    try {
      write(
          shard, filled.database(), new BsonDocument("drop", new BsonString(filled.collection())));
    } catch (ReplyException | EngineException gone) {
      // the failure before is told; what may be left has a name that says whose it was
    }
  }

  boolean merge(Namespace target, List<MergeWrite> writes) throws InterruptedException {
    if (writes.isEmpty()) {
      return true;
    }
    String shard = shardOf(target, "$merge");
    List<MergeWrite> alike = new ArrayList<>();
    for (MergeWrite write : writes) {
      if (!alike.isEmpty() && !isAlike(alike.getFirst(), write)) {
        mergeAlike(target, shard, alike);
        alike.clear();
      }
      alike.add(write);
    }
    mergeAlike(target, shard, alike);
    return true;
  }

  /** Whether two writes can be statements of one command: it has one {@code let} for all. */
  private static boolean isAlike(MergeWrite one, MergeWrite other) {
    return switch (one) {
      case MergeWrite.Insert ignored -> other instanceof MergeWrite.Insert;
      case MergeWrite.Modify modify ->
          other instanceof MergeWrite.Modify next && modify.let().equals(next.let());
    };
  }

  private void mergeAlike(Namespace target, String shard, List<MergeWrite> writes) {
    if (writes.getFirst() instanceof MergeWrite.Insert) {
      insert(target, shard, writes.stream().map(MergeWrite::document).toList());
      return;
    }
    BsonArray updates = new BsonArray();
    boolean failUnmatched = false;
    BsonDocument let = new BsonDocument();
    for (MergeWrite write : writes) {
      MergeWrite.Modify modify = (MergeWrite.Modify) write;
      failUnmatched |= modify.failUnmatched();
      let = modify.let();
      updates.add(
          new BsonDocument("q", modify.filter())
              .append("u", modify.update())
              .append("upsert", BsonBoolean.valueOf(modify.upsert())));
    }
    BsonDocument update =
        new BsonDocument("update", new BsonString(target.collection())).append("updates", updates);
    if (!let.isEmpty()) {
      update.append("let", LetVariables.literals(let));
    }
    BsonDocument reply = write(shard, target.database(), update);
    if (failUnmatched && reply.getNumber("n").intValue() < writes.size()) {
      throw new EngineException(
          13113,
          "$merge could not find a matching document in the target collection for at least one"
              + " document");
    }
  }

  boolean hasUniqueIndex(Namespace target, List<String> fields) throws InterruptedException {
    if (fields.equals(List.of("_id"))) {
      return true;
    }
    return indexes(target, shardOf(target, "$merge")).stream()
        .anyMatch(
            index ->
                index.containsKey("unique")
                    && !index.containsKey("partialFilterExpression")
                    && index.getDocument("key").keySet().equals(new HashSet<>(fields)));
  }

  /** The indexes of a collection; none when it does not exist. */
  private List<BsonDocument> indexes(Namespace target, String shard) {
    BsonDocument list =
        new BsonDocument("listIndexes", new BsonString(target.collection()))
            .append("cursor", new BsonDocument("batchSize", new BsonInt64(BATCH)))
            .append("$db", new BsonString(target.database()));
    try {
      return asking
          .read(request, shard, list, ReadPreference.PRIMARY, List.of())
          .reply()
          .getDocument("cursor")
          .getArray("firstBatch")
          .stream()
          .map(BsonValue::asDocument)
          .toList();
    } catch (ReplyException error) {
      if (CollectionCommands.isNotFound(error)) {
        return List.of();
      }
      throw error;
    }
  }

  /** Performs a command that writes, as the request's own write concern and options have it. */
  private BsonDocument write(String shard, String database, BsonDocument command) {
    boolean documents = command.containsKey("documents") || command.containsKey("updates");
    if (documents && request.get("bypassDocumentValidation") instanceof BsonBoolean bypass) {
      command.append("bypassDocumentValidation", bypass);
    }
    if (request.get("writeConcern") instanceof BsonDocument concern) {
      command.append("writeConcern", concern);
    }
    command.append("$db", new BsonString(database));
    BsonDocument reply = asking.write(request, shard, command, List.of()).reply();
    if (reply.get("writeErrors") instanceof BsonArray errors && !errors.isEmpty()) {
      BsonDocument first = errors.getFirst().asDocument();
      throw new EngineException(
          first.getNumber("code", new BsonInt32(8)).intValue(),
          first.getString("errmsg", new BsonString("")).getValue());
    }
    return reply;
  }
}
