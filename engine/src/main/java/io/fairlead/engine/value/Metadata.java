// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a document besides its fields: what {@code $meta} shows. Parts that are not
 * known are null.
 *
 * @param textScore how well it answers a {@code $text}
 * @param distance how far it is from the point of a {@code $near}, in the unit of the answer
 * @param point the place in it that is so far
 * @param recordId the number of its record
 * @param indexKey the index entry by which it was found
 * @param sortKey the values by which it was sorted
 */
public record Metadata(
    @Nullable BsonValue textScore,
    @Nullable BsonValue distance,
    @Nullable BsonValue point,
    @Nullable BsonValue recordId,
    @Nullable BsonDocument indexKey,
    @Nullable BsonArray sortKey) {
  private static final Metadata NOTHING = new Metadata(null, null, null, null, null, null);

  public static Metadata score(double score) {
    return new Metadata(new org.bson.BsonDouble(score), null, null, null, null, null);
  }

  public static Metadata near(double distance, BsonValue point) {
    return new Metadata(null, new org.bson.BsonDouble(distance), point, null, null, null);
  }

  /** The same with what is known of where it was found. */
  public static Metadata found(
      @Nullable Metadata known, BsonValue recordId, @Nullable BsonDocument indexKey) {
    Metadata before = known == null ? NOTHING : known;
    return new Metadata(before.textScore, before.distance, before.point, recordId, indexKey, null);
  }

  /** The same with the values by which it was sorted. */
  public static Metadata sorted(@Nullable Metadata known, BsonArray sortKey) {
    Metadata before = known == null ? NOTHING : known;
    return new Metadata(
        before.textScore, before.distance, before.point, before.recordId, before.indexKey, sortKey);
  }

  /** All that is known, by the names of {@code $meta}. */
  BsonDocument toDocument() {
    BsonDocument all = new BsonDocument();
    for (String name :
        List.of(
            "textScore", "geoNearDistance", "geoNearPoint", "recordId", "indexKey", "sortKey")) {
      BsonValue value = get(name);
      if (value != null) {
        all.append(name, value);
      }
    }
    return all;
  }

  /** What {@code {$meta: name}} is; null when it is not known. */
  public @Nullable BsonValue get(String name) {
    return switch (name) {
      case "textScore" -> textScore;
      case "geoNearDistance" -> distance;
      case "geoNearPoint" -> point;
      case "recordId" -> recordId;
      case "indexKey" -> indexKey;
      case "sortKey" -> sortKey;
      default -> null;
    };
  }
}
