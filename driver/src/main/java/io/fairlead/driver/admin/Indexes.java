// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.admin;

import com.mongodb.DuplicateKeyException;
import com.mongodb.ErrorCategory;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.WriteConcernResult;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.DropIndexOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.SearchIndexModel;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The indexes of one collection, made and dropped. */
public record Indexes(Scope scope, MongoNamespace collection) {
  /**
   * Creates indexes.
   *
   * @return the names, given or generated, in order
   * @throws DuplicateKeyException if a unique index would have to hold two equal keys
   */
  public List<String> create(
      List<IndexModel> models, CreateIndexOptions options, @Nullable Session session) {
    if (models == null || models.isEmpty()) {
      throw new IllegalArgumentException("indexes can not be null or empty");
    }
    List<String> names = new ArrayList<>(models.size());
    BsonArray indexes = new BsonArray();
    for (IndexModel model : models) {
      if (model == null) {
        throw new IllegalArgumentException("indexes can not contain a null value");
      }
      BsonDocument index = describe(model);
      names.add(index.getString("name").getValue());
      indexes.add(index);
    }
    CommandBody body =
        command("createIndexes")
            .array("indexes", indexes)
            .writeConcern(scope.writeConcernOnWire())
            .value(
                "commitQuorum",
                options.getCommitQuorum() == null ? null : options.getCommitQuorum().toBsonValue())
            .maxTime(scope.maxTime(options.getMaxTime(TimeUnit.MILLISECONDS)));
    try {
      AdminCommands.run(scope, collection.getDatabaseName(), body.end(), session);
    } catch (MongoCommandException e) {
      if (ErrorCategory.fromErrorCode(e.getErrorCode()) == ErrorCategory.DUPLICATE_KEY) {
        throw new DuplicateKeyException(
            e.getResponse(), e.getServerAddress(), WriteConcernResult.acknowledged(0, false, null));
      }
      throw e;
    }
    return names;
  }

  /** Drops an index by its name, or all but that of {@code _id} for {@code *}. */
  public void drop(String name, DropIndexOptions options, @Nullable Session session) {
    dropOne(new BsonString(name), options, session);
  }

  /** Drops the index with these keys. */
  public void drop(Bson keys, DropIndexOptions options, @Nullable Session session) {
    dropOne(keys.toBsonDocument(BsonDocument.class, scope.codecs()), options, session);
  }

  private void dropOne(BsonValue index, DropIndexOptions options, @Nullable Session session) {
    AdminCommands.runUnlessMissing(
        scope,
        collection.getDatabaseName(),
        command("dropIndexes")
            .value("index", index)
            .writeConcern(scope.writeConcernOnWire())
            .maxTime(scope.maxTime(options.getMaxTime(TimeUnit.MILLISECONDS)))
            .end(),
        session);
  }

  /**
   * Creates search indexes; an empty list is the server's to refuse.
   *
   * @return the names, where none was given {@code default}
   */
  public List<String> createSearch(List<SearchIndexModel> models) {
    if (models == null) {
      throw new IllegalArgumentException("searchIndexModels can not be null");
    }
    List<String> names = new ArrayList<>(models.size());
    BsonArray indexes = new BsonArray();
    for (SearchIndexModel model : models) {
      BsonDocument index = new BsonDocument();
      if (model.getName() != null) {
        index.append("name", new BsonString(model.getName()));
      }
      if (model.getType() != null) {
        index.append("type", model.getType().toBsonValue());
      }
      index.append("definition", document(model.getDefinition()));
      indexes.add(index);
      names.add(model.getName() == null ? "default" : model.getName());
    }
    AdminCommands.run(
        scope,
        collection.getDatabaseName(),
        command("createSearchIndexes").array("indexes", indexes).end(),
        null);
    return names;
  }

  public void updateSearch(String name, Bson definition) {
    AdminCommands.run(
        scope,
        collection.getDatabaseName(),
        command("updateSearchIndex").string("name", name).document("definition", definition).end(),
        null);
  }

  public void dropSearch(String name) {
    AdminCommands.runUnlessMissing(
        scope,
        collection.getDatabaseName(),
        command("dropSearchIndex").string("name", name).end(),
        null);
  }

  private CommandBody command(String name) {
    return CommandBody.of(name, collection.getCollectionName(), BsonDocument.class, scope.codecs());
  }

  private BsonDocument document(Bson bson) {
    return bson.toBsonDocument(BsonDocument.class, scope.codecs());
  }

  private BsonDocument describe(IndexModel model) {
    BsonDocument keys = document(model.getKeys());
    IndexOptions options = model.getOptions();
    BsonDocument index =
        new BsonDocument("key", keys)
            .append(
                "name",
                new BsonString(options.getName() == null ? nameOf(keys) : options.getName()));
    flag(index, "background", options.isBackground());
    flag(index, "unique", options.isUnique());
    flag(index, "sparse", options.isSparse());
    Long expireAfter = options.getExpireAfter(TimeUnit.SECONDS);
    put(index, "expireAfterSeconds", expireAfter == null ? null : new BsonInt64(expireAfter));
    put(index, "v", int32(options.getVersion()));
    put(index, "weights", options.getWeights());
    put(index, "default_language", string(options.getDefaultLanguage()));
    put(index, "language_override", string(options.getLanguageOverride()));
    put(index, "textIndexVersion", int32(options.getTextVersion()));
    put(index, "2dsphereIndexVersion", int32(options.getSphereVersion()));
    put(index, "bits", int32(options.getBits()));
    put(index, "min", options.getMin() == null ? null : new BsonDouble(options.getMin()));
    put(index, "max", options.getMax() == null ? null : new BsonDouble(options.getMax()));
    put(index, "storageEngine", options.getStorageEngine());
    put(index, "partialFilterExpression", options.getPartialFilterExpression());
    put(
        index,
        "collation",
        options.getCollation() == null ? (BsonValue) null : options.getCollation().asDocument());
    put(index, "wildcardProjection", options.getWildcardProjection());
    flag(index, "hidden", options.isHidden());
    return index;
  }

  private void put(BsonDocument index, String name, @Nullable Bson value) {
    if (value != null) {
      index.append(name, document(value));
    }
  }

  private static void put(BsonDocument index, String name, @Nullable BsonValue value) {
    if (value != null) {
      index.append(name, value);
    }
  }

  private static void flag(BsonDocument index, String name, boolean value) {
    if (value) {
      index.append(name, BsonBoolean.TRUE);
    }
  }

  private static @Nullable BsonInt32 int32(@Nullable Integer value) {
    return value == null ? null : new BsonInt32(value);
  }

  private static @Nullable BsonString string(@Nullable String value) {
    return value == null ? null : new BsonString(value);
  }

  /** The name that every driver gives: fields and directions, joined. */
  static String nameOf(BsonDocument keys) {
    List<String> parts = new ArrayList<>();
    keys.forEach(
        (field, direction) -> {
          parts.add(field);
          if (direction.isNumber()) {
            parts.add(Integer.toString(direction.asNumber().intValue()));
          } else if (direction.isString()) {
            parts.add(direction.asString().getValue().replace(' ', '_'));
          } else {
            parts.add("");
          }
        });
    return String.join("_", parts);
  }
}
