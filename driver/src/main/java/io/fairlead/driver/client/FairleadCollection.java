// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.DistinctIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.ListIndexesIterable;
import com.mongodb.client.ListSearchIndexesIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.DropCollectionOptions;
import com.mongodb.client.model.DropIndexOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.SearchIndexModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertManyResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.RoutedCollection;
import io.fairlead.driver.admin.CollectionAdmin;
import io.fairlead.driver.admin.Indexes;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.cursor.Aggregate;
import io.fairlead.driver.cursor.Count;
import io.fairlead.driver.cursor.Distinct;
import io.fairlead.driver.cursor.Find;
import io.fairlead.driver.cursor.ListIndexes;
import io.fairlead.driver.cursor.ListSearchIndexes;
import io.fairlead.driver.cursor.Target;
import io.fairlead.driver.write.FindAndModify;
import io.fairlead.driver.write.Writes;
import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * One collection as it was asked for: its class, its codec and what was set on it or on what it
 * came from. Immutable; a {@code with…} makes another.
 */
final class FairleadCollection<T> implements RoutedCollection<T> {
  private final Scope scope;
  private final MongoNamespace namespace;
  private final Class<T> documentClass;
  private final Codec<T> codec;
  private final Writes<T> writes;
  private final FindAndModify<T> findAndModify;
  private final Indexes indexes;

  FairleadCollection(Scope scope, MongoNamespace namespace, Class<T> documentClass) {
    this.scope = scope;
    this.namespace = namespace;
    this.documentClass = Given.required(documentClass, "documentClass");
    this.codec = scope.codecs().get(documentClass);
    this.writes = new Writes<>(scope, namespace, documentClass, codec);
    this.findAndModify = new FindAndModify<>(scope, namespace, documentClass, codec);
    this.indexes = new Indexes(scope, namespace);
  }

  private FairleadCollection<T> with(Scope changed) {
    return new FairleadCollection<>(changed, namespace, documentClass);
  }

  @Override
  public RoutedCollection<T> latencyWindow(@Nullable LatencyWindow window) {
    return with(scope.withReading(scope.reading().withRouting(window, scope.reading().maxPing())));
  }

  @Override
  public RoutedCollection<T> maxPing(@Nullable Duration limit) {
    return with(
        scope.withReading(scope.reading().withRouting(scope.reading().latencyWindow(), limit)));
  }

  private Target target(@Nullable ClientSession session) {
    return new Target(scope, namespace, documentClass, session);
  }

  private @Nullable Session session(@Nullable ClientSession session) {
    return scope.deployment().session(session);
  }

  @Override
  public MongoNamespace getNamespace() {
    return namespace;
  }

  @Override
  public Class<T> getDocumentClass() {
    return documentClass;
  }

  @Override
  public CodecRegistry getCodecRegistry() {
    return scope.codecs();
  }

  @Override
  public ReadPreference getReadPreference() {
    return scope.reading().preference();
  }

  @Override
  public WriteConcern getWriteConcern() {
    return scope.writeConcern();
  }

  @Override
  public ReadConcern getReadConcern() {
    return scope.readConcern();
  }

  @Override
  public @Nullable Long getTimeout(TimeUnit timeUnit) {
    return scope.timeout(timeUnit);
  }

  @Override
  public <N> MongoCollection<N> withDocumentClass(Class<N> clazz) {
    return new FairleadCollection<>(scope, namespace, clazz);
  }

  @Override
  public MongoCollection<T> withCodecRegistry(CodecRegistry codecRegistry) {
    return with(scope.withCodecs(codecRegistry));
  }

  @Override
  public MongoCollection<T> withReadPreference(@Nullable ReadPreference readPreference) {
    return with(scope.withReading(scope.reading().withCollection(readPreference)));
  }

  @Override
  public MongoCollection<T> withWriteConcern(WriteConcern writeConcern) {
    return with(scope.withWriteConcern(writeConcern));
  }

  @Override
  public MongoCollection<T> withReadConcern(ReadConcern readConcern) {
    return with(scope.withReadConcern(readConcern));
  }

  @Override
  public MongoCollection<T> withTimeout(long timeout, TimeUnit timeUnit) {
    return with(scope.withTimeout(timeout, timeUnit));
  }

