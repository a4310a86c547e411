// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.CollectionStatistics;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.server.admin.SearchCommands;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.diagnostics.CurrentOperations;
import io.fairlead.server.retryable.SessionIds;
import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Pipelines whose first stage asks about the server rather than reads a collection: {@code
 * $collStats}, {@code $currentOp}, {@code $listLocalSessions}. Others of that kind are refused by
 * name.
 */
final class ServerStages {
  private static final Set<String> NAMES =
      Set.of("$collStats", "$currentOp", "$listLocalSessions", "$listSearchIndexes");

  /** Stages that are no part of the stable API, version 1. */
  private static final Set<String> NOT_IN_API_V1 =
      Set.of(
          "$currentOp",
          "$indexStats",
          "$listLocalSessions",
          "$listSearchIndexes",
          "$listSessions",
          "$planCacheStats",
          "$queryStats",
          "$search",
          "$searchMeta",
          "$shardedDataDistribution",
          "$vectorSearch");

  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private ServerStages() {}

  /** Whether the pipeline begins with such a stage. */
  static boolean begins(AggregateRequest request) {
    return !request.pipeline().isEmpty()
        && !request.pipeline().getFirst().isEmpty()
        && NAMES.contains(request.pipeline().getFirst().getFirstKey());
  }

  /**
   * Refuses stages that {@code apiStrict} does not allow.
   *
   * @throws io.fairlead.engine.error.EngineException 323 APIStrictError
   */
  static void requireStable(AggregateRequest request) {
    for (BsonDocument stage : request.pipeline()) {
      if (!stage.isEmpty() && NOT_IN_API_V1.contains(stage.getFirstKey())) {
        throw Failures.of(
            323,
            "stage "
                + stage.getFirstKey()
                + " is not allowed with 'apiStrict: true' in API Version 1");
      }
    }
  }

  static DocumentCursor run(
      CommandContext context,
      Namespace source,
      AggregateRequest request,
      Snapshot snapshot,
      OperationContext evaluation) {
    Pipeline.Target target = new Pipeline.Target(source.database(), source.collection());
    return Pipeline.compile(request.pipeline(), target, evaluation)
        .run(DocumentCursor.empty(), new Environment(context, snapshot, evaluation));
  }

  /** What the rest of such a pipeline may read, and the documents of its first stage. */
  private record Environment(CommandContext context, Snapshot snapshot, OperationContext evaluation)
      implements PipelineEnvironment {
    @Override
    public DocumentCursor find(String database, String collection, BsonDocument filter) {
      return snapshot.find(
          Namespace.of(database, collection), FindRequest.matching(filter), evaluation);
    }

    @Override
    public DocumentCursor serverStage(
        String name, BsonValue operand, String database, String collection) {
      return switch (name) {
        case "$collStats" -> collectionStatistics(operand, Namespace.of(database, collection));
        case "$currentOp" -> currentOperations(operand, database, collection);
        case "$listLocalSessions" -> localSessions(operand, collection);
        case "$listSearchIndexes" -> throw SearchCommands.notEnabled();
        default -> PipelineEnvironment.super.serverStage(name, operand, database, collection);
      };
    }

    private DocumentCursor collectionStatistics(BsonValue operand, Namespace namespace) {
      BsonDocument wanted = Arguments.document("$collStats", operand);
      CollectionInfo info =
          snapshot
              .collection(namespace)
              .orElseThrow(() -> Failures.of(26, "Collection [" + namespace + "] not found."));
      BsonDocument options = info.options().declared();
      CollectionStatistics statistics = snapshot.statistics(namespace);
      BsonDocument document =
          new BsonDocument("ns", new BsonString(namespace.toString()))
              .append("host", new BsonString(context.server().address()))
              .append("localTime", new BsonDateTime(context.server().settings().clock().millis()));
      for (String part : wanted.keySet()) {
        switch (part) {
          case "count" -> document.append("count", new BsonInt64(statistics.documents()));
          case "storageStats" -> document.append("storageStats", storage(statistics, options));
          default -> throw Failures.unsupported("$collStats with '" + part + "'");
        }
      }
      return DocumentCursor.of(List.of(new RawBsonDocument(document, CODEC)));
    }

    private static BsonDocument storage(CollectionStatistics statistics, BsonDocument options) {
      long indexBytes = statistics.indexBytes().values().stream().mapToLong(Long::longValue).sum();
      BsonDocument sizes = new BsonDocument();
      statistics.indexBytes().forEach((index, bytes) -> sizes.append(index, new BsonInt64(bytes)));
      BsonDocument document =
          new BsonDocument("size", new BsonInt64(statistics.documentBytes()))
              .append("count", new BsonInt64(statistics.documents()));
      if (statistics.documents() > 0) {
        document.append(
            "avgObjSize", new BsonInt64(statistics.documentBytes() / statistics.documents()));
      }
      boolean capped = Arguments.flag(options, "capped");
      document.append("capped", BsonBoolean.valueOf(capped));
      if (capped) {
        document.append("max", options.getNumber("max", new BsonInt64(0)));
        document.append("maxSize", options.getNumber("size"));
      }
      return document
          .append("storageSize", new BsonInt64(statistics.documentBytes()))
          .append("nindexes", new BsonInt32(statistics.indexBytes().size()))
          .append("totalIndexSize", new BsonInt64(indexBytes))
          .append("totalSize", new BsonInt64(statistics.documentBytes() + indexBytes))
          .append("indexSizes", sizes);
    }

    private DocumentCursor localSessions(BsonValue operand, String collection) {
      BsonDocument wanted = Arguments.document("$listLocalSessions", operand);
      for (String field : wanted.keySet()) {
        if (!field.equals("allUsers")) {
          throw Failures.unsupported("$listLocalSessions with '" + field + "'");
        }
      }
      if (!collection.isEmpty()) {
        throw Failures.of(
            73, "$listLocalSessions must be run against the database with {aggregate: 1}");
      }
      long now = context.server().settings().clock().millis();
      return DocumentCursor.of(
          context.server().sessions().idleMillis().entrySet().stream()
              .map(
                  session ->
                      new BsonDocument(
                              "_id", SessionIds.stored(new BsonDocument("id", session.getKey())))
                          .append("lastUse", new BsonDateTime(now - session.getValue())))
              .map(document -> new RawBsonDocument(document, CODEC))
              .toList());
    }

    private DocumentCursor currentOperations(
        BsonValue operand, String database, String collection) {
      Arguments.document("$currentOp", operand);
      if (!database.equals("admin") || !collection.isEmpty()) {
        throw Failures.of(
            73, "$currentOp must be run against the 'admin' database with {aggregate: 1}");
      }
      return DocumentCursor.of(
          CurrentOperations.describeAll(context).stream()
              .map(document -> new RawBsonDocument(document, CODEC))
              .toList());
    }
  }
}
