// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoClientException;
import com.mongodb.MongoNamespace;
import com.mongodb.WriteConcern;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.Scope;
import io.fairlead.topology.retry.Retryability;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Where statements go and what holds for all of them.
 *
 * @param session the application's session; null: an implicit one for each command
 * @param ordered whether statements run in their order and stop at the first that fails
 * @param let variables for filters and pipelines; null: none
 */
record WriteRequest(
    Scope scope,
    MongoNamespace namespace,
    @Nullable Session session,
    boolean ordered,
    @Nullable Boolean bypassDocumentValidation,
    @Nullable BsonValue comment,
    @Nullable BsonDocument let) {

  boolean acknowledged() {
    return scope.writeConcern().isAcknowledged();
  }

  /**
   * Refuses what an unacknowledged write can not carry: its failure would never be seen.
   *
   * @throws MongoClientException if there is such a thing
   */
  void requireSendable(List<Statement> statements) {
    if (acknowledged()) {
      return;
    }
    if (session != null) {
      throw new MongoClientException(
          "Unacknowledged writes are not supported when using an explicit session");
    }
    if (bypassDocumentValidation != null) {
      throw new MongoClientException(
          "Specifying bypassDocumentValidation with an unacknowledged WriteConcern is not"
              + " supported");
    }
    for (Statement statement : statements) {
      String needing = statement.needsAcknowledgement();
      if (needing != null) {
        throw new MongoClientException(
            "Specifying " + needing + " with an unacknowledged WriteConcern is not supported");
      }
    }
  }

  /** The command for a batch; what it carries is decided when its server is known. */
  Operation operation(Batch batch) {
    WriteConcern writeConcern = scope.writeConcernOnWire();
    RawBsonDocument body =
        CommandBody.of(
                batch.kind().command(),
                namespace.getCollectionName(),
                RawBsonDocument.class,
                scope.codecs())
            .bool("ordered", ordered)
            .writeConcern(writeConcern)
            .bool("bypassDocumentValidation", bypassDocumentValidation)
            .value("comment", comment)
            .value("let", let)
            .end();
    return scope
        .write(namespace.getDatabaseName(), body)
        .splitter(batch)
        .session(session)
        .afterClusterTime(acknowledged())
        .acknowledged(acknowledged())
        .retry(acknowledged() && !batch.hasMulti() ? Retryability.WRITE : Retryability.WRITE_ONCE)
        .build();
  }
}
