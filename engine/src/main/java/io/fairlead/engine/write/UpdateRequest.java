// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.write;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One statement of an update command.
 *
 * @param filter which documents
 * @param update a replacement, operators, or a pipeline (an array)
 * @param multi whether all that match or only the first
 * @param upsert whether to insert when nothing matches
 * @param arrayFilters for {@code $[name]}
 * @param sort which is the first, when not multi; empty for any
 * @param hint index, or null
 * @param collation null for the collection's own
 * @param let variables, or null
 */
public record UpdateRequest(
    BsonDocument filter,
    BsonValue update,
    boolean multi,
    boolean upsert,
    List<BsonDocument> arrayFilters,
    BsonDocument sort,
    @Nullable BsonValue hint,
    @Nullable BsonDocument collation,
    @Nullable BsonDocument let) {
  public UpdateRequest {
    arrayFilters = List.copyOf(arrayFilters);
  }

  /** Updates the first document that matches. */
  public static UpdateRequest one(BsonDocument filter, BsonValue update) {
    return new UpdateRequest(
        filter, update, false, false, List.of(), new BsonDocument(), null, null, null);
  }

  /** Updates every document that matches. */
  public static UpdateRequest many(BsonDocument filter, BsonValue update) {
    return new UpdateRequest(
        filter, update, true, false, List.of(), new BsonDocument(), null, null, null);
  }

  public UpdateRequest withUpsert(boolean value) {
    return new UpdateRequest(
        filter, update, multi, value, arrayFilters, sort, hint, collation, let);
  }

  public UpdateRequest withArrayFilters(List<BsonDocument> value) {
    return new UpdateRequest(filter, update, multi, upsert, value, sort, hint, collation, let);
  }

  public UpdateRequest withSort(BsonDocument value) {
    return new UpdateRequest(
        filter, update, multi, upsert, arrayFilters, value, hint, collation, let);
  }

  public UpdateRequest withHint(@Nullable BsonValue value) {
    return new UpdateRequest(
        filter, update, multi, upsert, arrayFilters, sort, value, collation, let);
  }

  public UpdateRequest withCollation(@Nullable BsonDocument value) {
    return new UpdateRequest(filter, update, multi, upsert, arrayFilters, sort, hint, value, let);
  }

  public UpdateRequest withLet(@Nullable BsonDocument value) {
    return new UpdateRequest(
        filter, update, multi, upsert, arrayFilters, sort, hint, collation, value);
  }
}
