// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import io.fairlead.cluster.CommandResult;
import io.fairlead.driver.command.BsonEncoding;
import io.fairlead.driver.command.RawFields;
import io.fairlead.driver.command.Replies;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;

/**
 * How many documents there are: counted by an aggregation, or estimated from what the server keeps.
 */
public final class Count {
  private Count() {}

  /** Counts the documents that match. */
  public static long exactly(Target target, Bson filter, CountOptions options) {
    if (filter == null) {
      throw new IllegalArgumentException("filter can not be null");
    }
    BsonArray pipeline = new BsonArray();
    pipeline.add(
        new BsonDocument(
            "$match", filter.toBsonDocument(target.documentClass(), target.scope().codecs())));
    if (options.getSkip() > 0) {
      pipeline.add(new BsonDocument("$skip", new BsonInt64(options.getSkip())));
    }
    if (options.getLimit() > 0) {
      pipeline.add(new BsonDocument("$limit", new BsonInt64(options.getLimit())));
    }
    pipeline.add(
        new BsonDocument(
            "$group",
            new BsonDocument("_id", new BsonInt32(1))
                .append("n", new BsonDocument("$sum", new BsonInt32(1)))));
    RawBsonDocument command =
        target
            .command("aggregate")
            .readConcern(target.scope().readConcern())
            .array("pipeline", pipeline)
            .cursor(null)
            .collation(options.getCollation())
            .value("comment", options.getComment())
            .hint(
                BsonEncoding.document(
                    options.getHint(), target.documentClass(), target.scope().codecs()),
                options.getHintString())
            .maxTime(target.scope().maxTime(options.getMaxTime(TimeUnit.MILLISECONDS)))
            .end();
    RawBsonDocument reply = read(target, command).reply();
    RawFields fields = RawFields.of(reply);
    if (!fields.find("cursor")) {
      throw new MongoException("the reply has no cursor: " + reply.toJson());
    }
    RawFields cursor = fields.nested();
    if (!cursor.find("firstBatch")) {
      throw new MongoException("the reply's cursor has no firstBatch: " + reply.toJson());
    }
    RawFields batch = cursor.nested();
    if (!batch.advance()) {
      return 0;
    }
    RawFields group = batch.nested();
    if (!group.find("n")) {
      throw new MongoException("the group has no n: " + reply.toJson());
    }
    return group.number();
  }

  /** What the server believes to have; a collection that does not exist has nothing. */
  public static long estimated(Target target, EstimatedDocumentCountOptions options) {
    RawBsonDocument command =
        target
            .command("count")
            .readConcern(target.scope().readConcern())
            .value("comment", options.getComment())
            .maxTime(target.scope().maxTime(options.getMaxTime(TimeUnit.MILLISECONDS)))
            .end();
    try {
      RawBsonDocument reply = read(target, command).reply();
      RawFields fields = RawFields.of(reply);
      if (!fields.find("n")) {
        throw new MongoException("the reply has no n: " + reply.toJson());
      }
      return fields.number();
    } catch (MongoCommandException e) {
      if (Replies.isNamespaceNotFound(e)) {
        return 0;
      }
      throw e;
    }
  }

  private static CommandResult read(Target target, RawBsonDocument command) {
    return target.execute(target.operation(command, OperationKind.READ).retry(Retryability.READ));
  }
}