  @Override
  public long countDocuments() {
    return Count.exactly(target(null), new BsonDocument(), new CountOptions());
  }

  @Override
  public long countDocuments(ClientSession clientSession) {
    return Count.exactly(
        target(Given.session(clientSession)), new BsonDocument(), new CountOptions());
  }

  @Override
  public long countDocuments(Bson filter) {
    return Count.exactly(target(null), filter, new CountOptions());
  }

  @Override
  public long countDocuments(ClientSession clientSession, Bson filter) {
    return Count.exactly(target(Given.session(clientSession)), filter, new CountOptions());
  }

  @Override
  public long countDocuments(Bson filter, CountOptions options) {
    return Count.exactly(target(null), filter, options);
  }

  @Override
  public long countDocuments(ClientSession clientSession, Bson filter, CountOptions options) {
    return Count.exactly(target(Given.session(clientSession)), filter, options);
  }

  @Override
  public long estimatedDocumentCount() {
    return estimatedDocumentCount(new EstimatedDocumentCountOptions());
  }

  @Override
  public long estimatedDocumentCount(EstimatedDocumentCountOptions options) {
    return Count.estimated(target(null), options);
  }

  @Override
  public <R> DistinctIterable<R> distinct(String fieldName, Class<R> resultClass) {
    return new Distinct<>(target(null), fieldName, null, codec(resultClass));
  }

  @Override
  public <R> DistinctIterable<R> distinct(
      ClientSession clientSession, String fieldName, Class<R> resultClass) {
    return new Distinct<>(
        target(Given.session(clientSession)), fieldName, null, codec(resultClass));
  }

  @Override
  public <R> DistinctIterable<R> distinct(String fieldName, Bson filter, Class<R> resultClass) {
    return new Distinct<>(
        target(null), fieldName, Given.required(filter, "filter"), codec(resultClass));
  }

  @Override
  public <R> DistinctIterable<R> distinct(
      ClientSession clientSession, String fieldName, Bson filter, Class<R> resultClass) {
    return new Distinct<>(
        target(Given.session(clientSession)),
        fieldName,
        Given.required(filter, "filter"),
        codec(resultClass));
  }

  @Override
  public FindIterable<T> find() {
    return new Find<>(target(null), null, codec);
  }

  @Override
  public FindIterable<T> find(ClientSession clientSession) {
    return new Find<>(target(Given.session(clientSession)), null, codec);
  }

  @Override
  public <R> FindIterable<R> find(Class<R> resultClass) {
    return new Find<>(target(null), null, codec(resultClass));
  }

  @Override
  public <R> FindIterable<R> find(ClientSession clientSession, Class<R> resultClass) {
    return new Find<>(target(Given.session(clientSession)), null, codec(resultClass));
  }

  @Override
  public FindIterable<T> find(Bson filter) {
    return new Find<>(target(null), Given.required(filter, "filter"), codec);
  }

  @Override
  public FindIterable<T> find(ClientSession clientSession, Bson filter) {
    return new Find<>(
        target(Given.session(clientSession)), Given.required(filter, "filter"), codec);
  }

  @Override
  public <R> FindIterable<R> find(Bson filter, Class<R> resultClass) {
    return new Find<>(target(null), Given.required(filter, "filter"), codec(resultClass));
  }

  @Override
  public <R> FindIterable<R> find(ClientSession clientSession, Bson filter, Class<R> resultClass) {
    return new Find<>(
        target(Given.session(clientSession)), Given.required(filter, "filter"), codec(resultClass));
  }

  @Override
  public AggregateIterable<T> aggregate(List<? extends Bson> pipeline) {
    return new Aggregate<>(target(null), false, pipeline, codec);
  }

  @Override
  public AggregateIterable<T> aggregate(
      ClientSession clientSession, List<? extends Bson> pipeline) {
    return new Aggregate<>(target(Given.session(clientSession)), false, pipeline, codec);
  }

  @Override
  public <R> AggregateIterable<R> aggregate(List<? extends Bson> pipeline, Class<R> resultClass) {
    return new Aggregate<>(target(null), false, pipeline, codec(resultClass));
  }

  @Override
  public <R> AggregateIterable<R> aggregate(
      ClientSession clientSession, List<? extends Bson> pipeline, Class<R> resultClass) {
    return new Aggregate<>(
        target(Given.session(clientSession)), false, pipeline, codec(resultClass));
  }

