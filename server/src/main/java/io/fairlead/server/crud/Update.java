// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.NullArguments;
import io.fairlead.server.command.ShallowDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code update}. */
final class Update {
  private static final Set<String> FIELDS =
      Set.of("q", "u", "c", "multi", "upsert", "arrayFilters", "hint", "collation", "sort");

  private static final Set<String> UNTYPED = Set.of("u", "hint");

  private Update() {}

  static BsonDocument run(CommandContext context) {
    Namespace namespace = context.namespace();
    BsonDocument let = Arguments.optionalDocument(context.body(), "let");
    boolean retryable = context.isRetryableWrite();
    List<Statement> statements = new ArrayList<>();
    for (BsonDocument update : context.requiredDocuments("updates")) {
      UpdateRequest request = request(update, let);
      statements.add(transaction -> apply(transaction, namespace, request, retryable));
    }
    WriteBatch.Outcome outcome = WriteBatch.run(context, statements);
    context.server().counters().updates.add(statements.size());
    return WriteReplies.of(outcome, true);
  }

  /** Does one statement. */
  static Statement.Result apply(
      WriteTransaction transaction, Namespace namespace, UpdateRequest request, boolean retryable) {
    if (retryable && request.multi()) {
      throw Failures.of(72, "Cannot use (or request) retryable writes with multi=true");
    }
    var done = transaction.update(namespace, request);
    return new Statement.Result(done.n(), done.modified(), done.upsertedId());
  }

  /** Parses one statement of the command. */
  static UpdateRequest request(BsonDocument statement, @Nullable BsonDocument let) {
    BsonDocument update = NullArguments.leaveOut(ShallowDocument.of(statement), UNTYPED);
    requireKnown("update.updates", update, FIELDS);
    BsonValue change = update.get("u");
    if (update.get("q") == null || change == null) {
      throw Failures.missing("update.updates." + (change == null ? "u" : "q"));
    }
    if (!change.isDocument() && !change.isArray()) {
      throw Failures.of(9, "Update argument must be either an object or an array");
    }
    boolean multi = Arguments.flag(update, "multi");
    BsonDocument sort = Find.orEmpty(Arguments.optionalDocument(update, "sort"));
    if (multi && !sort.isEmpty()) {
      throw Failures.of(9, "Cannot specify sort with multi=true");
    }
    return new UpdateRequest(
        Arguments.document("update.updates.q", update.get("q")),
        change,
        multi,
        Arguments.flag(update, "upsert"),
        arrayFilters(update, "update.updates.arrayFilters"),
        sort,
        Find.hint(update),
        Arguments.optionalDocument(update, "collation"),
        variables(let, constants(update, change)));
  }

  static List<BsonDocument> arrayFilters(BsonDocument body, String field) {
    BsonValue filters = body.get("arrayFilters");
    return filters == null ? List.of() : Arguments.documents(field, filters);
  }

  private static @Nullable BsonDocument constants(BsonDocument update, BsonValue change) {
    BsonDocument constants = Arguments.optionalDocument(update, "c");
    if (constants != null && !change.isArray()) {
      throw Failures.of(51198, "Constant values may only be specified for pipeline updates");
    }
    return constants;
  }

  /** The command's variables, and this statement's own constants before them. */
  private static @Nullable BsonDocument variables(
      @Nullable BsonDocument let, @Nullable BsonDocument constants) {
    if (constants == null) {
      return let;
    }
    BsonDocument both = new BsonDocument();
    if (let != null) {
      both.putAll(let);
    }
    both.putAll(LetVariables.literals(constants));
    return both;
  }

  static void requireKnown(String owner, BsonDocument statement, Set<String> fields) {
    for (String field : statement.keySet()) {
      if (!fields.contains(field)) {
        throw Failures.of(40415, "BSON field '" + owner + "." + field + "' is an unknown field.");
      }
    }
  }
}
