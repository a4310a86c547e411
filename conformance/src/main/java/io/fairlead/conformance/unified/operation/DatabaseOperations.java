// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListCollectionNamesIterable;
import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ChangeStreamPreAndPostImagesOptions;
import com.mongodb.client.model.ClusteredIndexOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.CreateViewOptions;
import com.mongodb.client.model.TimeSeriesGranularity;
import com.mongodb.client.model.TimeSeriesOptions;
import com.mongodb.client.model.ValidationOptions;
import io.fairlead.conformance.unified.entity.Entities;
import io.fairlead.conformance.unified.entity.Options;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.List;
import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Operations on a database. */
final class DatabaseOperations {
  private DatabaseOperations() {}

  static Prepared prepare(String name, MongoDatabase on, Args args) {
    MongoDatabase database = withTimeout(on, args);
    return switch (name) {
      case "aggregate" -> aggregate(database, args);
      case "createChangeStream" -> createChangeStream(database, args);
      case "createCollection" -> createCollection(database, args);
      case "dropCollection" -> dropCollection(database, args);
      case "listCollections" -> listCollections(database, args);
      case "listCollectionNames" -> listCollectionNames(database, args);
      case "modifyCollection" -> modifyCollection(database, args);
      case "runCommand" -> runCommand(database, args);
      case "listCollectionObjects", "runCursorCommand", "createCommandCursor" ->
          throw new NotInApiException("the operation " + name);
      default -> throw new TestFailure("a database has no operation " + name);
    };
  }

  private static MongoDatabase withTimeout(MongoDatabase database, Args args) {
    @Nullable BsonValue timeout = args.get("timeoutMS");
    return timeout == null
        ? database
        : database.withTimeout(timeout.asNumber().longValue(), MILLISECONDS);
  }

  private static Prepared aggregate(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    List<BsonDocument> pipeline = args.documents("pipeline");
    return CollectionReads.aggregate(
        session == null
            ? database.aggregate(pipeline, BsonDocument.class)
            : database.aggregate(session, pipeline, BsonDocument.class),
        pipeline,
        args);
  }

  private static Prepared createChangeStream(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    List<BsonDocument> pipeline = args.documentsOrNone("pipeline");
    return CollectionReads.changeStream(
        session == null
            ? database.watch(pipeline, BsonDocument.class)
            : database.watch(session, pipeline, BsonDocument.class),
        args);
  }

  private static Prepared createCollection(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    String name = args.text("collection");
    if (args.get("viewOn") != null) {
      return createView(database, session, name, args);
    }
    CreateCollectionOptions options = new CreateCollectionOptions();
    args.flag("capped", options::capped);
    args.number("size", options::sizeInBytes);
    args.number("max", options::maxDocuments);
    args.number("expireAfterSeconds", seconds -> options.expireAfter(seconds, SECONDS));
    args.document("timeseries", series -> options.timeSeriesOptions(timeSeries(series, args)));
    args.document(
        "clusteredIndex", index -> options.clusteredIndexOptions(clusteredIndex(index, args)));
    args.document(
        "changeStreamPreAndPostImages",
        images ->
            options.changeStreamPreAndPostImagesOptions(
                new ChangeStreamPreAndPostImagesOptions(images.getBoolean("enabled").getValue())));
    args.document(
        "validator",
        validator -> options.validationOptions(new ValidationOptions().validator(validator)));
    args.collation(options::collation);
    return () -> {
      if (session == null) {
        database.createCollection(name, options);
      } else {
        database.createCollection(session, name, options);
      }
      return Outcome.handle(Entities.bson(database, name));
    };
  }

  private static Prepared createView(
      MongoDatabase database, @Nullable ClientSession session, String name, Args args) {
    String on = args.text("viewOn");
    List<BsonDocument> pipeline = args.documentsOrNone("pipeline");
    CreateViewOptions options = new CreateViewOptions();
    args.collation(options::collation);
    return Prepared.nothing(
        () -> {
          if (session == null) {
            database.createView(name, on, pipeline, options);
          } else {
            database.createView(session, name, on, pipeline, options);
          }
        });
  }

