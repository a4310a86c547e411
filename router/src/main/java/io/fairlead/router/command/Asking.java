// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.bytes.Splice;
import io.fairlead.router.catalog.DatabaseEntry;
import io.fairlead.router.catalog.Lease;
import io.fairlead.router.catalog.Placement;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.cursor.OpenCursor;
import io.fairlead.router.cursor.RemoteCursor;
import io.fairlead.router.shard.Shards;
import io.fairlead.router.shard.VersionedRun;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import io.fairlead.wire.message.DocumentSequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Sends a request's commands to shards, and keeps what comes of it: times, counts, cursors. */
final class Asking {

  static final int BATCH_DEFAULT = 101;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Set<String> CONFIG_DATABASES = Set.of("admin", "config");

  private final Parts parts;

  Asking(Parts parts) {
    this.parts = parts;
  }

  Parts parts() {
    return parts;
  }

  /** Runs work by a placement, with the databases of the config set in their place. */
  <T extends @Nullable Object> T placed(
      Request request, String collection, VersionedRun.Work<T> work) throws InterruptedException {
    return placed(Namespace.of(request.database(), collection), work);
  }

  /** The same for a collection that may be of another database than the request's. */
  <T extends @Nullable Object> T placed(Namespace namespace, VersionedRun.Work<T> work)
      throws InterruptedException {
    String database = namespace.database();
    if (CONFIG_DATABASES.contains(database)) {
      return work.by(
          new Placement.Unsharded(new DatabaseEntry(database, Shards.CONFIG, new BsonDocument())));
    }
    if (database.equals("local")) {
      throw new EngineException(
          20, "the database local belongs to each member and cannot be reached through a router");
    }
    return parts.versioned().run(database, namespace.collection(), work);
  }

  /** The same for what writes: its database comes into being when there is none. */
  <T> T placedWrite(Request request, String collection, VersionedRun.Work<T> work)
      throws InterruptedException {
    return placed(
        request,
        collection,
        placement -> {
          if (placement instanceof Placement.Nowhere) {
            createDatabase(request.database());
            return work.by(parts.catalog().placement(request.database(), collection));
          }
          return work.by(placement);
        });
  }

  /**
   * The right to change where a database or collection lives; waits for another router's change.
   *
   * @throws EngineException 46 LockBusy when that takes too long
   */
  Lease lease(String name) throws InterruptedException {
    return Lease.acquire(parts.config(), parts.clock(), name, PATIENCE);
  }

  DatabaseEntry createDatabase(String name) {
    DatabaseEntry created = parts.catalog().createDatabase(name, null, shardIds());
    parts.teller().database(created.primary(), created);
    return created;
  }

  List<String> shardIds() {
    if (parts.shards().ids().isEmpty()) {
      parts.shards().refresh();
    }
    return parts.shards().ids();
  }

  /** What stamps a command for the primary shard of an unsharded collection. */
  static BsonDocument stamp(DatabaseEntry database) {
    return database.version().isEmpty()
        ? new BsonDocument()
        : new BsonDocument("shardVersion", Placement.UNSHARDED)
            .append("databaseVersion", database.version());
  }

  static BsonDocument stamp(RoutingTable table, String shard) {
    return new BsonDocument("shardVersion", table.versionOf(shard));
  }

  CommandResult read(Request request, String shard, BsonDocument command) {
    return read(request, shard, command, request.readPreference(), request.message().sequences());
  }

  CommandResult read(
      Request request,
      String shard,
      BsonDocument command,
      ReadPreference preference,
      List<DocumentSequence> sequences) {
    Operation operation =
        Operation.builder(databaseOf(command, request), command)
            .sequences(sequences)
            .readWish(ReadWish.read(preference))
            .retry(Retryability.READ)
            .selectionTimeout(request.timeLimit())
            .build();
    CommandResult result = parts.shards().run(shard, operation);
    parts.reads().count(result.server());
    request.times().observe(result.reply());
    return result;
  }

  /** A command that is made here may be for another database than the request's. */
  private static String databaseOf(BsonDocument command, Request request) {
    return command.get("$db") instanceof BsonString named ? named.getValue() : request.database();
  }

