// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Doubts every field of a {@code $readPreference} that came over the wire. Unknown fields are
 * ignored, as MongoDB does.
 */
final class ReadPreferenceParser {
  private static final long LARGEST_MILLIS = Duration.ofDays(365).toMillis();

  private ReadPreferenceParser() {}

  static ReadPreference parse(BsonDocument document) {
    Mode mode = mode(document.get("mode"));
    return new ReadPreference(
        mode,
        tagSets(document.get("tags")),
        staleness(document.get("maxStalenessSeconds")),
        hedge(document.get("hedge")),
        document.containsKey("latencyWindow")
            ? LatencyWindow.parse(document.get("latencyWindow"))
            : null,
        document.containsKey("maxPingMS") ? millis("maxPingMS", document.get("maxPingMS")) : null);
  }

  private static Mode mode(@Nullable BsonValue value) {
    if (value == null || !value.isString()) {
      throw new InvalidReadPreferenceException(
          value == null
              ? InvalidReadPreferenceException.FAILED_TO_PARSE
              : InvalidReadPreferenceException.TYPE_MISMATCH,
          "a read preference needs a mode, one of primary, primaryPreferred, secondary,"
              + " secondaryPreferred, nearest");
    }
    String name = value.asString().getValue();
    for (Mode mode : Mode.values()) {
      if (mode.wireName().equals(name)) {
        return mode;
      }
    }
    throw new InvalidReadPreferenceException(
        InvalidReadPreferenceException.FAILED_TO_PARSE,
        "there is no read preference mode '" + name + "'");
  }

  private static List<Map<String, String>> tagSets(@Nullable BsonValue value) {
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      throw new InvalidReadPreferenceException(
          InvalidReadPreferenceException.TYPE_MISMATCH,
          "tags of a read preference must be an array of documents");
    }
    List<Map<String, String>> sets = new ArrayList<>();
    for (BsonValue each : value.asArray()) {
      if (!each.isDocument()) {
        throw new InvalidReadPreferenceException(
            InvalidReadPreferenceException.TYPE_MISMATCH,
            "each tag set of a read preference must be a document");
      }
      sets.add(tagSet(each.asDocument()));
    }
    return sets;
  }

  private static Map<String, String> tagSet(BsonDocument document) {
    Map<String, String> tags = new LinkedHashMap<>();
    document.forEach(
        (name, tag) -> {
          if (!tag.isString()) {
            throw new InvalidReadPreferenceException(
                InvalidReadPreferenceException.TYPE_MISMATCH,
                "tag '" + name + "' must be a string");
          }
          tags.put(name, tag.asString().getValue());
        });
    return tags;
  }

  /** MongoDB takes 0 for no limit at all, and knows no fraction. */
  private static @Nullable Duration staleness(@Nullable BsonValue value) {
    if (value == null) {
      return null;
    }
    if (!value.isNumber()) {
      throw new InvalidReadPreferenceException(
          InvalidReadPreferenceException.TYPE_MISMATCH, "maxStalenessSeconds must be a number");
    }
    int seconds = wholeNumber("maxStalenessSeconds", value, Integer.MAX_VALUE);
    return seconds == 0 ? null : Duration.ofSeconds(seconds);
  }

  private static @Nullable Boolean hedge(@Nullable BsonValue value) {
    if (value == null) {
      return null;
    }
    if (!value.isDocument()) {
      throw new InvalidReadPreferenceException(
          InvalidReadPreferenceException.TYPE_MISMATCH, "hedge must be a document {enabled: …}");
    }
    BsonValue enabled = value.asDocument().get("enabled");
    if (enabled == null) {
      return true;
    }
    if (!enabled.isBoolean()) {
      throw new InvalidReadPreferenceException(
          InvalidReadPreferenceException.TYPE_MISMATCH, "hedge.enabled must be a boolean");
    }
    return enabled.asBoolean().getValue();
  }

  static int wholeNumber(String name, @Nullable BsonValue value, int largest) {
    if (value == null || !value.isNumber()) {
      throw new InvalidReadPreferenceException(name + " must be a number");
    }
    double number = value.asNumber().doubleValue();
    if (number != Math.rint(number) || number < 0 || number > largest) {
      throw new InvalidReadPreferenceException(
          name + " must be a whole number from 0 to " + largest);
    }
    return (int) number;
  }

  static Duration millis(String name, @Nullable BsonValue value) {
    if (value == null || !value.isNumber()) {
      throw new InvalidReadPreferenceException(name + " must be a number of milliseconds");
    }
    double number = value.asNumber().doubleValue();
    if (!(number >= 0 && number <= LARGEST_MILLIS)) {
      throw new InvalidReadPreferenceException(
          name + " must be from 0 to " + LARGEST_MILLIS + " milliseconds");
    }
    return Duration.ofNanos(Math.round(number * 1_000_000));
  }

  /** Whole milliseconds travel as such, fractions as a double. */
  static BsonNumber toMillis(Duration duration) {
    if (duration.toNanos() % 1_000_000 == 0) {
      return new BsonInt64(duration.toMillis());
    }
    return new BsonDouble(BigDecimal.valueOf(duration.toNanos()).movePointLeft(6).doubleValue());
  }
}
