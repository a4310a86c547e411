// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DropCollectionOptions;
import com.mongodb.client.model.RenameCollectionOptions;
import io.fairlead.driver.RoutedCollection;
import io.fairlead.driver.admin.CollectionAdmin;
import io.fairlead.driver.command.Scope;
import io.fairlead.topology.readpreference.LatencyWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * One collection as it was asked for: its class, its codec and what was set on it or on what it
 * came from. Immutable; a {@code with…} makes another.
 */
final class FairleadCollection<T> extends CollectionIndexes<T> {
  FairleadCollection(Scope scope, MongoNamespace namespace, Class<T> documentClass) {
    super(scope, namespace, documentClass);
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
  public void drop() {
    CollectionAdmin.drop(scope, namespace, new DropCollectionOptions(), null);
  }

  @Override
  public void drop(ClientSession clientSession) {
    CollectionAdmin.drop(scope, namespace, new DropCollectionOptions(), session(clientSession));
  }

  @Override
  public void drop(DropCollectionOptions options) {
    CollectionAdmin.drop(scope, namespace, options, null);
  }

  @Override
  public void drop(ClientSession clientSession, DropCollectionOptions options) {
    CollectionAdmin.drop(scope, namespace, options, session(clientSession));
  }

  @Override
  public void renameCollection(MongoNamespace newNamespace) {
    CollectionAdmin.rename(scope, namespace, newNamespace, new RenameCollectionOptions(), null);
  }

  @Override
  public void renameCollection(ClientSession clientSession, MongoNamespace newNamespace) {
    CollectionAdmin.rename(
        scope, namespace, newNamespace, new RenameCollectionOptions(), session(clientSession));
  }

  @Override
  public void renameCollection(MongoNamespace newNamespace, RenameCollectionOptions options) {
    CollectionAdmin.rename(scope, namespace, newNamespace, options, null);
  }

  @Override
  public void renameCollection(
      ClientSession clientSession, MongoNamespace newNamespace, RenameCollectionOptions options) {
    CollectionAdmin.rename(scope, namespace, newNamespace, options, session(clientSession));
  }
}
