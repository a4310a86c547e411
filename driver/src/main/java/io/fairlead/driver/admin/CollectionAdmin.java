// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.admin;

import com.mongodb.MongoClientException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.model.ChangeStreamPreAndPostImagesOptions;
import com.mongodb.client.model.ClusteredIndexOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.CreateViewOptions;
import com.mongodb.client.model.DropCollectionOptions;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.TimeSeriesGranularity;
import com.mongodb.client.model.TimeSeriesOptions;
import com.mongodb.client.model.ValidationOptions;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.BsonEncoding;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.Scope;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Creates, renames and drops collections, views and databases. */
public final class CollectionAdmin {
  private CollectionAdmin() {}

  /**
   * Creates a collection.
   *
   * @throws MongoClientException for encrypted fields, since client-side encryption is not
   *     supported
   */
  public static void create(
      Scope scope,
      MongoNamespace collection,
      CreateCollectionOptions options,
      @Nullable Session session) {
    if (options.getEncryptedFields() != null) {
      throw noEncryption("createCollection");
    }
    ValidationOptions validation = options.getValidationOptions();
    CommandBody body =
        command("create", collection.getCollectionName(), scope).bool("capped", options.isCapped());
    if (options.isCapped()) {
      body.positive("size", options.getSizeInBytes()).positive("max", options.getMaxDocuments());
    }
    body.document("storageEngine", options.getStorageEngineOptions())
        .value("indexOptionDefaults", indexOptionDefaults(options, scope))
        .document("validator", validation.getValidator())
        .string(
            "validationLevel",
            validation.getValidationLevel() == null
                ? null
                : validation.getValidationLevel().getValue())
        .string(
            "validationAction",
            validation.getValidationAction() == null
                ? null
                : validation.getValidationAction().getValue())
        .writeConcern(scope.writeConcernOnWire())
        .collation(options.getCollation())
        .positive("expireAfterSeconds", options.getExpireAfter(TimeUnit.SECONDS))
        .value("timeseries", timeSeries(options.getTimeSeriesOptions()))
        .value(
            "changeStreamPreAndPostImages",
            images(options.getChangeStreamPreAndPostImagesOptions()))
        .value("clusteredIndex", clusteredIndex(options.getClusteredIndexOptions(), scope));
    AdminCommands.run(scope, collection.getDatabaseName(), body.end(), session);
  }

  /**
   * Creates a view.
   *
   * @param view the view's name
   * @param viewOn the collection or view that it is a view on
   */
  public static void createView(
      Scope scope,
      MongoNamespace view,
      String viewOn,
      List<? extends Bson> pipeline,
      CreateViewOptions options,
      @Nullable Session session) {
    CommandBody body =
        command("create", view.getCollectionName(), scope)
            .string("viewOn", viewOn)
            .documents("pipeline", pipeline)
            .collation(options.getCollation())
            .writeConcern(scope.writeConcernOnWire());
    AdminCommands.run(scope, view.getDatabaseName(), body.end(), session);
  }

  /** Drops a collection; one that does not exist is dropped already. */
  public static void drop(
      Scope scope,
      MongoNamespace collection,
      DropCollectionOptions options,
      @Nullable Session session) {
    if (options.getEncryptedFields() != null) {
      throw noEncryption("drop");
    }
    AdminCommands.runUnlessMissing(
        scope,
        collection.getDatabaseName(),
        command("drop", collection.getCollectionName(), scope)
            .writeConcern(scope.writeConcernOnWire())
            .end(),
        session);
  }

  public static void dropDatabase(Scope scope, String database, @Nullable Session session) {
    AdminCommands.run(
        scope,
        database,
        CommandBody.of("dropDatabase", BsonDocument.class, scope.codecs())
            .writeConcern(scope.writeConcernOnWire())
            .end(),
        session);
  }

  public static void rename(
      Scope scope,
      MongoNamespace from,
      MongoNamespace to,
      RenameCollectionOptions options,
      @Nullable Session session) {
    AdminCommands.run(
        scope,
        "admin",
        command("renameCollection", from.getFullName(), scope)
            .string("to", to.getFullName())
            .bool("dropTarget", options.isDropTarget())
            .writeConcern(scope.writeConcernOnWire())
            .end(),
        session);
  }

  private static CommandBody command(String name, String collection, Scope scope) {
    return CommandBody.of(name, collection, BsonDocument.class, scope.codecs());
  }

  private static @Nullable BsonDocument indexOptionDefaults(
      CreateCollectionOptions options, Scope scope) {
    BsonDocument storageEngine =
        BsonEncoding.document(
            options.getIndexOptionDefaults().getStorageEngine(),
            BsonDocument.class,
            scope.codecs());
    return storageEngine == null ? null : new BsonDocument("storageEngine", storageEngine);
  }

  private static @Nullable BsonDocument timeSeries(@Nullable TimeSeriesOptions options) {
    if (options == null) {
      return null;
    }
    BsonDocument document = new BsonDocument("timeField", new BsonString(options.getTimeField()));
    if (options.getMetaField() != null) {
      document.append("metaField", new BsonString(options.getMetaField()));
    }
    TimeSeriesGranularity granularity = options.getGranularity();
    if (granularity != null) {
      document.append("granularity", new BsonString(granularity.name().toLowerCase(Locale.ROOT)));
    }
    appendSeconds(document, "bucketMaxSpanSeconds", options.getBucketMaxSpan(TimeUnit.SECONDS));
    appendSeconds(document, "bucketRoundingSeconds", options.getBucketRounding(TimeUnit.SECONDS));
    return document;
  }

  private static void appendSeconds(BsonDocument document, String name, @Nullable Long seconds) {
    if (seconds != null) {
      document.append(name, new BsonInt64(seconds));
    }
  }

  private static @Nullable BsonDocument images(
      @Nullable ChangeStreamPreAndPostImagesOptions options) {
    return options == null
        ? null
        : new BsonDocument("enabled", BsonBoolean.valueOf(options.isEnabled()));
  }

  private static @Nullable BsonDocument clusteredIndex(
      @Nullable ClusteredIndexOptions options, Scope scope) {
    if (options == null) {
      return null;
    }
    BsonDocument document =
        new BsonDocument("key", options.getKey().toBsonDocument(BsonDocument.class, scope.codecs()))
            .append("unique", BsonBoolean.valueOf(options.isUnique()));
    if (options.getName() != null) {
      document.append("name", new BsonString(options.getName()));
    }
    return document;
  }

  private static MongoClientException noEncryption(String method) {
    return new MongoClientException(
        method
            + " with encryptedFields needs client-side encryption, which Fairlead does not"
            + " support");
  }
}
