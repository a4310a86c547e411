// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.aggregation.Pipeline;
import io.fairlead.engine.aggregation.PipelineEnvironment;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.SearchNotEnabled;
import io.fairlead.server.admin.StorageStatistics;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.diagnostics.CurrentOperations;
import io.fairlead.server.retryable.SessionIds;
import java.util.List;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Pipelines whose first stage asks about the server rather than reads a collection: {@code
 * $collStats}, {@code $currentOp}, {@code $indexStats}, {@code $listLocalSessions}. Others of that
 * kind are refused by name.
 */
final class ServerStages {
  private static final Set<String> NAMES =
      Set.of("$collStats", "$currentOp", "$indexStats", "$listLocalSessions", "$listSearchIndexes");

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
        case "$indexStats" -> indexStatistics(operand, Namespace.of(database, collection));
        case "$listLocalSessions" -> localSessions(operand, collection);
        case "$listSearchIndexes" -> throw SearchNotEnabled.refusal();
        default -> PipelineEnvironment.super.serverStage(name, operand, database, collection);
      };
    }

    private DocumentCursor collectionStatistics(BsonValue operand, Namespace namespace) {
      if (!(operand instanceof BsonDocument wanted)) {
        throw Failures.of(
            40166, "$collStats must take a nested object but found: $collStats: " + operand);
      }
      if (snapshot.collection(namespace).isEmpty()) {
        throw Failures.of(26, "Collection [" + namespace + "] not found.");
      }
      BsonDocument document =
          new BsonDocument("ns", new BsonString(namespace.toString()))
              .append("host", new BsonString(context.server().address()))
              .append("localTime", new BsonDateTime(context.server().settings().clock().millis()));
      for (String part : wanted.keySet()) {
        BsonDocument how = Arguments.document("$collStats." + part, wanted.get(part));
        switch (part) {
          case "count" -> {
            refuseFields(part, how, Set.of());
            document.append("count", new BsonInt64(snapshot.statistics(namespace).documents()));
          }
          case "storageStats" -> {
            refuseFields(part, how, Set.of("scale", "verbose", "waitForLock"));
            int scale = StorageStatistics.scale(how.get("scale"));
            document.append(part, StorageStatistics.of(snapshot, namespace, scale));
          }
          case "latencyStats", "queryExecStats" ->
              throw Failures.unsupported("$collStats with '" + part + "'");
          default -> throw unknownField(part);
        }
      }
      return DocumentCursor.of(List.of(new RawBsonDocument(document, CODEC)));
    }

    private static void refuseFields(String part, BsonDocument how, Set<String> known) {
      for (String field : how.keySet()) {
        if (!known.contains(field)) {
          throw unknownField(part + "." + field);
        }
      }
    }

    private static EngineException unknownField(String field) {
      return Failures.of(40415, "BSON field '$collStats." + field + "' is an unknown field.");
    }

    private DocumentCursor indexStatistics(BsonValue operand, Namespace namespace) {
      if (!(operand instanceof BsonDocument options && options.isEmpty())) {
        throw Failures.of(28803, "The $indexStats stage specification must be an empty object");
      }
      return DocumentCursor.of(
          snapshot.indexAccesses(namespace).stream()
              .map(
                  accesses ->
                      new BsonDocument("name", accesses.index().get("name"))
                          .append("key", accesses.index().get("key"))
                          .append("host", new BsonString(context.server().address()))
                          .append(
                              "accesses",
                              new BsonDocument("ops", new BsonInt64(accesses.operations()))
                                  .append(
                                      "since", new BsonDateTime(accesses.since().toEpochMilli())))
                          .append("spec", accesses.index()))
              .map(document -> new RawBsonDocument(document, CODEC))
              .toList());
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
