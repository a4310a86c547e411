// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.MongoNamespace;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListIndexesIterable;
import com.mongodb.client.ListSearchIndexesIterable;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.DropIndexOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.SearchIndexModel;
import io.fairlead.driver.admin.Indexes;
import io.fairlead.driver.command.Scope;
import io.fairlead.driver.cursor.ListIndexes;
import io.fairlead.driver.cursor.ListSearchIndexes;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/** A collection's indexes, those of the search service included; and its documents. */
abstract class CollectionIndexes<T> extends CollectionWrites<T> {
  private final Indexes indexes;

  CollectionIndexes(Scope scope, MongoNamespace namespace, Class<T> documentClass) {
    super(scope, namespace, documentClass);
    this.indexes = new Indexes(scope, namespace);
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
    return new ListSearchIndexes<>(target(), codec(resultClass));
  }

  @Override
  public String createIndex(Bson keys) {
    return indexes.create(List.of(new IndexModel(keys)), new CreateIndexOptions(), null).get(0);
  }

  @Override
  public String createIndex(ClientSession clientSession, Bson keys) {
    return indexes
        .create(List.of(new IndexModel(keys)), new CreateIndexOptions(), session(clientSession))
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
            session(clientSession))
        .get(0);
  }

  @Override
  public List<String> createIndexes(List<IndexModel> models) {
    return indexes.create(models, new CreateIndexOptions(), null);
  }

  @Override
  public List<String> createIndexes(ClientSession clientSession, List<IndexModel> models) {
    return indexes.create(models, new CreateIndexOptions(), session(clientSession));
  }

  @Override
  public List<String> createIndexes(List<IndexModel> models, CreateIndexOptions options) {
    return indexes.create(models, options, null);
  }

  @Override
  public List<String> createIndexes(
      ClientSession clientSession, List<IndexModel> models, CreateIndexOptions options) {
    return indexes.create(models, options, session(clientSession));
  }

  @Override
  public ListIndexesIterable<Document> listIndexes() {
    return new ListIndexes<>(target(), codec(Document.class));
  }

  @Override
  public ListIndexesIterable<Document> listIndexes(ClientSession clientSession) {
    return new ListIndexes<>(target(clientSession), codec(Document.class));
  }

  @Override
  public <R> ListIndexesIterable<R> listIndexes(Class<R> resultClass) {
    return new ListIndexes<>(target(), codec(resultClass));
  }

  @Override
  public <R> ListIndexesIterable<R> listIndexes(ClientSession clientSession, Class<R> resultClass) {
    return new ListIndexes<>(target(clientSession), codec(resultClass));
  }

  @Override
  public void dropIndex(String indexName) {
    indexes.drop(Given.required(indexName, "indexName"), new DropIndexOptions(), null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, String indexName) {
    indexes.drop(
        Given.required(indexName, "indexName"), new DropIndexOptions(), session(clientSession));
  }

  @Override
  public void dropIndex(String indexName, DropIndexOptions options) {
    indexes.drop(Given.required(indexName, "indexName"), options, null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, String indexName, DropIndexOptions options) {
    indexes.drop(Given.required(indexName, "indexName"), options, session(clientSession));
  }

  @Override
  public void dropIndex(Bson keys) {
    indexes.drop(Given.required(keys, "keys"), new DropIndexOptions(), null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, Bson keys) {
    indexes.drop(Given.required(keys, "keys"), new DropIndexOptions(), session(clientSession));
  }

  @Override
  public void dropIndex(Bson keys, DropIndexOptions options) {
    indexes.drop(Given.required(keys, "keys"), options, null);
  }

  @Override
  public void dropIndex(ClientSession clientSession, Bson keys, DropIndexOptions options) {
    indexes.drop(Given.required(keys, "keys"), options, session(clientSession));
  }

  @Override
  public void dropIndexes() {
    indexes.drop("*", new DropIndexOptions(), null);
  }

  @Override
  public void dropIndexes(ClientSession clientSession) {
    indexes.drop("*", new DropIndexOptions(), session(clientSession));
  }

  @Override
  public void dropIndexes(DropIndexOptions options) {
    indexes.drop("*", options, null);
  }

  @Override
  public void dropIndexes(ClientSession clientSession, DropIndexOptions options) {
    indexes.drop("*", options, session(clientSession));
  }
}
