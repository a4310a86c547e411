// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import static io.fairlead.conformance.unified.operation.CollectionReads.withTimeout;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.UpdateResult;
import io.fairlead.conformance.unified.match.Results;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.List;
import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Writes to a collection. */
final class CollectionWrites {
  private CollectionWrites() {}

  static Prepared insertOne(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> to = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument document = args.document("document").clone();
    InsertOneOptions options = new InsertOneOptions();
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.value("comment", options::comment);
    return () ->
        Outcome.of(
            Results.of(
                session == null
                    ? to.insertOne(document, options)
                    : to.insertOne(session, document, options)));
  }

  static Prepared insertMany(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> to = withTimeout(of, args);
    ClientSession session = args.session();
    List<BsonDocument> documents =
        args.documents("documents").stream().map(BsonDocument::clone).toList();
    InsertManyOptions options = new InsertManyOptions();
    args.flag("ordered", options::ordered);
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.value("comment", options::comment);
    return () ->
        Outcome.of(
            Results.of(
                session == null
                    ? to.insertMany(documents, options)
                    : to.insertMany(session, documents, options)));
  }

  static Prepared update(MongoCollection<BsonDocument> of, Args args, boolean many) {
    MongoCollection<BsonDocument> to = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument filter = args.document("filter");
    BsonValue update = args.required("update");
    UpdateOptions options = updateOptions(args);
    return () -> Outcome.of(Results.of(update(to, session, filter, update, options, many)));
  }

  private static UpdateResult update(
      MongoCollection<BsonDocument> to,
      @Nullable ClientSession session,
      BsonDocument filter,
      BsonValue update,
      UpdateOptions options,
      boolean many) {
    if (update.isArray()) {
      List<BsonDocument> pipeline = pipeline(update);
      if (many) {
        return session == null
            ? to.updateMany(filter, pipeline, options)
            : to.updateMany(session, filter, pipeline, options);
      }
      return session == null
          ? to.updateOne(filter, pipeline, options)
          : to.updateOne(session, filter, pipeline, options);
    }
    BsonDocument document = update.asDocument();
    if (many) {
      return session == null
          ? to.updateMany(filter, document, options)
          : to.updateMany(session, filter, document, options);
    }
    return session == null
        ? to.updateOne(filter, document, options)
        : to.updateOne(session, filter, document, options);
  }

  static UpdateOptions updateOptions(Args args) {
    UpdateOptions options = new UpdateOptions();
    args.flag("upsert", options::upsert);
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.documents("arrayFilters", options::arrayFilters);
    args.document("let", options::let);
    args.document("sort", options::sort);
    args.value("comment", options::comment);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    return options;
  }

  static Prepared replaceOne(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> to = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument filter = args.document("filter");
    BsonDocument replacement = args.document("replacement").clone();
    ReplaceOptions options = replaceOptions(args);
    return () ->
        Outcome.of(
            Results.of(
                session == null
                    ? to.replaceOne(filter, replacement, options)
                    : to.replaceOne(session, filter, replacement, options)));
  }

  static ReplaceOptions replaceOptions(Args args) {
    ReplaceOptions options = new ReplaceOptions();
    args.flag("upsert", options::upsert);
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.document("let", options::let);
    args.document("sort", options::sort);
    args.value("comment", options::comment);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    return options;
  }

  static Prepared delete(MongoCollection<BsonDocument> of, Args args, boolean many) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument filter = args.document("filter");
    DeleteOptions options = deleteOptions(args);
    return () -> {
      DeleteResult result;
      if (many) {
        result =
            session == null
                ? from.deleteMany(filter, options)
                : from.deleteMany(session, filter, options);
      } else {
        result =
            session == null
                ? from.deleteOne(filter, options)
                : from.deleteOne(session, filter, options);
      }
      return Outcome.of(Results.of(result));
    };
  }

  static DeleteOptions deleteOptions(Args args) {
    DeleteOptions options = new DeleteOptions();
    args.document("let", options::let);
    args.value("comment", options::comment);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    return options;
  }

  static Prepared findOneAndDelete(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> from = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument filter = args.document("filter");
    FindOneAndDeleteOptions options = new FindOneAndDeleteOptions();
    args.document("projection", options::projection);
    args.document("sort", options::sort);
    args.number("maxTimeMS", time -> options.maxTime(time, MILLISECONDS));
    args.document("let", options::let);
    args.value("comment", options::comment);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    return () ->
        Outcome.orNull(
            session == null
                ? from.findOneAndDelete(filter, options)
                : from.findOneAndDelete(session, filter, options));
  }

  static Prepared findOneAndReplace(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> in = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument filter = args.document("filter");
    BsonDocument replacement = args.document("replacement").clone();
    FindOneAndReplaceOptions options = new FindOneAndReplaceOptions();
    args.document("projection", options::projection);
    args.document("sort", options::sort);
    args.flag("upsert", options::upsert);
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.text("returnDocument", which -> options.returnDocument(returned(which)));
    args.number("maxTimeMS", time -> options.maxTime(time, MILLISECONDS));
    args.document("let", options::let);
    args.value("comment", options::comment);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    return () ->
        Outcome.orNull(
            session == null
                ? in.findOneAndReplace(filter, replacement, options)
                : in.findOneAndReplace(session, filter, replacement, options));
  }

  static Prepared findOneAndUpdate(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> in = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument filter = args.document("filter");
    BsonValue update = args.required("update");
    FindOneAndUpdateOptions options = new FindOneAndUpdateOptions();
    args.document("projection", options::projection);
    args.document("sort", options::sort);
    args.flag("upsert", options::upsert);
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.documents("arrayFilters", options::arrayFilters);
    args.text("returnDocument", which -> options.returnDocument(returned(which)));
    args.number("maxTimeMS", time -> options.maxTime(time, MILLISECONDS));
    args.document("let", options::let);
    args.value("comment", options::comment);
    args.hint(options::hintString, options::hint);
    args.collation(options::collation);
    return () -> {
      if (update.isArray()) {
        List<BsonDocument> pipeline = pipeline(update);
        return Outcome.orNull(
            session == null
                ? in.findOneAndUpdate(filter, pipeline, options)
                : in.findOneAndUpdate(session, filter, pipeline, options));
      }
      BsonDocument document = update.asDocument();
      return Outcome.orNull(
          session == null
              ? in.findOneAndUpdate(filter, document, options)
              : in.findOneAndUpdate(session, filter, document, options));
    };
  }

  private static ReturnDocument returned(String which) {
    return switch (which.toLowerCase(Locale.ROOT)) {
      case "before" -> ReturnDocument.BEFORE;
      case "after" -> ReturnDocument.AFTER;
      default -> throw new TestFailure("returnDocument must be Before or After, not " + which);
    };
  }

  static Prepared bulkWrite(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> to = withTimeout(of, args);
    ClientSession session = args.session();
    List<WriteModel<BsonDocument>> requests =
        args.documents("requests").stream()
            .map(each -> WriteModels.of(each, args.entities()))
            .toList();
    BulkWriteOptions options = new BulkWriteOptions();
    args.flag("ordered", options::ordered);
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.document("let", options::let);
    args.value("comment", options::comment);
    return () ->
        Outcome.of(
            Results.of(
                session == null
                    ? to.bulkWrite(requests, options)
                    : to.bulkWrite(session, requests, options)));
  }

  static List<BsonDocument> pipeline(BsonValue update) {
    return update.asArray().stream().map(BsonValue::asDocument).toList();
  }
}
