// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.write.DeleteRequest;
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

/** {@code delete}. */
final class Delete {
  private static final Set<String> FIELDS = Set.of("q", "limit", "collation", "hint");

  private static final Set<String> UNTYPED = Set.of("hint");

  private Delete() {}

  static BsonDocument run(CommandContext context) {
    Namespace namespace = context.namespace();
    BsonDocument let = Arguments.optionalDocument(context.body(), "let");
    boolean retryable = context.isRetryableWrite();
    List<Statement> statements = new ArrayList<>();
    for (BsonDocument delete : context.requiredDocuments("deletes")) {
      DeleteRequest request = request(delete, let);
      statements.add(transaction -> apply(transaction, namespace, request, retryable));
    }
    WriteBatch.Outcome outcome = WriteBatch.run(context, statements);
    context.server().counters().deletes.add(statements.size());
    return WriteReplies.of(outcome, false);
  }

  /** Does one statement. */
  static Statement.Result apply(
      WriteTransaction transaction, Namespace namespace, DeleteRequest request, boolean retryable) {
    if (retryable && request.multi()) {
      throw Failures.of(72, "Cannot use (or request) retryable writes with limit=0");
    }
    return new Statement.Result(transaction.delete(namespace, request).deleted(), 0, null);
  }

  /** Parses one statement of the command. */
  static DeleteRequest request(BsonDocument statement, @Nullable BsonDocument let) {
    BsonDocument delete = NullArguments.leaveOut(ShallowDocument.of(statement), UNTYPED);
    Update.requireKnown("delete.deletes", delete, FIELDS);
    BsonValue filter = delete.get("q");
    BsonValue limit = delete.get("limit");
    if (filter == null || limit == null) {
      throw Failures.missing("delete.deletes." + (filter == null ? "q" : "limit"));
    }
    long most = Arguments.integer("delete.deletes.limit", limit);
    if (most != 0 && most != 1) {
      throw Failures.of(9, "The limit field in delete objects must be 0 or 1. Got " + most);
    }
    return new DeleteRequest(
        Arguments.document("delete.deletes.q", filter),
        most == 0,
        Find.hint(delete),
        Arguments.optionalDocument(delete, "collation"),
        let);
  }
}
