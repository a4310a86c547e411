// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientUpdateResult;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertManyResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;

/** The driver's result objects as documents, with the names that the specifications give. */
public final class Results {
  private Results() {}

  public static BsonDocument of(InsertOneResult result) {
    if (!result.wasAcknowledged()) {
      return unacknowledged();
    }
    return result.getInsertedId() == null
        ? new BsonDocument()
        : new BsonDocument("insertedId", result.getInsertedId());
  }

  public static BsonDocument of(InsertManyResult result) {
    if (!result.wasAcknowledged()) {
      return unacknowledged();
    }
    BsonDocument ids = new BsonDocument();
    result
        .getInsertedIds()
        .forEach((index, id) -> ids.append(index.toString(), id == null ? BsonNull.VALUE : id));
    return new BsonDocument("insertedIds", ids);
  }

  public static BsonDocument of(UpdateResult result) {
    if (!result.wasAcknowledged()) {
      return unacknowledged();
    }
    BsonDocument document =
        new BsonDocument("matchedCount", new BsonInt64(result.getMatchedCount()))
            .append("modifiedCount", new BsonInt64(result.getModifiedCount()))
            .append("upsertedCount", new BsonInt64(result.getUpsertedId() == null ? 0 : 1));
    if (result.getUpsertedId() != null) {
      document.append("upsertedId", result.getUpsertedId());
    }
    return document;
  }

  public static BsonDocument of(DeleteResult result) {
    return result.wasAcknowledged()
        ? new BsonDocument("deletedCount", new BsonInt64(result.getDeletedCount()))
        : unacknowledged();
  }

  public static BsonDocument of(BulkWriteResult result) {
    if (!result.wasAcknowledged()) {
      return unacknowledged();
    }
    BsonDocument upserted = new BsonDocument();
    result
        .getUpserts()
        .forEach(each -> upserted.append(Integer.toString(each.getIndex()), each.getId()));
    BsonDocument inserted = new BsonDocument();
    result
        .getInserts()
        .forEach(each -> inserted.append(Integer.toString(each.getIndex()), each.getId()));
    return new BsonDocument("deletedCount", new BsonInt64(result.getDeletedCount()))
        .append("insertedCount", new BsonInt64(result.getInsertedCount()))
        .append("matchedCount", new BsonInt64(result.getMatchedCount()))
        .append("modifiedCount", new BsonInt64(result.getModifiedCount()))
        .append("upsertedCount", new BsonInt64(upserted.size()))
        .append("upsertedIds", upserted)
        .append("insertedIds", inserted);
  }

  public static BsonDocument of(ClientBulkWriteResult result) {
    if (!result.isAcknowledged()) {
      return unacknowledged();
    }
    BsonDocument document =
        new BsonDocument("insertedCount", new BsonInt64(result.getInsertedCount()))
            .append("upsertedCount", new BsonInt64(result.getUpsertedCount()))
            .append("matchedCount", new BsonInt64(result.getMatchedCount()))
            .append("modifiedCount", new BsonInt64(result.getModifiedCount()))
            .append("deletedCount", new BsonInt64(result.getDeletedCount()));
    result
        .getVerboseResults()
        .ifPresent(
            verbose -> {
              BsonDocument inserts = new BsonDocument();
              verbose
                  .getInsertResults()
                  .forEach(
                      (index, each) ->
                          inserts.append(
                              index.toString(),
                              new BsonDocument(
                                  "insertedId", each.getInsertedId().orElse(BsonNull.VALUE))));
              BsonDocument updates = new BsonDocument();
              verbose
                  .getUpdateResults()
                  .forEach((index, each) -> updates.append(index.toString(), of(each)));
              BsonDocument deletes = new BsonDocument();
              verbose
                  .getDeleteResults()
                  .forEach(
                      (index, each) ->
                          deletes.append(
                              index.toString(),
                              new BsonDocument(
                                  "deletedCount", new BsonInt64(each.getDeletedCount()))));
              document
                  .append("insertResults", inserts)
                  .append("updateResults", updates)
                  .append("deleteResults", deletes);
            });
    return document;
  }

  private static BsonDocument of(ClientUpdateResult result) {
    BsonDocument document =
        new BsonDocument("matchedCount", new BsonInt64(result.getMatchedCount()))
            .append("modifiedCount", new BsonInt64(result.getModifiedCount()));
    result.getUpsertedId().ifPresent(id -> document.append("upsertedId", id));
    return document;
  }

  private static BsonDocument unacknowledged() {
    return new BsonDocument("acknowledged", BsonBoolean.FALSE);
  }
}
