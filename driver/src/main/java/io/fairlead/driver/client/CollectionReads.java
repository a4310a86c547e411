// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.MongoNamespace;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.DistinctIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.EstimatedDocumentCountOptions;
import io.fairlead.driver.RoutedCollection;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.cursor.Aggregate;
import io.fairlead.driver.cursor.Count;
import io.fairlead.driver.cursor.Distinct;
import io.fairlead.driver.cursor.Find;
import io.fairlead.driver.cursor.MapReduce;
import io.fairlead.driver.cursor.Target;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;

/**
 * What a collection reads: each form of the public interface makes the one command there is for it,
 * in the caller's session or in none.
 */
abstract class CollectionReads<T> implements RoutedCollection<T> {
  final Scope scope;
  final MongoNamespace namespace;
  final Class<T> documentClass;
  final Codec<T> codec;

  CollectionReads(Scope scope, MongoNamespace namespace, Class<T> documentClass) {
    this.scope = scope;
    this.namespace = namespace;
    this.documentClass = Given.required(documentClass, "documentClass");
    this.codec = scope.codecs().get(documentClass);
  }

  final Target target() {
    return new Target(scope, namespace, documentClass, null);
  }

  final Target target(ClientSession session) {
    return new Target(scope, namespace, documentClass, Given.session(session));
  }

  final <R> Codec<R> codec(Class<R> resultClass) {
    return scope.codecs().get(Given.required(resultClass, "resultClass"));
  }

  @Override
  public long countDocuments() {
    return Count.exactly(target(), new BsonDocument(), new CountOptions());
  }

  @Override
  public long countDocuments(ClientSession clientSession) {
    return Count.exactly(target(clientSession), new BsonDocument(), new CountOptions());
  }

  @Override
  public long countDocuments(Bson filter) {
    return Count.exactly(target(), filter, new CountOptions());
  }

  @Override
  public long countDocuments(ClientSession clientSession, Bson filter) {
    return Count.exactly(target(clientSession), filter, new CountOptions());
  }

  @Override
  public long countDocuments(Bson filter, CountOptions options) {
    return Count.exactly(target(), filter, options);
  }

  @Override
  public long countDocuments(ClientSession clientSession, Bson filter, CountOptions options) {
    return Count.exactly(target(clientSession), filter, options);
  }

  @Override
  public long estimatedDocumentCount() {
    return estimatedDocumentCount(new EstimatedDocumentCountOptions());
  }

  @Override
  public long estimatedDocumentCount(EstimatedDocumentCountOptions options) {
    return Count.estimated(target(), options);
  }

  @Override
  public <R> DistinctIterable<R> distinct(String fieldName, Class<R> resultClass) {
    return new Distinct<>(target(), fieldName, null, codec(resultClass));
  }

  @Override
  public <R> DistinctIterable<R> distinct(
      ClientSession clientSession, String fieldName, Class<R> resultClass) {
    return new Distinct<>(target(clientSession), fieldName, null, codec(resultClass));
  }

  @Override
  public <R> DistinctIterable<R> distinct(String fieldName, Bson filter, Class<R> resultClass) {
    return new Distinct<>(
        target(), fieldName, Given.required(filter, "filter"), codec(resultClass));
  }

  @Override
  public <R> DistinctIterable<R> distinct(
      ClientSession clientSession, String fieldName, Bson filter, Class<R> resultClass) {
    return new Distinct<>(
        target(clientSession), fieldName, Given.required(filter, "filter"), codec(resultClass));
  }

  @Override
  public FindIterable<T> find() {
    return new Find<>(target(), null, codec);
  }

  @Override
  public FindIterable<T> find(ClientSession clientSession) {
    return new Find<>(target(clientSession), null, codec);
  }

  @Override
  public <R> FindIterable<R> find(Class<R> resultClass) {
    return new Find<>(target(), null, codec(resultClass));
  }

  @Override
  public <R> FindIterable<R> find(ClientSession clientSession, Class<R> resultClass) {
    return new Find<>(target(clientSession), null, codec(resultClass));
  }

  @Override
  public FindIterable<T> find(Bson filter) {
    return new Find<>(target(), Given.required(filter, "filter"), codec);
  }

  @Override
  public FindIterable<T> find(ClientSession clientSession, Bson filter) {
    return new Find<>(target(clientSession), Given.required(filter, "filter"), codec);
  }

  @Override
  public <R> FindIterable<R> find(Bson filter, Class<R> resultClass) {
    return new Find<>(target(), Given.required(filter, "filter"), codec(resultClass));
  }

  @Override
  public <R> FindIterable<R> find(ClientSession clientSession, Bson filter, Class<R> resultClass) {
    return new Find<>(target(clientSession), Given.required(filter, "filter"), codec(resultClass));
  }

  @Override
  public AggregateIterable<T> aggregate(List<? extends Bson> pipeline) {
    return new Aggregate<>(target(), false, pipeline, codec);
  }

  @Override
  public AggregateIterable<T> aggregate(
      ClientSession clientSession, List<? extends Bson> pipeline) {
    return new Aggregate<>(target(clientSession), false, pipeline, codec);
  }

  @Override
  public <R> AggregateIterable<R> aggregate(List<? extends Bson> pipeline, Class<R> resultClass) {
    return new Aggregate<>(target(), false, pipeline, codec(resultClass));
  }

  @Override
  public <R> AggregateIterable<R> aggregate(
      ClientSession clientSession, List<? extends Bson> pipeline, Class<R> resultClass) {
    return new Aggregate<>(target(clientSession), false, pipeline, codec(resultClass));
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
    return new MapReduce<>(target(), mapFunction, reduceFunction, codec);
  }

  @Override
  @Deprecated
  public <R> com.mongodb.client.MapReduceIterable<R> mapReduce(
      String mapFunction, String reduceFunction, Class<R> resultClass) {
    return new MapReduce<>(target(), mapFunction, reduceFunction, codec(resultClass));
  }

  @Override
  @Deprecated
  public com.mongodb.client.MapReduceIterable<T> mapReduce(
      ClientSession clientSession, String mapFunction, String reduceFunction) {
    return new MapReduce<>(target(clientSession), mapFunction, reduceFunction, codec);
  }

  @Override
  @Deprecated
  public <R> com.mongodb.client.MapReduceIterable<R> mapReduce(
      ClientSession clientSession,
      String mapFunction,
      String reduceFunction,
      Class<R> resultClass) {
    return new MapReduce<>(target(clientSession), mapFunction, reduceFunction, codec(resultClass));
  }
}
