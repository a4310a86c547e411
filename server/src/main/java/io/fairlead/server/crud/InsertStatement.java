// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.retryable.StatementOutcome;
import org.bson.BsonDocument;

/** Inserts one document. */
record InsertStatement(Namespace namespace, BsonDocument document) implements Statement {
  @Override
  public Result apply(WriteTransaction transaction) {
    transaction.insert(namespace, document);
    return new Result(1, 0, null);
  }

  /** The record keeps the document's id for the sake of upserts; an insert does not tell it. */
  @Override
  public Result replay(StatementOutcome outcome) {
    return new Result(1, 0, null);
  }
}