  CommandResult write(
      Request request, String shard, BsonDocument command, List<DocumentSequence> sequences) {
    Operation operation =
        Operation.builder(databaseOf(command, request), command)
            .sequences(sequences)
            .readWish(ReadWish.none(OperationKind.WRITE))
            .retry(request.isRetryableWrite() ? Retryability.WRITE : Retryability.WRITE_ONCE)
            .selectionTimeout(request.timeLimit())
            .build();
    CommandResult result = parts.shards().run(shard, operation);
    request.times().observe(result.reply());
    return result;
  }

  /**
   * Passes a command that opens a cursor to one shard, and its reply back; the cursor gets a number
   * of this router.
   */
  BsonDocument cursorOn(Request request, String shard, BsonDocument stamp) {
    BsonDocument session = request.sessionIfNone();
    BsonDocument extra = new BsonDocument();
    stamp.forEach(extra::append);
    session.forEach(extra::append);
    CommandResult result = read(request, shard, request.forwarded(extra));
    long remoteId = Splice.cursorId(result.reply());
    if (remoteId == 0) {
      return result.reply();
    }
    String namespace = result.reply().getDocument("cursor").getString("ns").getValue();
    long own =
        parts
            .cursors()
            .add(
                new OpenCursor.Forwarded(
                    namespace,
                    shard,
                    result.server(),
                    remoteId,
                    request.readPreference(),
                    session));
    return Splice.withCursorId(result.reply(), own);
  }

  /** How the command for one shard is made. */
  @FunctionalInterface
  interface CommandFor {
    BsonDocument shard(String id);
  }

  /** Opens a cursor on each of several shards; on none if any fails. */
  List<DocumentCursor> cursorsOn(
      Request request,
      String database,
      Collection<String> shards,
      int batchSize,
      BsonDocument session,
      CommandFor command)
      throws InterruptedException {
    ConcurrentLinkedQueue<RemoteCursor> opened = new ConcurrentLinkedQueue<>();
    BsonDocument generic = new BsonDocument();
    session.forEach(generic::append);
    if (request.get("lsid") instanceof BsonDocument lsid) {
      generic.append("lsid", lsid);
    }
    ReadPreference preference = request.readPreference();
    try {
      List<RemoteCursor> cursors =
          Shards.scatter(
              shards,
              shard -> {
                CommandResult first =
                    read(request, shard, command.shard(shard), preference, List.of());
                RemoteCursor cursor =
                    new RemoteCursor(
                        parts.shards(), shard, first, database, preference, generic, batchSize);
                opened.add(cursor);
                return cursor;
              });
      return new ArrayList<>(cursors);
    } catch (RuntimeException | InterruptedException failed) {
      opened.forEach(RemoteCursor::close);
      throw failed;
    }
  }

  /**
   * The first reply of a cursor that is made here.
   *
   * @param limit after which it is over; 0 for none
   */
  BsonDocument firstBatch(
      Request request,
      String namespace,
      DocumentCursor documents,
      long batchSize,
      boolean single,
      long limit) {
    OpenCursor.Local local = new OpenCursor.Local(namespace, documents);
    try {
      List<RawBsonDocument> batch = local.batch((int) Math.min(batchSize, Integer.MAX_VALUE));
      long id = 0;
      if (local.isExhausted() || single || (limit > 0 && batch.size() >= limit)) {
        local.close();
      } else {
        id = parts.cursors().add(local);
      }
      return cursorReply(request, "firstBatch", batch, id, namespace);
    } catch (RuntimeException failed) {
      local.close();
      throw failed;
    }
  }

  static BsonDocument cursorReply(
      Request request, String field, List<RawBsonDocument> batch, long id, String namespace) {
    BsonDocument cursor =
        new BsonDocument(field, new BsonArray(new ArrayList<>(batch)))
            .append("id", new BsonInt64(id))
            .append("ns", new BsonString(namespace));
    return ok(request, new BsonDocument("cursor", cursor));
  }

  /** A reply made here. */
  static BsonDocument ok(Request request, BsonDocument fields) {
    return request.times().addTo(fields.append("ok", new BsonDouble(1)));
  }

  static BsonDocument emptyCursor(Request request, String namespace) {
    return cursorReply(request, "firstBatch", List.of(), 0, namespace);
  }
}
