// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.write;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.index.IndexSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Writes that will be committed together. One thread at a time.
 *
 * <p>A statement on one document that throws (a duplicate key, a refused document) leaves nothing
 * of itself behind and the transaction usable; a statement on many leaves what it did before the
 * failure, as MongoDB does.
 */
public interface WriteTransaction {
  /** The state with this transaction's writes so far. Later writes do not show in it. */
  Snapshot snapshot();

  /**
   * Sets the retryable-write statement number that the following changes carry.
   *
   * @see io.fairlead.engine.commit.Change
   */
  void statement(int number);

  /**
   * Inserts one document; creates the collection when there is none. An {@code _id} is added when
   * it is missing and moved to the front.
   *
   * @throws io.fairlead.engine.error.EngineException 11000 with keyPattern and keyValue, 2 for a
   *     bad {@code _id} and when too large, 73, 121, 171, …
   */
  InsertOutcome insert(Namespace namespace, BsonDocument document);

  /**
   * Updates or replaces one or many documents, or inserts one when nothing matches and that was
   * asked.
   */
  UpdateOutcome update(Namespace namespace, UpdateRequest request);

  /** Deletes one or all matching documents. */
  DeleteOutcome delete(Namespace namespace, DeleteRequest request);

  /** Finds one document and updates, replaces or deletes it. */
  FindAndModifyOutcome findAndModify(Namespace namespace, FindAndModifyRequest request);

  /**
   * Makes {@code document} the one with its {@code _id}, whether or not there was one: how
   * replicated operations are applied. Not validated.
   */
  void put(Namespace namespace, BsonDocument document);

  /** Deletes the document with that {@code _id}; false when there is none. */
  boolean deleteById(Namespace namespace, BsonValue id);

  /**
   * Deletes the oldest records until at most {@code keep} remain, for collections trimmed by their
   * owner.
   *
   * @return how many were deleted; they are reported to nobody
   */
  long trimOldest(Namespace namespace, long keep);

  /**
   * Deletes documents whose date in an index with {@code expireAfterSeconds} has passed by so much;
   * of an array the earliest date counts.
   *
   * @param most how many at most, so that the turn on the collection is not kept for long
   * @return how many were deleted; fewer than {@code most} when none are left
   */
  long deleteExpired(Namespace namespace, Instant now, long most);

  /**
   * Creates a collection.
   *
   * @throws io.fairlead.engine.error.EngineException 48 NamespaceExists (not when it exists with
   *     equal options), 73 InvalidNamespace, 72 InvalidOptions, …
   */
  void createCollection(Namespace namespace, CollectionOptions options);

  /** Drops a collection or view with its indexes; false when there is none. */
  boolean dropCollection(Namespace namespace);

  /**
   * Renames a collection.
   *
   * @throws io.fairlead.engine.error.EngineException 26 NamespaceNotFound; 48 NamespaceExists
   *     unless {@code dropTarget}
   */
  void renameCollection(Namespace from, Namespace to, boolean dropTarget);

  /**
   * Changes a collection's options or an index's ({@code collMod} without its name).
   *
   * @return the fields of the reply ({@code hidden_old}, …)
   */
  BsonDocument modifyCollection(Namespace namespace, BsonDocument modification);

  /** Drops all collections of a database; false when there is none. */
  boolean dropDatabase(String database);

  /**
   * Creates indexes, all or none; creates the collection when there is none. An index that exists
   * already is passed over.
   *
   * @throws io.fairlead.engine.error.EngineException 85 IndexOptionsConflict, 86
   *     IndexKeySpecsConflict, 67 CannotCreateIndex, 11000 when documents are in its way, …
   */
  CreateIndexesOutcome createIndexes(Namespace namespace, List<IndexSpec> indexes);

  /**
   * Drops the index with that name or exactly that key pattern; the name {@code *} means all but
   * {@code _id}.
   *
   * @return how many indexes there were before
   * @throws io.fairlead.engine.error.EngineException 26, 27 IndexNotFound, 72 for the {@code _id}
   *     index
   */
  int dropIndexes(Namespace namespace, BsonValue nameOrKey);

  /** What {@link #insert} did. {@code id} is the document's {@code _id}. */
  record InsertOutcome(BsonValue id) {}

  /**
   * What {@link #update} did.
   *
   * @param matched documents that matched
   * @param modified documents that were changed by it
   * @param upsertedId {@code _id} of the document it inserted, or null
   */
  record UpdateOutcome(long matched, long modified, @Nullable BsonValue upsertedId) {
    /** The {@code n} of the reply. */
    public long n() {
      return upsertedId == null ? matched : 1;
    }
  }

  /** What {@link #delete} did. */
  record DeleteOutcome(long deleted) {}

  /**
   * What {@link #findAndModify} did.
   *
   * @param value the document before or after, projected; empty when there is none to show
   * @param matched whether a document matched
   * @param upsertedId {@code _id} of the document it inserted, or null
   */
  record FindAndModifyOutcome(
      Optional<BsonDocument> value, boolean matched, @Nullable BsonValue upsertedId) {}

  /**
   * What {@link #createIndexes} did: the numbers of indexes, and whether it had to create the
   * collection.
   */
  record CreateIndexesOutcome(int before, int after, boolean createdCollection) {}
}
