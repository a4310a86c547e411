// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientDeleteResult;
import com.mongodb.client.model.bulk.ClientInsertOneResult;
import com.mongodb.client.model.bulk.ClientUpdateResult;
import io.fairlead.driver.command.RawFields;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** The results of a client's bulk write, as the public interfaces have them. */
final class ClientBulkResults {
  private ClientBulkResults() {}

  /** Documents by what was done to them. */
  record Counts(long inserted, long upserted, long matched, long modified, long deleted) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    /** With those of one more reply. */
    Counts plus(RawBsonDocument reply) {
      long[] more = new long[5];
      RawFields fields = RawFields.of(reply);
      while (fields.advance()) {
        if (fields.named("nInserted")) {
          more[0] = fields.number();
        } else if (fields.named("nUpserted")) {
          more[1] = fields.number();
        } else if (fields.named("nMatched")) {
          more[2] = fields.number();
        } else if (fields.named("nModified")) {
          more[3] = fields.number();
        } else if (fields.named("nDeleted")) {
          more[4] = fields.number();
        }
      }
      return new Counts(
          inserted + more[0],
          upserted + more[1],
          matched + more[2],
          modified + more[3],
          deleted + more[4]);
    }
  }

  /** Of an acknowledged bulk write. */
  record Summary(Counts counts, Optional<ClientBulkWriteResult.VerboseResults> verbose)
      implements ClientBulkWriteResult {
    @Override
    public boolean isAcknowledged() {
      return true;
    }

    @Override
    public long getInsertedCount() {
      return counts.inserted();
    }

    @Override
    public long getUpsertedCount() {
      return counts.upserted();
    }

    @Override
    public long getMatchedCount() {
      return counts.matched();
    }

    @Override
    public long getModifiedCount() {
      return counts.modified();
    }

    @Override
    public long getDeletedCount() {
      return counts.deleted();
    }

    @Override
    public Optional<ClientBulkWriteResult.VerboseResults> getVerboseResults() {
      return verbose;
    }
  }

  /** Of an unacknowledged one: nobody knows. */
  record Unacknowledged() implements ClientBulkWriteResult {
    @Override
    public boolean isAcknowledged() {
      return false;
    }

    @Override
    public long getInsertedCount() {
      throw unknown();
    }

    @Override
    public long getUpsertedCount() {
      throw unknown();
    }

    @Override
    public long getMatchedCount() {
      throw unknown();
    }

    @Override
    public long getModifiedCount() {
      throw unknown();
    }

    @Override
    public long getDeletedCount() {
      throw unknown();
    }

    @Override
    public Optional<ClientBulkWriteResult.VerboseResults> getVerboseResults() {
      throw unknown();
    }

    private static UnsupportedOperationException unknown() {
      return new UnsupportedOperationException(
          "Cannot get information about an unacknowledged write");
    }
  }

  /** What became of each statement that succeeded, by its place. */
  record Verbose(
      Map<Integer, ClientInsertOneResult> inserts,
      Map<Integer, ClientUpdateResult> updates,
      Map<Integer, ClientDeleteResult> deletes)
      implements ClientBulkWriteResult.VerboseResults {
    Verbose {
      inserts = Map.copyOf(inserts);
      updates = Map.copyOf(updates);
      deletes = Map.copyOf(deletes);
    }

    @Override
    public Map<Integer, ClientInsertOneResult> getInsertResults() {
      return inserts;
    }

    @Override
    public Map<Integer, ClientUpdateResult> getUpdateResults() {
      return updates;
    }

    @Override
    public Map<Integer, ClientDeleteResult> getDeleteResults() {
      return deletes;
    }
  }

  record Inserted(Optional<BsonValue> id) implements ClientInsertOneResult {
    @Override
    public Optional<BsonValue> getInsertedId() {
      return id;
    }
  }

  /**
   * An update.
   *
   * @param matched as the server tells it: a document that was inserted counts
   */
  record Updated(long matched, long modified, Optional<BsonValue> upsertedId)
      implements ClientUpdateResult {
    @Override
    public long getMatchedCount() {
      return matched;
    }

    @Override
    public long getModifiedCount() {
      return modified;
    }

    @Override
    public Optional<BsonValue> getUpsertedId() {
      return upsertedId;
    }
  }

  record Deleted(long count) implements ClientDeleteResult {
    @Override
    public long getDeletedCount() {
      return count;
    }
  }
}
