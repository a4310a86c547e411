// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.NullArguments;
import io.fairlead.server.command.ShallowDocument;
import io.fairlead.server.handshake.BuildInfo;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code explain}: how a find, aggregate, count, distinct, update, delete or findAndModify would
 * run. Changes nothing.
 */
final class Explain {
  private Explain() {}

  private static final Set<String> EXPLAINED =
      Set.of("find", "count", "distinct", "update", "delete", "findAndModify", "findandmodify");

  static BsonDocument run(CommandContext context) throws InterruptedException {
    BsonDocument inner = Arguments.document("explain.explain", context.subject());
    if (inner.isEmpty()) {
      throw Failures.of(9, "explain command requires a nested object");
    }
    CommandSpec explained = context.server().table().find(inner.getFirstKey());
    if (explained != null) {
      inner = ShallowDocument.of(inner);
      NullArguments.leaveOut(explained, inner);
    }
    ExplainVerbosity verbosity = verbosity(context.body());
    Snapshot snapshot = context.readSnapshot();
    BsonDocument reply = new BsonDocument("explainVersion", new BsonString("1"));
    reply.putAll(explain(context, snapshot, inner, verbosity));
    if (verbosity == ExplainVerbosity.ALL_PLANS_EXECUTION
        && reply.get("executionStats") instanceof BsonDocument statistics) {
      // plans are compared by what they would read, so only the winning one is run
      statistics.append("allPlansExecution", new BsonArray());
    }
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
    if (!EXPLAINED.contains(name)) {
      throw Failures.of(59, "Explain failed due to unknown command: " + name);
    }
    Namespace namespace = context.namespace(name, subject);
    OperationContext evaluation = context.evaluation();
    return switch (name) {
      case "find" -> snapshot.explain(namespace, Find.request(inner), verbosity, evaluation);
      case "count" ->
          snapshot.explainCount(namespace, Counting.countRequest(inner), verbosity, evaluation);
      case "distinct" ->
          snapshot.explainDistinct(
              namespace,
              Counting.distinctKey(inner),
              Counting.distinctRequest(inner),
              verbosity,
              evaluation);
      case "update" -> {
        UpdateRequest update = Update.request(only(inner, "updates"), let(inner));
        yield ExplainedWrite.of(
            "UPDATE",
            snapshot.explain(
                namespace,
                found(update.filter(), update.multi(), update.hint())
                    .withSort(update.sort())
                    .withCollation(update.collation())
                    .withLet(update.let()),
                verbosity,
                evaluation));
      }
      case "delete" -> {
        DeleteRequest delete = Delete.request(only(inner, "deletes"), let(inner));
        yield ExplainedWrite.of(
            "DELETE",
            snapshot.explain(
                namespace,
                found(delete.filter(), delete.multi(), delete.hint())
                    .withCollation(delete.collation())
                    .withLet(delete.let()),
                verbosity,
                evaluation));
      }
      case "findAndModify", "findandmodify" -> {
        FindAndModifyRequest modify = FindAndModify.request(inner);
        yield ExplainedWrite.of(
            modify.update() == null ? "DELETE" : "UPDATE",
            snapshot.explain(
                namespace,
                found(modify.filter(), false, modify.hint())
                    .withSort(modify.sort())
                    .withCollation(modify.collation())
                    .withLet(modify.let()),
                verbosity,
                evaluation));
      }
      default -> throw new IllegalStateException("not explained: " + name);
    };
  }

  /** What a write looks for: one document, or every one. */
  private static FindRequest found(BsonDocument filter, boolean many, @Nullable BsonValue hint) {
    return FindRequest.matching(filter).withLimit(many ? 0 : 1).withHint(hint);
  }

  private static @Nullable BsonDocument let(BsonDocument command) {
    return Arguments.optionalDocument(command, "let");
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
