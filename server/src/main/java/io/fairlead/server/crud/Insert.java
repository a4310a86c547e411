// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.server.command.CommandContext;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** {@code insert}. */
final class Insert {
  private Insert() {}

  static BsonDocument run(CommandContext context) {
    Namespace namespace = context.namespace();
    List<Statement> statements = new ArrayList<>();
    for (BsonDocument document : context.requiredDocuments("documents")) {
      statements.add(new InsertStatement(namespace, document));
    }
    WriteBatch.Outcome outcome = WriteBatch.run(context, statements);
    context.server().counters().inserted.add(outcome.succeeded());
    return WriteReplies.of(outcome, false);
  }
}
