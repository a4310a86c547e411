// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.retryable.StatementOutcome;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One statement of a write command: one document to insert, or one update or delete with its own
 * filter.
 */
interface Statement {
  /** Does it. */
  Result apply(WriteTransaction transaction);

  /** What it did when it was executed by an earlier attempt. */
  default Result replay(StatementOutcome outcome) {
    return switch (outcome.kind()) {
      case INSERT -> new Result(1, 0, outcome.upsertedId());
      case DELETE -> new Result(1, 0, null);
      case UPDATE -> new Result(1, 1, null);
    };
  }

  /**
   * What a statement did.
   *
   * @param n documents inserted, matched, upserted or deleted
   * @param modified documents changed by an update
   * @param upsertedId {@code _id} of the document that an upsert inserted, or null
   */
  record Result(long n, long modified, @Nullable BsonValue upsertedId) {}
}
