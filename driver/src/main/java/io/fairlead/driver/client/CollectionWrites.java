// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.MongoNamespace;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertManyResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.write.FindAndModify;
import io.fairlead.driver.write.Writes;
import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** What a collection writes, and what it reads. */
abstract class CollectionWrites<T> extends CollectionReads<T> {
  private final Writes<T> writes;
  private final FindAndModify<T> findAndModify;

  CollectionWrites(Scope scope, MongoNamespace namespace, Class<T> documentClass) {
    super(scope, namespace, documentClass);
    this.writes = new Writes<>(scope, namespace, documentClass, codec);
    this.findAndModify = new FindAndModify<>(scope, namespace, documentClass, codec);
  }

  final @Nullable Session session(ClientSession session) {
    return scope.deployment().session(Given.session(session));
  }

  @Override
  public BulkWriteResult bulkWrite(List<? extends WriteModel<? extends T>> requests) {
    return writes.bulk(null, requests, new BulkWriteOptions());
  }

  @Override
  public BulkWriteResult bulkWrite(
      ClientSession clientSession, List<? extends WriteModel<? extends T>> requests) {
    return writes.bulk(session(clientSession), requests, new BulkWriteOptions());
  }

  @Override
  public BulkWriteResult bulkWrite(
      List<? extends WriteModel<? extends T>> requests, BulkWriteOptions options) {
    return writes.bulk(null, requests, options);
  }

  @Override
  public BulkWriteResult bulkWrite(
      ClientSession clientSession,
      List<? extends WriteModel<? extends T>> requests,
      BulkWriteOptions options) {
    return writes.bulk(session(clientSession), requests, options);
  }

  @Override
  public InsertOneResult insertOne(T document) {
    return writes.insertOne(null, document, new InsertOneOptions());
  }

  @Override
  public InsertOneResult insertOne(ClientSession clientSession, T document) {
    return writes.insertOne(session(clientSession), document, new InsertOneOptions());
  }

  @Override
  public InsertOneResult insertOne(T document, InsertOneOptions options) {
    return writes.insertOne(null, document, options);
  }

  @Override
  public InsertOneResult insertOne(
      ClientSession clientSession, T document, InsertOneOptions options) {
    return writes.insertOne(session(clientSession), document, options);
  }

  @Override
  public InsertManyResult insertMany(List<? extends T> documents) {
    return writes.insertMany(null, documents, new InsertManyOptions());
  }

  @Override
  public InsertManyResult insertMany(ClientSession clientSession, List<? extends T> documents) {
    return writes.insertMany(session(clientSession), documents, new InsertManyOptions());
  }

  @Override
  public InsertManyResult insertMany(List<? extends T> documents, InsertManyOptions options) {
    return writes.insertMany(null, documents, options);
  }

  @Override
  public InsertManyResult insertMany(
      ClientSession clientSession, List<? extends T> documents, InsertManyOptions options) {
    return writes.insertMany(session(clientSession), documents, options);
  }

