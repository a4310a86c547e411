// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoNamespace;
import com.mongodb.bulk.BulkWriteInsert;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertManyResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.BsonEncoding;
import io.fairlead.driver.command.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one collection as its callers know them. Immutable.
 *
 * @param <T> the collection's documents, encoded by a codec that is bound once
 */
public final class Writes<T> {
  private final Scope scope;
  private final MongoNamespace namespace;
  private final Class<T> documentClass;
  private final Codec<T> codec;

  /** The writes of a collection. */
  public Writes(Scope scope, MongoNamespace namespace, Class<T> documentClass, Codec<T> codec) {
    this.scope = scope;
    this.namespace = namespace;
    this.documentClass = documentClass;
    this.codec = codec;
  }

  public InsertOneResult insertOne(
      @Nullable Session session, T document, InsertOneOptions options) {
    return SingleWrite.insert(
        request(session, true, options.getBypassDocumentValidation(), options.getComment(), null),
        Insert.of(document, codec));
  }

  public InsertManyResult insertMany(
      @Nullable Session session, List<? extends T> documents, InsertManyOptions options) {
    requireSome(documents, "documents");
    List<Statement> inserts = new ArrayList<>(documents.size());
    documents.forEach(document -> inserts.add(Insert.of(document, codec)));
    BulkWriteResult result =
        BulkWrite.run(
            request(
                session,
                options.isOrdered(),
                options.getBypassDocumentValidation(),
                options.getComment(),
                null),
            inserts);
    if (!result.wasAcknowledged()) {
      return InsertManyResult.unacknowledged();
    }
    Map<Integer, BsonValue> ids = new HashMap<>();
    for (BulkWriteInsert insert : result.getInserts()) {
      ids.put(insert.getIndex(), insert.getId());
    }
    return InsertManyResult.acknowledged(ids);
  }

  public UpdateResult update(
      @Nullable Session session, Bson filter, Object change, boolean multi, UpdateOptions options) {
    return SingleWrite.update(
        request(
            session,
            true,
            options.getBypassDocumentValidation(),
            options.getComment(),
            options.getLet()),
        updateOf(filter, change, multi, options));
  }

  public UpdateResult replaceOne(
      @Nullable Session session, Bson filter, T replacement, ReplaceOptions options) {
    return SingleWrite.update(
        request(
            session,
            true,
            options.getBypassDocumentValidation(),
            options.getComment(),
            options.getLet()),
        replacementOf(filter, replacement, options));
  }

  public DeleteResult delete(
      @Nullable Session session, Bson filter, boolean multi, DeleteOptions options) {
    return SingleWrite.delete(
        request(session, true, null, options.getComment(), options.getLet()),
        deleteOf(filter, multi, options));
  }

  /**
   * Runs a bulk of writes.
   *
   * @throws MongoBulkWriteException if a statement fails
   */
  public BulkWriteResult bulk(
      @Nullable Session session,
      List<? extends WriteModel<? extends T>> models,
      BulkWriteOptions options) {
    requireSome(models, "writes");
    List<Statement> statements = new ArrayList<>(models.size());
    models.forEach(model -> statements.add(statement(model)));
    return BulkWrite.run(
        request(
            session,
            options.isOrdered(),
            options.getBypassDocumentValidation(),
            options.getComment(),
            options.getLet()),
        statements);
  }

  private Statement statement(@Nullable WriteModel<? extends T> model) {
    return switch (model) {
      case null -> throw new IllegalArgumentException("requests can not contain a null value");
      case InsertOneModel<? extends T> insert -> Insert.of(insert.getDocument(), codec);
      case ReplaceOneModel<? extends T> replace ->
          replacementOf(replace.getFilter(), replace.getReplacement(), replace.getReplaceOptions());
      case UpdateOneModel<? extends T> update ->
          updateOf(
              update.getFilter(),
              change(update.getUpdate(), update.getUpdatePipeline()),
              false,
              update.getOptions());
      case UpdateManyModel<? extends T> update ->
          updateOf(
              update.getFilter(),
              change(update.getUpdate(), update.getUpdatePipeline()),
              true,
              update.getOptions());
      case DeleteOneModel<? extends T> delete ->
          deleteOf(delete.getFilter(), false, delete.getOptions());
      case DeleteManyModel<? extends T> delete ->
          deleteOf(delete.getFilter(), true, delete.getOptions());
      default ->
          throw new UnsupportedOperationException(
              "WriteModel of type " + model.getClass() + " is not supported");
    };
  }

  private static Object change(@Nullable Bson update, @Nullable List<? extends Bson> pipeline) {
    if (update != null) {
      return update;
    }
    if (pipeline != null) {
      return pipeline;
    }
    throw new IllegalArgumentException("update can not be null");
  }

  /** The change is a document or a list of stages. */
  private Update updateOf(Bson filter, Object change, boolean multi, UpdateOptions options) {
    return new Update(
        required(filter, "filter"),
        changeOf(change),
        false,
        multi,
        options.isUpsert(),
        options.getCollation(),
        documents(options.getArrayFilters()),
        hint(options.getHint(), options.getHintString()),
        document(options.getSort()));
  }

  private BsonValue changeOf(Object change) {
    if (change instanceof List<?> stages) {
      List<Bson> pipeline = new ArrayList<>(stages.size());
      for (Object stage : stages) {
        pipeline.add((Bson) stage);
      }
      return BsonEncoding.array(pipeline, documentClass, scope.codecs());
    }
    return required((Bson) change, "update");
  }

  private Update replacementOf(Bson filter, @Nullable T replacement, ReplaceOptions options) {
    if (replacement == null) {
      throw new IllegalArgumentException("replacement can not be null");
    }
    return new Update(
        required(filter, "filter"),
        BsonEncoding.wrapped(replacement, codec),
        true,
        false,
        options.isUpsert(),
        options.getCollation(),
        null,
        hint(options.getHint(), options.getHintString()),
        document(options.getSort()));
  }

  private Delete deleteOf(Bson filter, boolean multi, DeleteOptions options) {
    return new Delete(
        required(filter, "filter"),
        multi,
        options.getCollation(),
        hint(options.getHint(), options.getHintString()));
  }

  private WriteRequest request(
      @Nullable Session session,
      boolean ordered,
      @Nullable Boolean bypassDocumentValidation,
      @Nullable BsonValue comment,
      @Nullable Bson let) {
    return new WriteRequest(
        scope.forWritesIn(session),
        namespace,
        session,
        ordered,
        bypassDocumentValidation,
        comment,
        document(let));
  }

  private @Nullable BsonDocument document(@Nullable Bson bson) {
    return BsonEncoding.document(bson, documentClass, scope.codecs());
  }

  private BsonDocument required(@Nullable Bson bson, String name) {
    if (bson == null) {
      throw new IllegalArgumentException(name + " can not be null");
    }
    return bson.toBsonDocument(documentClass, scope.codecs());
  }

  private @Nullable List<BsonDocument> documents(@Nullable List<? extends Bson> list) {
    if (list == null) {
      return null;
    }
    List<BsonDocument> documents = new ArrayList<>(list.size());
    list.forEach(each -> documents.add(required(each, "an array filter")));
    return documents;
  }

  private @Nullable BsonValue hint(@Nullable Bson hint, @Nullable String name) {
    if (hint != null) {
      return document(hint);
    }
    return name == null ? null : new BsonString(name);
  }

  private static void requireSome(@Nullable List<?> list, String name) {
    if (list == null || list.isEmpty()) {
      throw new IllegalArgumentException(name + " can not be null or empty");
    }
  }
}