  private static TimeSeriesOptions timeSeries(BsonDocument described, Args args) {
    Args parts = new Args(described, args.entities());
    TimeSeriesOptions options = new TimeSeriesOptions(parts.text("timeField"));
    parts.text("metaField", options::metaField);
    parts.text(
        "granularity",
        name -> options.granularity(TimeSeriesGranularity.valueOf(name.toUpperCase(Locale.ROOT))));
    parts.number("bucketMaxSpanSeconds", seconds -> options.bucketMaxSpan(seconds, SECONDS));
    parts.number("bucketRoundingSeconds", seconds -> options.bucketRounding(seconds, SECONDS));
    parts.requireAllRead();
    return options;
  }

  private static ClusteredIndexOptions clusteredIndex(BsonDocument described, Args args) {
    Args parts = new Args(described, args.entities());
    ClusteredIndexOptions options =
        new ClusteredIndexOptions(
            parts.document("key"), parts.required("unique").asBoolean().getValue());
    parts.text("name", options::name);
    parts.requireAllRead();
    return options;
  }

  private static Prepared dropCollection(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    String name = args.text("collection");
    return Prepared.nothing(
        () -> {
          if (session == null) {
            database.getCollection(name).drop();
          } else {
            database.getCollection(name).drop(session);
          }
        });
  }

  private static Prepared listCollections(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    ListCollectionsIterable<BsonDocument> list =
        session == null
            ? database.listCollections(BsonDocument.class)
            : database.listCollections(session, BsonDocument.class);
    args.document("filter", list::filter);
    args.number("batchSize", size -> list.batchSize((int) size));
    args.number("maxTimeMS", time -> list.maxTime(time, MILLISECONDS));
    args.value("comment", list::comment);
    args.text("timeoutMode", mode -> list.timeoutMode(CollectionReads.timeoutMode(mode)));
    return () -> Outcome.documents(list);
  }

  private static Prepared listCollectionNames(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    ListCollectionNamesIterable list =
        session == null ? database.listCollectionNames() : database.listCollectionNames(session);
    args.document("filter", list::filter);
    args.number("batchSize", size -> list.batchSize((int) size));
    args.number("maxTimeMS", time -> list.maxTime(time, MILLISECONDS));
    args.value("comment", list::comment);
    return () -> Outcome.values(list.map(BsonString::new));
  }

  /** There is no helper of that name: it is the command {@code collMod}. */
  private static Prepared modifyCollection(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    BsonDocument command = new BsonDocument("collMod", args.required("collection"));
    for (String option :
        List.of(
            "index",
            "validator",
            "validationLevel",
            "validationAction",
            "changeStreamPreAndPostImages",
            "expireAfterSeconds",
            "viewOn",
            "pipeline")) {
      args.value(option, value -> command.append(option, value));
    }
    return () -> run(database, session, command, null);
  }

  private static Prepared runCommand(MongoDatabase database, Args args) {
    ClientSession session = args.session();
    BsonDocument command = args.document("command");
    String name = args.text("commandName");
    if (!command.containsKey(name)) {
      throw new TestFailure("the command has no field " + name);
    }
    BsonDocument ordered = new BsonDocument(name, command.get(name));
    command.forEach(ordered::putIfAbsent);
    BsonDocument preference = args.documentOrEmpty("readPreference");
    return () ->
        run(
            database,
            session,
            ordered,
            preference.isEmpty() ? null : Options.readPreference(preference));
  }

  private static Outcome run(
      MongoDatabase database,
      @Nullable ClientSession session,
      BsonDocument command,
      @Nullable ReadPreference preference) {
    BsonDocument reply;
    if (preference == null) {
      reply =
          session == null
              ? database.runCommand(command, BsonDocument.class)
              : database.runCommand(session, command, BsonDocument.class);
    } else {
      reply =
          session == null
              ? database.runCommand(command, preference, BsonDocument.class)
              : database.runCommand(session, command, preference, BsonDocument.class);
    }
    return Outcome.of(reply);
  }
}
