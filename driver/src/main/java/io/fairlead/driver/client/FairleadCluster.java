// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListDatabasesIterable;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.cursor.ListDatabases;
import io.fairlead.driver.cursor.Target;
import io.fairlead.driver.write.ClientBulkWrite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A deployment as it was asked for, with what was set on the client. Immutable; a {@code with…}
 * makes another.
 */
class FairleadCluster implements MongoCluster {
  private final Scope scope;
  private final SessionSource sessions;

  /** Starts sessions of the client. */
  @FunctionalInterface
  interface SessionSource {
    ClientSession start(ClientSessionOptions options, Scope scope);
  }

  FairleadCluster(Scope scope, SessionSource sessions) {
    this.scope = scope;
    this.sessions = sessions;
  }

  private FairleadCluster with(Scope changed) {
    return new FairleadCluster(changed, sessions);
  }

  private Target target(@Nullable ClientSession session) {
    return new Target(scope, new MongoNamespace("admin", "$cmd"), BsonDocument.class, session);
  }

  @Override
  public final CodecRegistry getCodecRegistry() {
    return scope.codecs();
  }

  @Override
  public final ReadPreference getReadPreference() {
    return scope.reading().preference();
  }

  @Override
  public final WriteConcern getWriteConcern() {
    return scope.writeConcern();
  }

  @Override
  public final ReadConcern getReadConcern() {
    return scope.readConcern();
  }

  @Override
  public final @Nullable Long getTimeout(TimeUnit timeUnit) {
    return scope.timeout(timeUnit);
  }

  @Override
  public final MongoCluster withCodecRegistry(CodecRegistry codecRegistry) {
    return with(scope.withCodecs(codecRegistry));
  }

  @Override
  public final MongoCluster withReadPreference(@Nullable ReadPreference readPreference) {
    return with(scope.withReading(scope.reading().withClient(readPreference)));
  }

  @Override
  public final MongoCluster withWriteConcern(WriteConcern writeConcern) {
    return with(scope.withWriteConcern(writeConcern));
  }

  @Override
  public final MongoCluster withReadConcern(ReadConcern readConcern) {
    return with(scope.withReadConcern(readConcern));
  }

  @Override
  public final MongoCluster withTimeout(long timeout, TimeUnit timeUnit) {
    return with(scope.withTimeout(timeout, timeUnit));
  }

  @Override
  public final MongoDatabase getDatabase(String databaseName) {
    return new FairleadDatabase(scope, databaseName);
  }

  @Override
  public final ClientSession startSession() {
    return startSession(ClientSessionOptions.builder().build());
  }

  @Override
  public final ClientSession startSession(ClientSessionOptions options) {
    return sessions.start(Given.required(options, "options"), scope);
  }

  @Override
  public final MongoIterable<String> listDatabaseNames() {
    return names(null);
  }

  @Override
  public final MongoIterable<String> listDatabaseNames(ClientSession clientSession) {
    return names(Given.session(clientSession));
  }

  private MongoIterable<String> names(@Nullable ClientSession session) {
    return new ListDatabases<>(target(session), scope.codecs().get(BsonDocument.class))
        .nameOnly(true)
        .map(each -> each.getString("name").getValue());
  }

  @Override
  public final ListDatabasesIterable<Document> listDatabases() {
    return listDatabases(Document.class);
  }

  @Override
  public final ListDatabasesIterable<Document> listDatabases(ClientSession clientSession) {
    return listDatabases(clientSession, Document.class);
  }

  @Override
  public final <R> ListDatabasesIterable<R> listDatabases(Class<R> resultClass) {
    return new ListDatabases<>(target(null), scope.codecs().get(resultClass));
  }

  @Override
  public final <R> ListDatabasesIterable<R> listDatabases(
      ClientSession clientSession, Class<R> resultClass) {
    return new ListDatabases<>(
        target(Given.session(clientSession)), scope.codecs().get(resultClass));
  }

  @Override
  public final ChangeStreamIterable<Document> watch() {
    throw noChangeStreams();
  }

  @Override
  public final <R> ChangeStreamIterable<R> watch(Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public final ChangeStreamIterable<Document> watch(List<? extends Bson> pipeline) {
    throw noChangeStreams();
  }

  @Override
  public final <R> ChangeStreamIterable<R> watch(
      List<? extends Bson> pipeline, Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public final ChangeStreamIterable<Document> watch(ClientSession clientSession) {
    throw noChangeStreams();
  }

  @Override
  public final <R> ChangeStreamIterable<R> watch(
      ClientSession clientSession, Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public final ChangeStreamIterable<Document> watch(
      ClientSession clientSession, List<? extends Bson> pipeline) {
    throw noChangeStreams();
  }

  @Override
  public final <R> ChangeStreamIterable<R> watch(
      ClientSession clientSession, List<? extends Bson> pipeline, Class<R> resultClass) {
    throw noChangeStreams();
  }

  @Override
  public final ClientBulkWriteResult bulkWrite(List<? extends ClientNamespacedWriteModel> models) {
    return bulk(null, models, ClientBulkWriteOptions.clientBulkWriteOptions());
  }

  @Override
  public final ClientBulkWriteResult bulkWrite(
      List<? extends ClientNamespacedWriteModel> models, ClientBulkWriteOptions options) {
    return bulk(null, models, options);
  }

  @Override
  public final ClientBulkWriteResult bulkWrite(
      ClientSession clientSession, List<? extends ClientNamespacedWriteModel> models) {
    return bulk(
        Given.session(clientSession), models, ClientBulkWriteOptions.clientBulkWriteOptions());
  }

  @Override
  public final ClientBulkWriteResult bulkWrite(
      ClientSession clientSession,
      List<? extends ClientNamespacedWriteModel> models,
      ClientBulkWriteOptions options) {
    return bulk(Given.session(clientSession), models, options);
  }

  private ClientBulkWriteResult bulk(
      @Nullable ClientSession session,
      List<? extends ClientNamespacedWriteModel> models,
      ClientBulkWriteOptions options) {
    return ClientBulkWrite.run(
        scope, scope.deployment().session(session), models, Given.required(options, "options"));
  }

  private static UnsupportedOperationException noChangeStreams() {
    return Given.unsupported("watch (change streams)");
  }
}
