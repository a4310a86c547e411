// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.write;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One statement of a delete command.
 *
 * @param filter which documents
 * @param multi whether all that match or only the first
 * @param hint index, or null
 * @param collation null for the collection's own
 * @param let variables, or null
 */
public record DeleteRequest(
    BsonDocument filter,
    boolean multi,
    @Nullable BsonValue hint,
    @Nullable BsonDocument collation,
    @Nullable BsonDocument let) {
  /** Deletes the first document that matches. */
  public static DeleteRequest one(BsonDocument filter) {
    return new DeleteRequest(filter, false, null, null, null);
  }

  /** Deletes every document that matches. */
  public static DeleteRequest many(BsonDocument filter) {
    return new DeleteRequest(filter, true, null, null, null);
  }
}
