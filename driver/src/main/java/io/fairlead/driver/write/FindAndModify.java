// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.WriteConcern;
import com.mongodb.WriteConcernResult;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.BsonEncoding;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.RawFields;
import io.fairlead.driver.command.Replies;
import io.fairlead.driver.command.Scope;
import io.fairlead.topology.retry.Retryability;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonType;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * {@code findAndModify}: changes one document and gives it back, as it was or as it is then.
 * Immutable.
 *
 * @param <T> the collection's documents
 */
public final class FindAndModify<T> {
  private final Scope scope;
  private final MongoNamespace namespace;
  private final Class<T> documentClass;
  private final Codec<T> codec;

  public FindAndModify(
      Scope scope, MongoNamespace namespace, Class<T> documentClass, Codec<T> codec) {
    this.scope = scope;
    this.namespace = namespace;
    this.documentClass = documentClass;
    this.codec = codec;
  }

  public @Nullable T delete(
      @Nullable Session session, Bson filter, FindOneAndDeleteOptions options) {
    CommandBody body =
        start(filter, options.getProjection(), options.getSort())
            .flag("remove", true)
            .writeConcern(writeConcern())
            .collation(options.getCollation())
            .hint(options.getHint(), options.getHintString())
            .value("comment", options.getComment())
            .document("let", options.getLet());
    return run(session, body, options.getMaxTime(TimeUnit.MILLISECONDS));
  }

  public @Nullable T replace(
      @Nullable Session session, Bson filter, T replacement, FindOneAndReplaceOptions options) {
    if (replacement == null) {
      throw new IllegalArgumentException("replacement can not be null");
    }
    RawBsonDocument encoded =
        CommandBody.whole(BsonEncoding.wrapped(replacement, codec), documentClass, scope.codecs());
    Update.requireReplacement(RawFields.of(encoded));
    CommandBody body =
        start(filter, options.getProjection(), options.getSort())
            .bool("new", options.getReturnDocument() == ReturnDocument.AFTER)
            .flag("upsert", options.isUpsert())
            .value("update", encoded)
            .bool("bypassDocumentValidation", options.getBypassDocumentValidation())
            .writeConcern(writeConcern())
            .collation(options.getCollation())
            .hint(options.getHint(), options.getHintString())
            .value("comment", options.getComment())
            .document("let", options.getLet());
    return run(session, body, options.getMaxTime(TimeUnit.MILLISECONDS));
  }

  public @Nullable T update(
      @Nullable Session session, Bson filter, Bson update, FindOneAndUpdateOptions options) {
    if (update == null) {
      throw new IllegalArgumentException("update can not be null");
    }
    RawBsonDocument encoded = CommandBody.whole(update, documentClass, scope.codecs());
    Update.requireOperators(RawFields.of(encoded));
    return run(
        session,
        updating(filter, options).value("update", encoded),
        options.getMaxTime(TimeUnit.MILLISECONDS));
  }

  public @Nullable T update(
      @Nullable Session session,
      Bson filter,
      List<? extends Bson> pipeline,
      FindOneAndUpdateOptions options) {
    BsonArray stages = BsonEncoding.array(pipeline, documentClass, scope.codecs());
    Update.requirePipeline(stages);
    return run(
        session,
        updating(filter, options).array("update", stages),
        options.getMaxTime(TimeUnit.MILLISECONDS));
  }

  private CommandBody updating(Bson filter, FindOneAndUpdateOptions options) {
    return start(filter, options.getProjection(), options.getSort())
        .bool("new", options.getReturnDocument() == ReturnDocument.AFTER)
        .flag("upsert", options.isUpsert())
        .bool("bypassDocumentValidation", options.getBypassDocumentValidation())
        .documents("arrayFilters", options.getArrayFilters())
        .writeConcern(writeConcern())
        .collation(options.getCollation())
        .hint(options.getHint(), options.getHintString())
        .value("comment", options.getComment())
        .document("let", options.getLet());
  }

  private CommandBody start(Bson filter, @Nullable Bson projection, @Nullable Bson sort) {
    if (filter == null) {
      throw new IllegalArgumentException("filter can not be null");
    }
    return CommandBody.of(
            "findAndModify", namespace.getCollectionName(), documentClass, scope.codecs())
        .document("query", filter)
        .document("fields", projection)
        .document("sort", sort);
  }

  /** It gives back a document, so it always awaits a reply: what asks for none is not sent. */
  private WriteConcern writeConcern() {
    WriteConcern writeConcern = scope.writeConcernOnWire();
    return writeConcern.isAcknowledged() ? writeConcern : WriteConcern.ACKNOWLEDGED;
  }

  /**
   * @throws MongoWriteConcernException if the change did not reach its write concern
   */
  private @Nullable T run(@Nullable Session session, CommandBody body, long maxTimeMillis) {
    RawBsonDocument command = body.maxTime(scope.maxTime(maxTimeMillis)).end();
    CommandResult result =
        scope
            .deployment()
            .execute(
                scope
                    .write(namespace.getDatabaseName(), command)
                    .retry(
                        scope.writeConcern().isAcknowledged()
                            ? Retryability.WRITE
                            : Retryability.WRITE_ONCE)
                    .session(session)
                    .afterClusterTime(true)
                    .build());
    RawFields fields = RawFields.of(result.reply());
    if (fields.find("writeConcernError")) {
      throw failure(result);
    }
    RawFields value = RawFields.of(result.reply());
    return value.find("value") && value.type() == BsonType.DOCUMENT ? value.decode(codec) : null;
  }

  private static MongoWriteConcernException failure(CommandResult result) {
    BsonDocument reply = result.reply();
    BsonDocument done = reply.getDocument("lastErrorObject", new BsonDocument());
    return new MongoWriteConcernException(
        Replies.writeConcernError(reply.getDocument("writeConcernError")),
        WriteConcernResult.acknowledged(
            done.getNumber("n", new BsonInt32(0)).intValue(),
            done.getBoolean("updatedExisting", BsonBoolean.FALSE).getValue(),
            done.get("upserted")),
        Replies.address(result.server()),
        Replies.labels(reply));
  }
}