  @Override
  public ChangeStreamIterable<T> watch() {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  public ChangeStreamIterable<T> watch(ClientSession clientSession) {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(Class<R> resultClass) {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(ClientSession clientSession, Class<R> resultClass) {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  public ChangeStreamIterable<T> watch(List<? extends Bson> pipeline) {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  public ChangeStreamIterable<T> watch(ClientSession clientSession, List<? extends Bson> pipeline) {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(List<? extends Bson> pipeline, Class<R> resultClass) {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(
      ClientSession clientSession, List<? extends Bson> pipeline, Class<R> resultClass) {
    throw Given.unsupported("watch (change streams)");
  }

  @Override
  @Deprecated
  public com.mongodb.client.MapReduceIterable<T> mapReduce(
      String mapFunction, String reduceFunction) {
    throw Given.unsupported("mapReduce (deprecated by MongoDB in favour of aggregate)");
  }

  @Override
  @Deprecated
  public <R> com.mongodb.client.MapReduceIterable<R> mapReduce(
      String mapFunction, String reduceFunction, Class<R> resultClass) {
    throw Given.unsupported("mapReduce (deprecated by MongoDB in favour of aggregate)");
  }

  @Override
  @Deprecated
  public com.mongodb.client.MapReduceIterable<T> mapReduce(
      ClientSession clientSession, String mapFunction, String reduceFunction) {
    throw Given.unsupported("mapReduce (deprecated by MongoDB in favour of aggregate)");
  }

  @Override
  @Deprecated
  public <R> com.mongodb.client.MapReduceIterable<R> mapReduce(
      ClientSession clientSession,
      String mapFunction,
      String reduceFunction,
      Class<R> resultClass) {
    throw Given.unsupported("mapReduce (deprecated by MongoDB in favour of aggregate)");
  }

  @Override
  public BulkWriteResult bulkWrite(List<? extends WriteModel<? extends T>> requests) {
    return writes.bulk(null, requests, new BulkWriteOptions());
  }

  @Override
  public BulkWriteResult bulkWrite(
      ClientSession clientSession, List<? extends WriteModel<? extends T>> requests) {
    return writes.bulk(session(Given.session(clientSession)), requests, new BulkWriteOptions());
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
    return writes.bulk(session(Given.session(clientSession)), requests, options);
  }

  @Override
  public InsertOneResult insertOne(T document) {
    return writes.insertOne(null, document, new InsertOneOptions());
  }

  @Override
  public InsertOneResult insertOne(ClientSession clientSession, T document) {
    return writes.insertOne(
        session(Given.session(clientSession)), document, new InsertOneOptions());
  }

  @Override
  public InsertOneResult insertOne(T document, InsertOneOptions options) {
    return writes.insertOne(null, document, options);
  }

  @Override
  public InsertOneResult insertOne(
      ClientSession clientSession, T document, InsertOneOptions options) {
    return writes.insertOne(session(Given.session(clientSession)), document, options);
  }

  @Override
  public InsertManyResult insertMany(List<? extends T> documents) {
    return writes.insertMany(null, documents, new InsertManyOptions());
  }

  @Override
  public InsertManyResult insertMany(ClientSession clientSession, List<? extends T> documents) {
    return writes.insertMany(
        session(Given.session(clientSession)), documents, new InsertManyOptions());
  }

  @Override
  public InsertManyResult insertMany(List<? extends T> documents, InsertManyOptions options) {
    return writes.insertMany(null, documents, options);
  }

  @Override
  public InsertManyResult insertMany(
      ClientSession clientSession, List<? extends T> documents, InsertManyOptions options) {
    return writes.insertMany(session(Given.session(clientSession)), documents, options);
  }

  @Override
  public DeleteResult deleteOne(Bson filter) {
    return writes.delete(null, filter, false, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteOne(ClientSession clientSession, Bson filter) {
    return writes.delete(session(Given.session(clientSession)), filter, false, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteOne(Bson filter, DeleteOptions options) {
    return writes.delete(null, filter, false, options);
  }

  @Override
  public DeleteResult deleteOne(ClientSession clientSession, Bson filter, DeleteOptions options) {
    return writes.delete(session(Given.session(clientSession)), filter, false, options);
  }

  @Override
  public DeleteResult deleteMany(Bson filter) {
    return writes.delete(null, filter, true, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteMany(ClientSession clientSession, Bson filter) {
    return writes.delete(session(Given.session(clientSession)), filter, true, new DeleteOptions());
  }

  @Override
  public DeleteResult deleteMany(Bson filter, DeleteOptions options) {
    return writes.delete(null, filter, true, options);
  }

  @Override
  public DeleteResult deleteMany(ClientSession clientSession, Bson filter, DeleteOptions options) {
    return writes.delete(session(Given.session(clientSession)), filter, true, options);
  }

  @Override
  public UpdateResult replaceOne(Bson filter, T replacement) {
    return writes.replaceOne(null, filter, replacement, new ReplaceOptions());
  }

  @Override
  public UpdateResult replaceOne(ClientSession clientSession, Bson filter, T replacement) {
    return writes.replaceOne(
        session(Given.session(clientSession)), filter, replacement, new ReplaceOptions());
  }

  @Override
  public UpdateResult replaceOne(Bson filter, T replacement, ReplaceOptions options) {
    return writes.replaceOne(null, filter, replacement, options);
  }

  @Override
  public UpdateResult replaceOne(
      ClientSession clientSession, Bson filter, T replacement, ReplaceOptions options) {
    return writes.replaceOne(session(Given.session(clientSession)), filter, replacement, options);
  }

  @Override
  public UpdateResult updateOne(Bson filter, Bson update) {
    return writes.update(
        null, filter, Given.required(update, "update"), false, new UpdateOptions());
  }

  @Override
  public UpdateResult updateOne(ClientSession clientSession, Bson filter, Bson update) {
    return writes.update(
        session(Given.session(clientSession)),
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
        session(Given.session(clientSession)),
        filter,
        Given.required(update, "update"),
        false,
        options);
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
        session(Given.session(clientSession)),
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
        session(Given.session(clientSession)),
        filter,
        Given.required(update, "update"),
        false,
        options);
  }

  @Override
  public UpdateResult updateMany(Bson filter, Bson update) {
    return writes.update(null, filter, Given.required(update, "update"), true, new UpdateOptions());
  }

  @Override
  public UpdateResult updateMany(ClientSession clientSession, Bson filter, Bson update) {
    return writes.update(
        session(Given.session(clientSession)),
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
        session(Given.session(clientSession)),
        filter,
        Given.required(update, "update"),
        true,
        options);
  }

  @Override
  public UpdateResult updateMany(Bson filter, List<? extends Bson> update) {
    return writes.update(null, filter, Given.required(update, "update"), true, new UpdateOptions());
  }

  @Override
  public UpdateResult updateMany(
      ClientSession clientSession, Bson filter, List<? extends Bson> update) {
    return writes.update(
        session(Given.session(clientSession)),
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
        session(Given.session(clientSession)),
        filter,
        Given.required(update, "update"),
        true,
        options);
  }

  @Override
  public @Nullable T findOneAndDelete(Bson filter) {
    return findAndModify.delete(null, filter, new FindOneAndDeleteOptions());
  }

  @Override
  public @Nullable T findOneAndDelete(ClientSession clientSession, Bson filter) {
    return findAndModify.delete(
        session(Given.session(clientSession)), filter, new FindOneAndDeleteOptions());
  }

  @Override
  public @Nullable T findOneAndDelete(Bson filter, FindOneAndDeleteOptions options) {
    return findAndModify.delete(null, filter, options);
  }

  @Override
  public @Nullable T findOneAndDelete(
      ClientSession clientSession, Bson filter, FindOneAndDeleteOptions options) {
    return findAndModify.delete(session(Given.session(clientSession)), filter, options);
  }

  @Override
  public @Nullable T findOneAndReplace(Bson filter, T replacement) {
    return findAndModify.replace(null, filter, replacement, new FindOneAndReplaceOptions());
  }

  @Override
  public @Nullable T findOneAndReplace(ClientSession clientSession, Bson filter, T replacement) {
    return findAndModify.replace(
        session(Given.session(clientSession)), filter, replacement, new FindOneAndReplaceOptions());
  }

  @Override
  public @Nullable T findOneAndReplace(
      Bson filter, T replacement, FindOneAndReplaceOptions options) {
    return findAndModify.replace(null, filter, replacement, options);
  }

  @Override
  public @Nullable T findOneAndReplace(
      ClientSession clientSession, Bson filter, T replacement, FindOneAndReplaceOptions options) {
    return findAndModify.replace(
        session(Given.session(clientSession)), filter, replacement, options);
  }

  @Override
  public @Nullable T findOneAndUpdate(Bson filter, Bson update) {
    return findAndModify.update(null, filter, update, new FindOneAndUpdateOptions());
  }

  @Override
  public @Nullable T findOneAndUpdate(ClientSession clientSession, Bson filter, Bson update) {
    return findAndModify.update(
        session(Given.session(clientSession)), filter, update, new FindOneAndUpdateOptions());
  }

  @Override
  public @Nullable T findOneAndUpdate(Bson filter, Bson update, FindOneAndUpdateOptions options) {
    return findAndModify.update(null, filter, update, options);
  }

  @Override
  public @Nullable T findOneAndUpdate(
      ClientSession clientSession, Bson filter, Bson update, FindOneAndUpdateOptions options) {
    return findAndModify.update(session(Given.session(clientSession)), filter, update, options);
  }

  @Override
  public @Nullable T findOneAndUpdate(Bson filter, List<? extends Bson> update) {
    return findAndModify.update(null, filter, update, new FindOneAndUpdateOptions());
  }

  @Override
  public @Nullable T findOneAndUpdate(
      ClientSession clientSession, Bson filter, List<? extends Bson> update) {
    return findAndModify.update(
        session(Given.session(clientSession)), filter, update, new FindOneAndUpdateOptions());
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
    return findAndModify.update(session(Given.session(clientSession)), filter, update, options);
  }

  @Override
  public void drop() {
    CollectionAdmin.drop(scope, namespace, new DropCollectionOptions(), null);
  }

  @Override
  public void drop(ClientSession clientSession) {
    CollectionAdmin.drop(
        scope, namespace, new DropCollectionOptions(), session(Given.session(clientSession)));
  }

  @Override
  public void drop(DropCollectionOptions options) {
    CollectionAdmin.drop(scope, namespace, options, null);
  }

  @Override
  public void drop(ClientSession clientSession, DropCollectionOptions options) {
    CollectionAdmin.drop(scope, namespace, options, session(Given.session(clientSession)));
  }

  @Override
  public String createSearchIndex(String indexName, Bson definition) {
    return createSearchIndexes(List.of(new SearchIndexModel(indexName, definition))).get(0);
  }

  @Override
  public String createSearchIndex(Bson definition) {
    return createSearchIndexes(List.of(new SearchIndexModel(definition))).get(0);
  }

  @Override
  public List<String> createSearchIndexes(List<SearchIndexModel> searchIndexModels) {
    return indexes.createSearch(searchIndexModels);
  }

  @Override
  public void updateSearchIndex(String indexName, Bson definition) {
    indexes.updateSearch(indexName, definition);
  }

  @Override
  public void dropSearchIndex(String indexName) {
    indexes.dropSearch(indexName);
  }

  @Override
  public ListSearchIndexesIterable<Document> listSearchIndexes() {
    return listSearchIndexes(Document.class);
  }

  @Override
  public <R> ListSearchIndexesIterable<R> listSearchIndexes(Class<R> resultClass) {
    return new ListSearchIndexes<>(target(null), codec(resultClass));
  }

  @Override
  public String createIndex(Bson keys) {
    return indexes.create(List.of(new IndexModel(keys)), new CreateIndexOptions(), null).get(0);
  }

  @Override
  public String createIndex(ClientSession clientSession, Bson keys) {
    return indexes
        .create(
            List.of(new IndexModel(keys)),
            new CreateIndexOptions(),
            session(Given.session(clientSession)))
        .get(0);
  }

  @Override
  public String createIndex(Bson keys, IndexOptions indexOptions) {
    return indexes
        .create(List.of(new IndexModel(keys, indexOptions)), new CreateIndexOptions(), null)
        .get(0);
  }

  @Override
  public String createIndex(ClientSession clientSession, Bson keys, IndexOptions indexOptions) {
    return indexes
        .create(
            List.of(new IndexModel(keys, indexOptions)),
            new CreateIndexOptions(),
            session(Given.session(clientSession)))
        .get(0);
  }

  @Override
  public List<String> createIndexes(List<IndexModel> models) {
    return indexes.create(models, new CreateIndexOptions(), null);
  }

  @Override
  public List<String> createIndexes(ClientSession clientSession, List<IndexModel> models) {
    return indexes.create(models, new CreateIndexOptions(), session(Given.session(clientSession)));
  }

  @Override
  public List<String> createIndexes(List<IndexModel> models, CreateIndexOptions options) {
    return indexes.create(models, options, null);
  }

  @Override
  public List<String> createIndexes(
      ClientSession clientSession, List<IndexModel> models, CreateIndexOptions options) {
    return indexes.create(models, options, session(Given.session(clientSession)));
  }

  @Override
  public ListIndexesIterable<Document> listIndexes() {
    return new ListIndexes<>(target(null), codec(Document.class));
  }

  @Override
  public ListIndexesIterable<Document> listIndexes(ClientSession clientSession) {
    return new ListIndexes<>(target(Given.session(clientSession)), codec(Document.class));
  }

  @Override
  public <R> ListIndexesIterable<R> listIndexes(Class<R> resultClass) {
    return new ListIndexes<>(target(null), codec(resultClass));
  }

  @Override
  public <R> ListIndexesIterable<R> listIndexes(ClientSession clientSession, Class<R> resultClass) {
    return new ListIndexes<>(target(Given.session(clientSession)), codec(resultClass));
  }

  @Override
  public void dropIndex(String indexName) {
    indexes.drop(Given.required(indexName, "indexName"), new DropIndexOptions(), null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, String indexName) {
    indexes.drop(
        Given.required(indexName, "indexName"),
        new DropIndexOptions(),
        session(Given.session(clientSession)));
  }

  @Override
  public void dropIndex(String indexName, DropIndexOptions options) {
    indexes.drop(Given.required(indexName, "indexName"), options, null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, String indexName, DropIndexOptions options) {
    indexes.drop(
        Given.required(indexName, "indexName"), options, session(Given.session(clientSession)));
  }

  @Override
  public void dropIndex(Bson keys) {
    indexes.drop(Given.required(keys, "keys"), new DropIndexOptions(), null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, Bson keys) {
    indexes.drop(
        Given.required(keys, "keys"),
        new DropIndexOptions(),
        session(Given.session(clientSession)));
  }

  @Override
  public void dropIndex(Bson keys, DropIndexOptions options) {
    indexes.drop(Given.required(keys, "keys"), options, null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, Bson keys, DropIndexOptions options) {
    indexes.drop(Given.required(keys, "keys"), options, session(Given.session(clientSession)));
  }

  @Override
  public void dropIndexes() {
    indexes.drop("*", new DropIndexOptions(), null);
  }

  @Override
  public void dropIndexes(ClientSession clientSession) {
    indexes.drop("*", new DropIndexOptions(), session(Given.session(clientSession)));
  }

  @Override
  public void dropIndexes(DropIndexOptions options) {
    indexes.drop("*", options, null);
  }

  @Override
  public void dropIndexes(ClientSession clientSession, DropIndexOptions options) {
    indexes.drop("*", options, session(Given.session(clientSession)));
  }

  @Override
  public void renameCollection(MongoNamespace newNamespace) {
    CollectionAdmin.rename(scope, namespace, newNamespace, new RenameCollectionOptions(), null);
  }

  @Override
  public void renameCollection(ClientSession clientSession, MongoNamespace newNamespace) {
    CollectionAdmin.rename(
        scope,
        namespace,
        newNamespace,
        new RenameCollectionOptions(),
        session(Given.session(clientSession)));
  }

  @Override
  public void renameCollection(MongoNamespace newNamespace, RenameCollectionOptions options) {
    CollectionAdmin.rename(scope, namespace, newNamespace, options, null);
  }

  @Override
  public void renameCollection(
      ClientSession clientSession, MongoNamespace newNamespace, RenameCollectionOptions options) {
    CollectionAdmin.rename(
        scope, namespace, newNamespace, options, session(Given.session(clientSession)));
  }

  private <R> Codec<R> codec(Class<R> resultClass) {
    return scope.codecs().get(Given.required(resultClass, "resultClass"));
  }
}
