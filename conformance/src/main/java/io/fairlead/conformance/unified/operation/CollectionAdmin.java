// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import static io.fairlead.conformance.unified.operation.CollectionReads.withTimeout;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.mongodb.MongoNamespace;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListSearchIndexesIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateIndexOptions;
import com.mongodb.client.model.DropIndexOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.SearchIndexModel;
import com.mongodb.client.model.SearchIndexType;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What is done to a collection as a whole: indexes, search indexes, renaming. */
final class CollectionAdmin {
  private CollectionAdmin() {}

  static Prepared createIndex(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> in = withTimeout(of, args);
    ClientSession session = args.session();
    BsonDocument keys = args.document("keys");
    IndexOptions options = new IndexOptions();
    args.text("name", options::name);
    args.flag("unique", options::unique);
    args.flag("sparse", options::sparse);
    args.flag("hidden", options::hidden);
    args.number("expireAfterSeconds", seconds -> options.expireAfter(seconds, SECONDS));
    args.document("partialFilterExpression", options::partialFilterExpression);
    args.document("wildcardProjection", options::wildcardProjection);
    args.collation(options::collation);
    CreateIndexOptions creation = new CreateIndexOptions();
    args.number("maxTimeMS", time -> creation.maxTime(time, MILLISECONDS));
    List<IndexModel> indexes = List.of(new IndexModel(keys, options));
    return () ->
        Outcome.of(
            new BsonString(
                (session == null
                        ? in.createIndexes(indexes, creation)
                        : in.createIndexes(session, indexes, creation))
                    .getFirst()));
  }

  static Prepared dropIndex(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> in = withTimeout(of, args);
    ClientSession session = args.session();
    String name = args.text("name");
    DropIndexOptions options = dropOptions(args);
    return Prepared.nothing(
        () -> {
          if (session == null) {
            in.dropIndex(name, options);
          } else {
            in.dropIndex(session, name, options);
          }
        });
  }

  static Prepared dropIndexes(MongoCollection<BsonDocument> of, Args args) {
    MongoCollection<BsonDocument> in = withTimeout(of, args);
    ClientSession session = args.session();
    DropIndexOptions options = dropOptions(args);
    return Prepared.nothing(
        () -> {
          if (session == null) {
            in.dropIndexes(options);
          } else {
            in.dropIndexes(session, options);
          }
        });
  }

  private static DropIndexOptions dropOptions(Args args) {
    DropIndexOptions options = new DropIndexOptions();
    args.number("maxTimeMS", time -> options.maxTime(time, MILLISECONDS));
    return options;
  }

  static Prepared drop(MongoCollection<BsonDocument> of, Args args) {
    ClientSession session = args.session();
    return Prepared.nothing(
        () -> {
          if (session == null) {
            of.drop();
          } else {
            of.drop(session);
          }
        });
  }

  static Prepared rename(MongoCollection<BsonDocument> of, Args args) {
    ClientSession session = args.session();
    MongoNamespace to = new MongoNamespace(of.getNamespace().getDatabaseName(), args.text("to"));
    RenameCollectionOptions options = new RenameCollectionOptions();
    args.flag("dropTarget", options::dropTarget);
    return Prepared.nothing(
        () -> {
          if (session == null) {
            of.renameCollection(to, options);
          } else {
            of.renameCollection(session, to, options);
          }
        });
  }

  static Prepared createSearchIndex(MongoCollection<BsonDocument> of, Args args) {
    SearchIndexModel model = searchIndex(args.document("model"), args);
    return () -> Outcome.of(new BsonString(of.createSearchIndexes(List.of(model)).getFirst()));
  }

  static Prepared createSearchIndexes(MongoCollection<BsonDocument> of, Args args) {
    List<SearchIndexModel> models =
        args.documents("models").stream().map(each -> searchIndex(each, args)).toList();
    return () ->
        Outcome.values(of.createSearchIndexes(models).stream().map(BsonString::new).toList());
  }

  private static SearchIndexModel searchIndex(BsonDocument model, Args args) {
    Args parts = new Args(model, args.entities());
    BsonDocument definition = parts.document("definition");
    @Nullable BsonValue name = parts.get("name");
    @Nullable BsonValue type = parts.get("type");
    parts.requireAllRead();
    if (type != null) {
      return new SearchIndexModel(
          name == null ? null : name.asString().getValue(), definition, searchType(type));
    }
    return name == null
        ? new SearchIndexModel(definition)
        : new SearchIndexModel(name.asString().getValue(), definition);
  }

  private static SearchIndexType searchType(BsonValue type) {
    return switch (type.asString().getValue()) {
      case "search" -> SearchIndexType.search();
      case "vectorSearch" -> SearchIndexType.vectorSearch();
      default -> throw new TestFailure("unknown type of search index " + type);
    };
  }

  static Prepared updateSearchIndex(MongoCollection<BsonDocument> of, Args args) {
    String name = args.text("name");
    BsonDocument definition = args.document("definition");
    return Prepared.nothing(() -> of.updateSearchIndex(name, definition));
  }

  static Prepared dropSearchIndex(MongoCollection<BsonDocument> of, Args args) {
    String name = args.text("name");
    return Prepared.nothing(() -> of.dropSearchIndex(name));
  }

  static Prepared listSearchIndexes(MongoCollection<BsonDocument> of, Args args) {
    ListSearchIndexesIterable<BsonDocument> list = of.listSearchIndexes(BsonDocument.class);
    args.text("name", list::name);
    args.document(
        "aggregationOptions",
        options -> {
          Args more = new Args(options, args.entities());
          more.number("batchSize", size -> list.batchSize((int) size));
          more.requireAllRead();
        });
    return () -> Outcome.documents(list);
  }
}
