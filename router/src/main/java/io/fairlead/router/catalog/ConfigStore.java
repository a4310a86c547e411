// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.engine.error.EngineException;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The config replica set: databases, collections, chunks, shards, settings. Reads come from its
 * primary with read concern majority, writes wait for a majority, so that what one router wrote the
 * next one reads.
 */
public final class ConfigStore {

  private static final BsonDocument MAJORITY_READ =
      new BsonDocument("level", new BsonString("majority"));
  private static final BsonDocument MAJORITY_WRITE =
      new BsonDocument("w", new BsonString("majority")).append("wtimeout", new BsonInt32(15_000));
  private static final int DUPLICATE_KEY = 11000;

  private final Cluster cluster;

  public ConfigStore(Cluster cluster) {
    this.cluster = cluster;
  }

  public Cluster cluster() {
    return cluster;
  }

  /** All documents that match, in this order. */
  public List<BsonDocument> find(String collection, BsonDocument filter, BsonDocument sort) {
    BsonDocument command =
        new BsonDocument("find", new BsonString(collection)).append("filter", filter);
    if (!sort.isEmpty()) {
      command.append("sort", sort);
    }
    command.append("readConcern", MAJORITY_READ);
    List<BsonDocument> found = new ArrayList<>();
    try (Session session =
        cluster.sessions().implicit()) { // all commands of a cursor come in one session
      CommandResult result = cluster.execute(read(command).session(session).build());
      BsonDocument cursor = result.reply().getDocument("cursor");
      add(cursor.getArray("firstBatch"), found);
      long id = cursor.getInt64("id").getValue();
      while (id != 0) {
        BsonDocument more =
            new BsonDocument("getMore", new BsonInt64(id))
                .append("collection", new BsonString(collection));
        Operation next =
            read(more)
                .session(session)
                .retry(Retryability.READ_ONCE)
                .pinnedTo(result.server())
                .build();
        cursor = cluster.execute(next).reply().getDocument("cursor");
        add(cursor.getArray("nextBatch"), found);
        id = cursor.getInt64("id").getValue();
      }
    }
    return found;
  }

  public @Nullable BsonDocument findById(String collection, BsonValue id) {
    List<BsonDocument> found = find(collection, new BsonDocument("_id", id), new BsonDocument());
    return found.isEmpty() ? null : found.getFirst();
  }

  private static Operation.Builder read(BsonDocument command) {
    return Operation.builder("config", command)
        .readWish(ReadWish.read(ReadPreference.PRIMARY))
        .retry(Retryability.READ);
  }

  private static void add(BsonArray batch, List<BsonDocument> found) {
    batch.forEach(value -> found.add(value.asDocument()));
  }

  /**
   * Inserts documents.
   *
   * @throws EngineException 11000 when one of the ids exists
   */
  public void insert(String collection, List<BsonDocument> documents) {
    write(
        new BsonDocument("insert", new BsonString(collection))
            .append("documents", new BsonArray(documents)));
  }

  /**
   * Changes one document.
   *
   * @return whether it was found, or put in
   */
  public boolean update(
      String collection, BsonDocument filter, BsonDocument update, boolean upsert) {
    BsonDocument statement =
        new BsonDocument("q", filter)
            .append("u", update)
            .append("upsert", BsonBoolean.valueOf(upsert));
    return write(
            new BsonDocument("update", new BsonString(collection))
                .append("updates", new BsonArray(List.of(statement))))
        > 0;
  }

  /**
   * Removes what matches.
   *
   * @return how many
   */
  public int delete(String collection, BsonDocument filter) {
    BsonDocument statement = new BsonDocument("q", filter).append("limit", new BsonInt32(0));
    return write(
        new BsonDocument("delete", new BsonString(collection))
            .append("deletes", new BsonArray(List.of(statement))),
        false);
  }

  private int write(BsonDocument command) {
    return write(command, true);
  }

  private int write(BsonDocument command, boolean retryable) {
    command.append("writeConcern", MAJORITY_WRITE);
    Operation operation =
        Operation.builder("config", command)
            .readWish(ReadWish.none(OperationKind.WRITE))
            .retry(retryable ? Retryability.WRITE : Retryability.WRITE_ONCE)
            .build();
    BsonDocument reply = cluster.execute(operation).reply();
    if (reply.get("writeErrors") instanceof BsonArray errors && !errors.isEmpty()) {
      BsonDocument error = errors.get(0).asDocument();
      throw new EngineException(
          error.getNumber("code").intValue(), "config: " + error.getString("errmsg").getValue());
    }
    if (reply.get("writeConcernError") instanceof BsonDocument error) {
      throw new EngineException(
          error.getNumber("code").intValue(),
          "config: " + error.getString("errmsg", new BsonString("write concern error")).getValue());
    }
    return reply.getNumber("n", new BsonInt32(0)).intValue();
  }

  static boolean isDuplicate(EngineException error) {
    return error.code() == DUPLICATE_KEY;
  }
}
