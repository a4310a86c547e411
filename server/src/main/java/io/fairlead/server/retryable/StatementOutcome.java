// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.retryable;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What one statement of a retryable write did; enough to give its answer again. A statement that
 * changed nothing has no outcome: to run it again is harmless.
 *
 * @param kind what was done; each statement touched exactly one document
 * @param upsertedId the {@code _id} of the document that was inserted, be it by an insert or an
 *     upsert; null for other kinds
 * @param image of a {@code findAndModify}: the document it answered with, before projection; null
 *     when it answered with none
 */
public record StatementOutcome(
    Kind kind, @Nullable BsonValue upsertedId, @Nullable BsonDocument image) {

  /** What a statement did to its document. */
  public enum Kind {
    INSERT,
    UPDATE,
    DELETE
  }
}
