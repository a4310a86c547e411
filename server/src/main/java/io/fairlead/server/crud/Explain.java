// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.handshake.BuildInfo;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code explain}: how a find, aggregate, count, distinct, update, delete or findAndModify would
 * run. Changes nothing.
 */
final class Explain {
  private Explain() {}

  static BsonDocument run(CommandContext context) throws InterruptedException {
    BsonDocument inner = Arguments.document("explain.explain", context.subject());
    if (inner.isEmpty()) {
      throw Failures.of(9, "explain command requires a nested object");
    }
    ExplainVerbosity verbosity = verbosity(context.body());
    Snapshot snapshot = context.readSnapshot();
    BsonDocument reply = explain(context, snapshot, inner, verbosity);
    return reply
        .append("command", inner)
        .append(
            "serverInfo",
            new BsonDocument("host", new BsonString(context.server().address()))
                .append("version", new BsonString(BuildInfo.VERSION)));
  }

  private static BsonDocument explain(
      CommandContext context, Snapshot snapshot, BsonDocument inner, ExplainVerbosity verbosity) {
    String name = inner.getFirstKey();
    BsonValue subject = inner.get(name);
    if (subject == null) {
      throw Failures.of(9, "explain command requires a nested command");
    }
    if (name.equals("aggregate")) {
      return snapshot.explain(
          Aggregate.source(context.database(), subject),
          Aggregate.request(inner),
          verbosity,
          context.evaluation());
    }
    FindRequest request =
        switch (name) {
          case "find" -> Find.request(inner);
          case "count" -> Counting.countRequest(inner);
          case "distinct" -> Counting.distinctRequest(inner);
          case "update" ->
              FindRequest.matching(Update.request(only(inner, "updates"), null).filter());
          case "delete" ->
              FindRequest.matching(Delete.request(only(inner, "deletes"), null).filter());
          case "findAndModify", "findandmodify" -> {
            var modify = FindAndModify.request(inner);
            yield FindRequest.matching(modify.filter()).withSort(modify.sort());
          }
          default -> throw Failures.of(59, "Explain failed due to unknown command: " + name);
        };
    Namespace namespace = context.namespace(name, subject);
    return snapshot.explain(namespace, request, verbosity, context.evaluation());
  }

  private static BsonDocument only(BsonDocument command, String field) {
    BsonValue list = command.get(field);
    if (list == null) {
      throw Failures.missing(command.getFirstKey() + "." + field);
    }
    List<BsonDocument> statements = Arguments.documents(field, list);
    if (statements.size() != 1) {
      throw Failures.of(16, "explained write batches must be of size 1");
    }
    return statements.getFirst();
  }

  private static ExplainVerbosity verbosity(BsonDocument body) {
    String verbosity = Arguments.optionalString(body, "verbosity");
    if (verbosity == null) {
      return ExplainVerbosity.ALL_PLANS_EXECUTION;
    }
    return switch (verbosity) {
      case "queryPlanner" -> ExplainVerbosity.QUERY_PLANNER;
      case "executionStats" -> ExplainVerbosity.EXECUTION_STATS;
      case "allPlansExecution" -> ExplainVerbosity.ALL_PLANS_EXECUTION;
      default ->
          throw Failures.of(
              2,
              "Enumeration value '"
                  + verbosity
                  + "' for field 'explain.verbosity' is not a valid value.");
    };
  }
}
