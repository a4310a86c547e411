// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.write;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One findAndModify command.
 *
 * @param filter which document
 * @param sort which of several
 * @param update a replacement, operators or a pipeline; null removes the document
 * @param returnNew whether to show the document after the update rather than before
 * @param upsert whether to insert when nothing matches
 * @param projection of the document shown; empty for all of it
 * @param arrayFilters for {@code $[name]}
 * @param hint index, or null
 * @param collation null for the collection's own
 * @param let variables, or null
 */
public record FindAndModifyRequest(
    BsonDocument filter,
    BsonDocument sort,
    @Nullable BsonValue update,
    boolean returnNew,
    boolean upsert,
    BsonDocument projection,
    List<BsonDocument> arrayFilters,
    @Nullable BsonValue hint,
    @Nullable BsonDocument collation,
    @Nullable BsonDocument let) {
  public FindAndModifyRequest {
    arrayFilters = List.copyOf(arrayFilters);
  }

  /** Updates one document and shows it as it was before. */
  public static FindAndModifyRequest update(BsonDocument filter, BsonValue update) {
    return new FindAndModifyRequest(
        filter,
        new BsonDocument(),
        update,
        false,
        false,
        new BsonDocument(),
        List.of(),
        null,
        null,
        null);
  }

  /** Removes one document and shows it. */
  public static FindAndModifyRequest remove(BsonDocument filter) {
    return new FindAndModifyRequest(
        filter,
        new BsonDocument(),
        null,
        false,
        false,
        new BsonDocument(),
        List.of(),
        null,
        null,
        null);
  }

  public FindAndModifyRequest withSort(BsonDocument value) {
    return new FindAndModifyRequest(
        filter, value, update, returnNew, upsert, projection, arrayFilters, hint, collation, let);
  }

  public FindAndModifyRequest withReturnNew(boolean value) {
    return new FindAndModifyRequest(
        filter, sort, update, value, upsert, projection, arrayFilters, hint, collation, let);
  }

  public FindAndModifyRequest withUpsert(boolean value) {
    return new FindAndModifyRequest(
        filter, sort, update, returnNew, value, projection, arrayFilters, hint, collation, let);
  }

  public FindAndModifyRequest withProjection(BsonDocument value) {
    return new FindAndModifyRequest(
        filter, sort, update, returnNew, upsert, value, arrayFilters, hint, collation, let);
  }
}
