// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.cursor.CursorOptions;
import io.fairlead.driver.cursor.ReplyCursor;
import io.fairlead.driver.write.ClientModels.Namespaced;
import io.fairlead.topology.retry.Retryability;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on several collections: {@code bulkWrite}, in as many commands as the server's
 * limits ask for. What became of them is told by a cursor. Follows the specification of bulk
 * writes.
 */
public final class ClientBulkWrite {
  private final Scope scope;
  private final boolean ordered;
  private final boolean verbose;
  private final RawBsonDocument body;
  private final @Nullable BsonValue comment;

  private ClientBulkWrite(Scope scope, Accessors options) {
    this.scope = scope;
    this.ordered = !Boolean.FALSE.equals(options.optional("isOrdered", Boolean.class));
    this.verbose = Boolean.TRUE.equals(options.optional("isVerboseResults", Boolean.class));
    this.comment = options.optional("getComment", BsonValue.class);
    this.body =
        CommandBody.of("bulkWrite", BsonDocument.class, scope.codecs())
            .bool("errorsOnly", !verbose)
            .bool("ordered", ordered)
            .bool(
                "bypassDocumentValidation",
                options.optional("isBypassDocumentValidation", Boolean.class))
            .value("comment", comment)
            .document("let", options.optional("getLet", Bson.class))
            .writeConcern(scope.writeConcernOnWire())
            .end();
  }

  /**
   * Runs them.
   *
   * @param given the application's session; null: one of the client's own
   * @throws com.mongodb.ClientBulkWriteException if a statement fails, a write concern is not
   *     reached, or an error ends the bulk after something was done
   * @throws MongoClientException for what an unacknowledged bulk can not tell
   */
  public static ClientBulkWriteResult run(
      Scope client,
      @Nullable Session given,
      List<? extends ClientNamespacedWriteModel> models,
      ClientBulkWriteOptions options) {
    Scope scope = client.forWritesIn(given);
    List<Namespaced> statements = new ClientModels(scope.codecs()).statements(models);
    ClientBulkWrite bulk = new ClientBulkWrite(scope, new Accessors(options));
    if (!scope.writeConcern().isAcknowledged()) {
      bulk.unacknowledged(statements, given);
      return new ClientBulkResults.Unacknowledged();
    }
    if (given != null) {
      return bulk.acknowledged(statements, given);
    }
    try (Session own = scope.deployment().implicitSession()) {
      return bulk.acknowledged(statements, own);
    }
  }

  private ClientBulkWriteResult acknowledged(List<Namespaced> statements, Session session) {
    ClientBulkOutcome outcome = new ClientBulkOutcome(ordered, verbose);
    int from = 0;
    while (from < statements.size() && !outcome.mustStop()) {
      ClientBatch batch = batch(statements, from);
      try {
        send(batch, session, outcome);
      } catch (MongoException error) {
        throw outcome.endedBy(error);
      }
      from += batch.taken();
    }
    return outcome.result();
  }

  private void send(ClientBatch batch, Session session, ClientBulkOutcome outcome) {
    CommandResult answer =
        scope
            .deployment()
            .execute(
                operation(batch)
                    .session(session)
                    .afterClusterTime(true)
                    .retry(batch.hasMulti() ? Retryability.WRITE_ONCE : Retryability.WRITE)
                    .build());
    outcome.add(batch, answer);
    try (ReplyCursor<BsonDocument> told =
        ReplyCursor.of(
            scope,
            answer,
            session,
            new BsonDocumentCodec(),
            new CursorOptions(0, 0, comment, null))) {
      while (told.hasNext()) {
        outcome.add(batch, told.next());
      }
    }
  }

  private void unacknowledged(List<Namespaced> statements, @Nullable Session session) {
    if (session != null) {
      throw new MongoClientException(
          "Unacknowledged writes are not supported when using an explicit session");
    }
    if (verbose) {
      throw new MongoClientException(
          "Cannot request unacknowledged write concern and verbose results");
    }
    if (ordered) {
      throw new MongoClientException(
          "Cannot request unacknowledged write concern and ordered writes");
    }
    int from = 0;
    while (from < statements.size()) {
      ClientBatch batch = batch(statements, from);
      scope.deployment().execute(operation(batch).acknowledged(false).build());
      from += batch.taken();
    }
  }

  private ClientBatch batch(List<Namespaced> statements, int from) {
    return new ClientBatch(statements, from, body.getByteBuffer().remaining());
  }

  private Operation.Builder operation(ClientBatch batch) {
    return scope.write("admin", body).splitter(batch);
  }
}
