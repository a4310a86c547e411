// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.cursor;

import io.fairlead.engine.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One find, as the command has it.
 *
 * @param filter the query; empty matches everything
 * @param sort the sort pattern; empty leaves the order to the plan, {$natural: ±1} asks for
 *     insertion order
 * @param projection empty returns whole documents
 * @param skip how many matches to pass over; 0 or more
 * @param limit how many to return at most; 0 is no limit
 * @param hint name or key pattern of the index to use, {$natural: ±1}, or null
 * @param collation null for the collection's own
 * @param let variables for $expr, or null
 * @param min inclusive lower index bound, or null
 * @param max exclusive upper index bound, or null
 * @param returnKey whether to return index keys only
 * @param showRecordId whether to add $recordId
 */
public record FindRequest(
    BsonDocument filter,
    BsonDocument sort,
    BsonDocument projection,
    long skip,
    long limit,
    @Nullable BsonValue hint,
    @Nullable BsonDocument collation,
    @Nullable BsonDocument let,
    @Nullable BsonDocument min,
    @Nullable BsonDocument max,
    boolean returnKey,
    boolean showRecordId) {
  private static final int INVALID_PIPELINE_OPERATOR = 168;

  private static final BsonDocument NONE = new BsonDocument();
  private static final FindRequest ALL =
      new FindRequest(NONE, NONE, NONE, 0, 0, null, null, null, null, null, false, false);

  /** Every document, in the order the plan finds them. */
  public static FindRequest all() {
    return ALL;
  }

  /** Every document that matches. */
  public static FindRequest matching(BsonDocument filter) {
    return ALL.withFilter(filter);
  }

  /** Whether it says nothing but which documents, how they compare, and how many. */
  public boolean isFilterAlone() {
    return sort.isEmpty()
        && projection.isEmpty()
        && skip == 0
        && hint == null
        && min == null
        && max == null
        && !returnKey
        && !showRecordId;
  }

  /**
   * The same as stages of a pipeline; its hint, collation and variables are not among them.
   *
   * @throws EngineException 168 for an option that no stage has
   */
  public List<BsonDocument> asStages() {
    refuse(sort().containsKey("$natural"), "$natural sort");
    refuse(min() != null, "min");
    refuse(max() != null, "max");
    refuse(returnKey(), "returnKey");
    refuse(showRecordId(), "showRecordId");
    List<BsonDocument> stages = new ArrayList<>();
    if (!filter().isEmpty()) {
      stages.add(new BsonDocument("$match", filter()));
    }
    if (!sort().isEmpty()) {
      stages.add(new BsonDocument("$sort", sort()));
    }
    if (skip() > 0) {
      stages.add(new BsonDocument("$skip", new BsonInt64(skip())));
    }
    if (limit() != 0) {
      stages.add(new BsonDocument("$limit", new BsonInt64(Math.abs(limit()))));
    }
    if (!projection().isEmpty()) {
      stages.add(new BsonDocument("$project", projection()));
    }
    return stages;
  }

  private static void refuse(boolean given, String option) {
    if (given) {
      throw new EngineException(
          INVALID_PIPELINE_OPERATOR, "Option " + option + " not supported in aggregation");
    }
  }

  public FindRequest withFilter(BsonDocument value) {
    return new FindRequest(
        value,
        sort,
        projection,
        skip,
        limit,
        hint,
        collation,
        let,
        min,
        max,
        returnKey,
        showRecordId);
  }

  public FindRequest withSort(BsonDocument value) {
    return new FindRequest(
        filter,
        value,
        projection,
        skip,
        limit,
        hint,
        collation,
        let,
        min,
        max,
        returnKey,
        showRecordId);
  }

  public FindRequest withProjection(BsonDocument value) {
    return new FindRequest(
        filter, sort, value, skip, limit, hint, collation, let, min, max, returnKey, showRecordId);
  }

  public FindRequest withSkip(long value) {
    return new FindRequest(
        filter,
        sort,
        projection,
        value,
        limit,
        hint,
        collation,
        let,
        min,
        max,
        returnKey,
        showRecordId);
  }

  public FindRequest withLimit(long value) {
    return new FindRequest(
        filter,
        sort,
        projection,
        skip,
        value,
        hint,
        collation,
        let,
        min,
        max,
        returnKey,
        showRecordId);
  }

  public FindRequest withHint(@Nullable BsonValue value) {
    return new FindRequest(
        filter,
        sort,
        projection,
        skip,
        limit,
        value,
        collation,
        let,
        min,
        max,
        returnKey,
        showRecordId);
  }

  public FindRequest withCollation(@Nullable BsonDocument value) {
    return new FindRequest(
        filter, sort, projection, skip, limit, hint, value, let, min, max, returnKey, showRecordId);
  }

  public FindRequest withLet(@Nullable BsonDocument value) {
    return new FindRequest(
        filter,
        sort,
        projection,
        skip,
        limit,
        hint,
        collation,
        value,
        min,
        max,
        returnKey,
        showRecordId);
  }

  public FindRequest withBounds(@Nullable BsonDocument newMin, @Nullable BsonDocument newMax) {
    return new FindRequest(
        filter,
        sort,
        projection,
        skip,
        limit,
        hint,
        collation,
        let,
        newMin,
        newMax,
        returnKey,
        showRecordId);
  }

  public FindRequest withReturnKey(boolean value) {
    return new FindRequest(
        filter, sort, projection, skip, limit, hint, collation, let, min, max, value, showRecordId);
  }

  public FindRequest withShowRecordId(boolean value) {
    return new FindRequest(
        filter, sort, projection, skip, limit, hint, collation, let, min, max, returnKey, value);
  }
}
