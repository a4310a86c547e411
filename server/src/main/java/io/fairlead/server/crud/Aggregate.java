// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.aggregation.Stages;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.cursor.CursorReplies;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** {@code aggregate}. */
final class Aggregate {
  private Aggregate() {}

  static BsonDocument run(CommandContext context) throws InterruptedException {
    BsonDocument body = context.body();
    Namespace source = source(context.database(), context.subject());
    AggregateRequest request = request(body);
    if (context.generic().api().strict()) {
      ServerStages.requireStable(request);
    }
    if (Arguments.flag(body, "explain")) {
      return context
          .readSnapshot()
          .explain(source, request, ExplainVerbosity.QUERY_PLANNER, context.evaluation());
    }
    if (body.get("cursor") == null) {
      throw Failures.of(
          9, "The 'cursor' option is required, except for aggregate with the explain argument");
    }
    requireItsSource(source, request);
    long batchSize = CursorReplies.batchSize("aggregate", body.get("cursor"));
    Namespace named =
        source.collection().isEmpty() ? Namespace.of(context.database(), "$cmd.aggregate") : source;
    if (WritingPipeline.writes(request)) {
      return write(context, source, request, named, batchSize);
    }
    Snapshot snapshot = context.readSnapshot();
    return CursorReplies.open(
        context,
        named,
        CursorReplies.Wish.of(batchSize),
        interrupt ->
            ServerStages.begins(request)
                ? ServerStages.run(
                    context, source, request, snapshot, context.evaluation(interrupt))
                : snapshot.aggregate(source, request, context.evaluation(interrupt)));
  }

  /** On a secondary, whose read preference let the command in, the primary does the writing. */
  private static BsonDocument write(
      CommandContext context,
      Namespace source,
      AggregateRequest request,
      Namespace named,
      long batchSize)
      throws InterruptedException {
    if (context.coordinator().isWritablePrimary()) {
      WritingPipeline.run(context, source, request);
      return CursorReplies.open(context, named, batchSize, List.of());
    }
    BsonDocument told = WriteThrough.run(context, source, request);
    BsonDocument reply = CursorReplies.open(context, named, batchSize, List.of());
    reply.putAll(told);
    return reply;
  }

  /** A pipeline on the database makes its own documents; {@code $documents} is only for those. */
  private static void requireItsSource(Namespace source, AggregateRequest request) {
    String first =
        request.pipeline().isEmpty() || request.pipeline().getFirst().isEmpty()
            ? ""
            : request.pipeline().getFirst().getFirstKey();
    boolean own = first.equals("$documents");
    if (source.collection().isEmpty()
        && !own
        && (first.isEmpty() || Stages.names().contains(first))) {
      throw Failures.of(
          73,
          "{aggregate: 1} is not valid for "
              + (first.isEmpty()
                  ? "an empty pipeline."
                  : "'" + first + "'; a collection is required."));
    }
    if (own && !source.collection().isEmpty()) {
      throw Failures.of(
          73, "'$documents' can only be run with {aggregate: 1}: it reads no collection");
    }
  }

  /** The collection that the pipeline reads; with an empty name for a pipeline on the database. */
  static Namespace source(String database, BsonValue subject) {
    if (subject.isString()) {
      String name = subject.asString().getValue();
      if (name.isEmpty() || name.startsWith(".")) {
        throw Failures.of(73, "Invalid namespace specified '" + database + "." + name + "'");
      }
      return Namespace.of(database, name);
    }
    if (subject.isNumber() && subject.asNumber().doubleValue() == 1) {
      return Namespace.of(database, "");
    }
    throw Failures.of(
        9, "Invalid command format: the 'aggregate' field must specify a collection name or 1");
  }

  static AggregateRequest request(BsonDocument body) {
    BsonValue pipeline = body.get("pipeline");
    if (pipeline == null) {
      throw Failures.missing("aggregate.pipeline");
    }
    if (!pipeline.isArray()) {
      throw Failures.of(14, "'pipeline' option must be specified as an array");
    }
    Arguments.flag(body, "allowDiskUse"); // changes nothing here, but is of its type
    for (BsonValue stage : pipeline.asArray()) {
      if (!stage.isDocument()) {
        throw Failures.of(14, "Each element of the 'pipeline' array must be an object");
      }
    }
    return new AggregateRequest(
        Arguments.documents("aggregate.pipeline", pipeline),
        Find.hint(body),
        Arguments.optionalDocument(body, "collation"),
        Arguments.optionalDocument(body, "let"));
  }
}
