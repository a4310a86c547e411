// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListCollectionNamesIterable;
import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.CreateViewOptions;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.admin.CollectionAdmin;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.cursor.Aggregate;
import io.fairlead.driver.cursor.ListCollectionNames;
import io.fairlead.driver.cursor.ListCollections;
import io.fairlead.driver.cursor.Target;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * One database as it was asked for, with what was set on it or on its client. Immutable; a {@code
 * with…} makes another.
 */
final class FairleadDatabase implements MongoDatabase {
  /** Commands of a database have no collection; a namespace must have one. */
  private static final String NO_COLLECTION = "$cmd";

  private final Scope scope;
  private final String name;

  /**
   * @throws IllegalArgumentException if there can't be a database of this name
   */
  FairleadDatabase(Scope scope, String name) {
    MongoNamespace.checkDatabaseNameValidity(name);
    this.scope = scope;
    this.name = name;
  }

  private FairleadDatabase with(Scope changed) {
    return new FairleadDatabase(changed, name);
  }

  private Target target(@Nullable ClientSession session) {
    return new Target(scope, new MongoNamespace(name, NO_COLLECTION), BsonDocument.class, session);
  }

  private @Nullable Session session(@Nullable ClientSession session) {
    return scope.deployment().session(session);
  }

  @Override
  public String getName() {
    return name;
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
  public MongoDatabase withCodecRegistry(CodecRegistry codecRegistry) {
    return with(scope.withCodecs(codecRegistry));
  }

  @Override
  public MongoDatabase withReadPreference(@Nullable ReadPreference readPreference) {
    return with(scope.withReading(scope.reading().withDatabase(readPreference)));
  }

  @Override
  public MongoDatabase withWriteConcern(WriteConcern writeConcern) {
    return with(scope.withWriteConcern(writeConcern));
  }

  @Override
  public MongoDatabase withReadConcern(ReadConcern readConcern) {
    return with(scope.withReadConcern(readConcern));
  }

  @Override
  public MongoDatabase withTimeout(long timeout, TimeUnit timeUnit) {
    return with(scope.withTimeout(timeout, timeUnit));
  }

  @Override
  public MongoCollection<Document> getCollection(String collectionName) {
    return getCollection(collectionName, Document.class);
  }

  @Override
  public <T> MongoCollection<T> getCollection(String collectionName, Class<T> documentClass) {
    return new FairleadCollection<>(scope, new MongoNamespace(name, collectionName), documentClass);
  }

  @Override
  public Document runCommand(Bson command) {
    return runCommand(command, Document.class);
  }

  @Override
  public Document runCommand(Bson command, ReadPreference readPreference) {
    return runCommand(command, readPreference, Document.class);
  }

  @Override
  public <R> R runCommand(Bson command, Class<R> resultClass) {
    return RunCommand.run(scope, name, null, command, null, resultClass);
  }

  @Override
  public <R> R runCommand(
      Bson command, @Nullable ReadPreference readPreference, Class<R> resultClass) {
    return RunCommand.run(scope, name, null, command, readPreference, resultClass);
  }

  @Override
  public Document runCommand(ClientSession clientSession, Bson command) {
    return runCommand(clientSession, command, Document.class);
  }

  @Override
  public Document runCommand(
      ClientSession clientSession, Bson command, ReadPreference readPreference) {
    return runCommand(clientSession, command, readPreference, Document.class);
  }

  @Override
  public <R> R runCommand(ClientSession clientSession, Bson command, Class<R> resultClass) {
    return RunCommand.run(scope, name, Given.session(clientSession), command, null, resultClass);
  }

  @Override
  public <R> R runCommand(
      ClientSession clientSession,
      Bson command,
      @Nullable ReadPreference readPreference,
      Class<R> resultClass) {
    return RunCommand.run(
        scope, name, Given.session(clientSession), command, readPreference, resultClass);
  }

  @Override
  public void drop() {
    CollectionAdmin.dropDatabase(scope, name, null);
  }

  @Override
  public void drop(ClientSession clientSession) {
    CollectionAdmin.dropDatabase(scope, name, session(Given.session(clientSession)));
  }

  @Override
  public ListCollectionNamesIterable listCollectionNames() {
    return new ListCollectionNames(target(null));
  }

  @Override
  public ListCollectionNamesIterable listCollectionNames(ClientSession clientSession) {
    return new ListCollectionNames(target(Given.session(clientSession)));
  }

  @Override
  public ListCollectionsIterable<Document> listCollections() {
    return listCollections(Document.class);
  }

  @Override
  public <R> ListCollectionsIterable<R> listCollections(Class<R> resultClass) {
    return new ListCollections<>(target(null), scope.codecs().get(resultClass), false);
  }

  @Override
  public ListCollectionsIterable<Document> listCollections(ClientSession clientSession) {
    return listCollections(clientSession, Document.class);
  }

  @Override
  public <R> ListCollectionsIterable<R> listCollections(
      ClientSession clientSession, Class<R> resultClass) {
    return new ListCollections<>(
        target(Given.session(clientSession)), scope.codecs().get(resultClass), false);
  }

  @Override
  public void createCollection(String collectionName) {
    createCollection(collectionName, new CreateCollectionOptions());
  }

  @Override
  public void createCollection(String collectionName, CreateCollectionOptions options) {
    CollectionAdmin.create(scope, new MongoNamespace(name, collectionName), options, null);
  }

  @Override
  public void createCollection(ClientSession clientSession, String collectionName) {
    createCollection(clientSession, collectionName, new CreateCollectionOptions());
  }

  @Override
  public void createCollection(
      ClientSession clientSession, String collectionName, CreateCollectionOptions options) {
    CollectionAdmin.create(
        scope,
        new MongoNamespace(name, collectionName),
        options,
        session(Given.session(clientSession)));
  }

  @Override
  public void createView(String viewName, String viewOn, List<? extends Bson> pipeline) {
    createView(viewName, viewOn, pipeline, new CreateViewOptions());
  }

  @Override
  public void createView(
      String viewName, String viewOn, List<? extends Bson> pipeline, CreateViewOptions options) {
    CollectionAdmin.createView(
        scope, new MongoNamespace(name, viewName), viewOn, pipeline, options, null);
  }

  @Override
  public void createView(
      ClientSession clientSession, String viewName, String viewOn, List<? extends Bson> pipeline) {
    createView(clientSession, viewName, viewOn, pipeline, new CreateViewOptions());
  }

  @Override
  public void createView(
      ClientSession clientSession,
      String viewName,
      String viewOn,
      List<? extends Bson> pipeline,
      CreateViewOptions options) {
    CollectionAdmin.createView(
        scope,
        new MongoNamespace(name, viewName),
        viewOn,
        pipeline,
        options,
        session(Given.session(clientSession)));
  }

  @Override
  public ChangeStreamIterable<Document> watch() {
    throw noChangeStreams();
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public ChangeStreamIterable<Document> watch(List<? extends Bson> pipeline) {
    throw noChangeStreams();
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(List<? extends Bson> pipeline, Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public ChangeStreamIterable<Document> watch(ClientSession clientSession) {
    throw noChangeStreams();
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(ClientSession clientSession, Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public ChangeStreamIterable<Document> watch(
      ClientSession clientSession, List<? extends Bson> pipeline) {
    throw noChangeStreams();
  }

  @Override
  public <R> ChangeStreamIterable<R> watch(
      ClientSession clientSession, List<? extends Bson> pipeline, Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public AggregateIterable<Document> aggregate(List<? extends Bson> pipeline) {
    return aggregate(pipeline, Document.class);
  }

  @Override
  public <R> AggregateIterable<R> aggregate(List<? extends Bson> pipeline, Class<R> resultClass) {
    return new Aggregate<>(target(null), true, pipeline, scope.codecs().get(resultClass));
  }

  @Override
  public AggregateIterable<Document> aggregate(
      ClientSession clientSession, List<? extends Bson> pipeline) {
    return aggregate(clientSession, pipeline, Document.class);
  }

  @Override
  public <R> AggregateIterable<R> aggregate(
      ClientSession clientSession, List<? extends Bson> pipeline, Class<R> resultClass) {
    return new Aggregate<>(
        target(Given.session(clientSession)), true, pipeline, scope.codecs().get(resultClass));
  }

  private static UnsupportedOperationException noChangeStreams() {
    return Given.unsupported("watch (change streams)");
  }
}
