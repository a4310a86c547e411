// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.MongoDriverInformation;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListDatabasesIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import io.fairlead.conformance.unified.entity.Options;
import io.fairlead.conformance.unified.match.NotInApiException;
import io.fairlead.conformance.unified.match.Results;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Operations on a client. */
final class ClientOperations {
  private ClientOperations() {}

  static Prepared prepare(String name, MongoClient client, Args args) {
    return switch (name) {
      case "close" -> Prepared.nothing(client::close);
      case "appendMetadata" -> appendMetadata(client, args);
      case "createChangeStream" -> createChangeStream(withTimeout(client, args), args);
      case "clientBulkWrite" -> bulkWrite(withTimeout(client, args), args);
      case "dropDatabase" -> dropDatabase(client, args);
      case "listDatabases" -> listDatabases(withTimeout(client, args), args);
      case "listDatabaseNames" -> listDatabaseNames(withTimeout(client, args), args);
      case "listDatabaseObjects" -> throw new NotInApiException("the operation " + name);
      default -> throw new TestFailure("a client has no operation " + name);
    };
  }

  private static MongoCluster withTimeout(MongoClient client, Args args) {
    @Nullable BsonValue timeout = args.get("timeoutMS");
    return timeout == null
        ? client
        : client.withTimeout(timeout.asNumber().longValue(), MILLISECONDS);
  }

  private static Prepared appendMetadata(MongoClient client, Args args) {
    BsonDocument options = args.document("driverInfoOptions");
    MongoDriverInformation.Builder builder = MongoDriverInformation.builder();
    options.forEach(
        (name, value) -> {
          String text = value.asString().getValue();
          switch (name) {
            case "name" -> builder.driverName(text);
            case "version" -> builder.driverVersion(text);
            case "platform" -> builder.driverPlatform(text);
            default -> throw new TestFailure("unknown metadata " + name);
          }
        });
    return Prepared.nothing(() -> client.appendMetadata(builder.build()));
  }

  private static Prepared createChangeStream(MongoCluster client, Args args) {
    ClientSession session = args.session();
    List<BsonDocument> pipeline = args.documentsOrNone("pipeline");
    return CollectionReads.changeStream(
        session == null
            ? client.watch(pipeline, BsonDocument.class)
            : client.watch(session, pipeline, BsonDocument.class),
        args);
  }

  private static Prepared dropDatabase(MongoClient client, Args args) {
    ClientSession session = args.session();
    String name = args.text("database");
    return Prepared.nothing(
        () -> {
          if (session == null) {
            client.getDatabase(name).drop();
          } else {
            client.getDatabase(name).drop(session);
          }
        });
  }

  private static Prepared listDatabases(MongoCluster client, Args args) {
    ClientSession session = args.session();
    ListDatabasesIterable<BsonDocument> list =
        session == null
            ? client.listDatabases(BsonDocument.class)
            : client.listDatabases(session, BsonDocument.class);
    args.document("filter", list::filter);
    args.flag("nameOnly", list::nameOnly);
    args.flag("authorizedDatabases", list::authorizedDatabasesOnly);
    args.value("comment", list::comment);
    return () -> Outcome.documents(list);
  }

  private static Prepared listDatabaseNames(MongoCluster client, Args args) {
    ClientSession session = args.session();
    MongoIterable<String> names =
        session == null ? client.listDatabaseNames() : client.listDatabaseNames(session);
    return () -> Outcome.values(names.map(BsonString::new));
  }

  private static Prepared bulkWrite(MongoCluster client, Args args) {
    ClientSession session = args.session();
    List<ClientNamespacedWriteModel> models =
        args.documents("models").stream()
            .map(each -> WriteModels.ofClient(each, args.entities()))
            .toList();
    ClientBulkWriteOptions options = ClientBulkWriteOptions.clientBulkWriteOptions();
    args.flag("ordered", options::ordered);
    args.flag("bypassDocumentValidation", options::bypassDocumentValidation);
    args.flag("verboseResults", options::verboseResults);
    args.document("let", options::let);
    args.value("comment", options::comment);
    BsonDocument concern = args.documentOrEmpty("writeConcern");
    MongoCluster cluster =
        concern.isEmpty() ? client : client.withWriteConcern(Options.writeConcern(concern));
    return () ->
        Outcome.of(
            Results.of(
                session == null
                    ? cluster.bulkWrite(models, options)
                    : cluster.bulkWrite(session, models, options)));
  }
}