  @Override
  public DeleteResult deleteOne(Bson filter) {
    return writes.delete(null, filter, false, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteOne(ClientSession clientSession, Bson filter) {
    return writes.delete(session(clientSession), filter, false, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteOne(Bson filter, DeleteOptions options) {
    return writes.delete(null, filter, false, options);
  }

  @Override
  public DeleteResult deleteOne(ClientSession clientSession, Bson filter, DeleteOptions options) {
    return writes.delete(session(clientSession), filter, false, options);
  }

  @Override
  public DeleteResult deleteMany(Bson filter) {
    return writes.delete(null, filter, true, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteMany(ClientSession clientSession, Bson filter) {
    return writes.delete(session(clientSession), filter, true, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteMany(Bson filter, DeleteOptions options) {
    return writes.delete(null, filter, true, options);
  }

  @Override
  public DeleteResult deleteMany(ClientSession clientSession, Bson filter, DeleteOptions options) {
    return writes.delete(session(clientSession), filter, true, options);
  }

  @Override
  public UpdateResult replaceOne(Bson filter, T replacement) {
    return writes.replaceOne(null, filter, replacement, new ReplaceOptions());
  }

  @Override
  public UpdateResult replaceOne(ClientSession clientSession, Bson filter, T replacement) {
    return writes.replaceOne(session(clientSession), filter, replacement, new ReplaceOptions());
  }

  @Override
  public UpdateResult replaceOne(Bson filter, T replacement, ReplaceOptions options) {
    return writes.replaceOne(null, filter, replacement, options);
  }

  @Override
  public UpdateResult replaceOne(
      ClientSession clientSession, Bson filter, T replacement, ReplaceOptions options) {
    return writes.replaceOne(session(clientSession), filter, replacement, options);
  }

  @Override
  public UpdateResult updateOne(Bson filter, Bson update) {
    return writes.update(
        null, filter, Given.required(update, "update"), false, new UpdateOptions());
  }

  @Override
  public UpdateResult updateOne(ClientSession clientSession, Bson filter, Bson update) {
    return writes.update(
        session(clientSession),
        filter,
        Given.required(update, "update"),
        false,
        new UpdateOptions());
  }

  @Override
  public UpdateResult updateOne(Bson filter, Bson update, UpdateOptions options) {
    return writes.update(null, filter, Given.required(update, "update"), false, options);
  }

  @Override
  public UpdateResult updateOne(
      ClientSession clientSession, Bson filter, Bson update, UpdateOptions options) {
    return writes.update(
        session(clientSession), filter, Given.required(update, "update"), false, options);
  }

  @Override
  public UpdateResult updateOne(Bson filter, List<? extends Bson> update) {
    return writes.update(
        null, filter, Given.required(update, "update"), false, new UpdateOptions());
  }

  @Override
  public UpdateResult updateOne(
      ClientSession clientSession, Bson filter, List<? extends Bson> update) {
    return writes.update(
        session(clientSession),
        filter,
        Given.required(update, "update"),
        false,
        new UpdateOptions());
  }

  @Override
  public UpdateResult updateOne(Bson filter, List<? extends Bson> update, UpdateOptions options) {
    return writes.update(null, filter, Given.required(update, "update"), false, options);
  }

  @Override
  public UpdateResult updateOne(
      ClientSession clientSession,
      Bson filter,
      List<? extends Bson> update,
      UpdateOptions options) {
    return writes.update(
        session(clientSession), filter, Given.required(update, "update"), false, options);
  }

  @Override
  public UpdateResult updateMany(Bson filter, Bson update) {
    return writes.update(null, filter, Given.required(update, "update"), true, new UpdateOptions());
  }

  @Override
  public UpdateResult updateMany(ClientSession clientSession, Bson filter, Bson update) {
    return writes.update(
        session(clientSession),
        filter,
        Given.required(update, "update"),
        true,
        new UpdateOptions());
  }

  @Override
  public UpdateResult updateMany(Bson filter, Bson update, UpdateOptions options) {
    return writes.update(null, filter, Given.required(update, "update"), true, options);
  }

  @Override
  public UpdateResult updateMany(
      ClientSession clientSession, Bson filter, Bson update, UpdateOptions options) {
    return writes.update(
        session(clientSession), filter, Given.required(update, "update"), true, options);
  }

  @Override
  public UpdateResult updateMany(Bson filter, List<? extends Bson> update) {
    return writes.update(null, filter, Given.required(update, "update"), true, new UpdateOptions());
  }

  @Override
  public UpdateResult updateMany(
      ClientSession clientSession, Bson filter, List<? extends Bson> update) {
    return writes.update(
        session(clientSession),
        filter,
        Given.required(update, "update"),
        true,
        new UpdateOptions());
  }

  @Override
  public UpdateResult updateMany(Bson filter, List<? extends Bson> update, UpdateOptions options) {
    return writes.update(null, filter, Given.required(update, "update"), true, options);
  }

  @Override
  public UpdateResult updateMany(
      ClientSession clientSession,
      Bson filter,
      List<? extends Bson> update,
      UpdateOptions options) {
    return writes.update(
        session(clientSession), filter, Given.required(update, "update"), true, options);
  }

  @Override
  public @Nullable T findOneAndDelete(Bson filter) {
    return findAndModify.delete(null, filter, new FindOneAndDeleteOptions());
  }

  @Override
  public @Nullable T findOneAndDelete(ClientSession clientSession, Bson filter) {
    return findAndModify.delete(session(clientSession), filter, new FindOneAndDeleteOptions());
  }

  @Override
  public @Nullable T findOneAndDelete(Bson filter, FindOneAndDeleteOptions options) {
    return findAndModify.delete(null, filter, options);
  }

  @Override
  public @Nullable T findOneAndDelete(
      ClientSession clientSession, Bson filter, FindOneAndDeleteOptions options) {
    return findAndModify.delete(session(clientSession), filter, options);
  }

  @Override
  public @Nullable T findOneAndReplace(Bson filter, T replacement) {
    return findAndModify.replace(null, filter, replacement, new FindOneAndReplaceOptions());
  }

  @Override
  public @Nullable T findOneAndReplace(ClientSession clientSession, Bson filter, T replacement) {
    return findAndModify.replace(
        session(clientSession), filter, replacement, new FindOneAndReplaceOptions());
  }

  @Override
  public @Nullable T findOneAndReplace(
      Bson filter, T replacement, FindOneAndReplaceOptions options) {
    return findAndModify.replace(null, filter, replacement, options);
  }

  @Override
  public @Nullable T findOneAndReplace(
      ClientSession clientSession, Bson filter, T replacement, FindOneAndReplaceOptions options) {
    return findAndModify.replace(session(clientSession), filter, replacement, options);
  }

  @Override
  public @Nullable T findOneAndUpdate(Bson filter, Bson update) {
    return findAndModify.update(null, filter, update, new FindOneAndUpdateOptions());
  }

  @Override
  public @Nullable T findOneAndUpdate(ClientSession clientSession, Bson filter, Bson update) {
    return findAndModify.update(
        session(clientSession), filter, update, new FindOneAndUpdateOptions());
  }

  @Override
  public @Nullable T findOneAndUpdate(Bson filter, Bson update, FindOneAndUpdateOptions options) {
    return findAndModify.update(null, filter, update, options);
  }

  @Override
  public @Nullable T findOneAndUpdate(
      ClientSession clientSession, Bson filter, Bson update, FindOneAndUpdateOptions options) {
    return findAndModify.update(session(clientSession), filter, update, options);
  }

  @Override
  public @Nullable T findOneAndUpdate(Bson filter, List<? extends Bson> update) {
    return findAndModify.update(null, filter, update, new FindOneAndUpdateOptions());
  }

  @Override
  public @Nullable T findOneAndUpdate(
      ClientSession clientSession, Bson filter, List<? extends Bson> update) {
    return findAndModify.update(
        session(clientSession), filter, update, new FindOneAndUpdateOptions());
  }

  @Override
  public @Nullable T findOneAndUpdate(
      Bson filter, List<? extends Bson> update, FindOneAndUpdateOptions options) {
    return findAndModify.update(null, filter, update, options);
  }

  @Override
  public @Nullable T findOneAndUpdate(
      ClientSession clientSession,
      Bson filter,
      List<? extends Bson> update,
      FindOneAndUpdateOptions options) {
    return findAndModify.update(session(clientSession), filter, update, options);
  }
}
