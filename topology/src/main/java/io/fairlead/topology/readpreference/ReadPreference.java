// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import io.fairlead.topology.Words;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Which servers may serve a read. Immutable; the invalid can't be built: mode {@code primary} takes
 * neither tags nor staleness nor hedge.
 *
 * @param tagSets tried in order, the first that any suitable member matches decides; empty: any
 *     member. An empty set among them matches every member
 * @param maxStaleness how far a secondary may lag, as estimated; null: as far as it likes. That it
 *     is at least 90 s and at least the heartbeat and 10 s is checked by selection, which knows the
 *     heartbeat
 * @param hedge null: not asked for
 * @param latencyWindow Fairlead's own: overrides the window of client and router for this read;
 *     null: theirs
 * @param maxPing Fairlead's own: no server with a larger average round trip; null: the client's or
 *     router's limit
 */
public record ReadPreference(
    Mode mode,
    List<Map<String, String>> tagSets,
    @Nullable Duration maxStaleness,
    @Nullable Boolean hedge,
    @Nullable LatencyWindow latencyWindow,
    @Nullable Duration maxPing) {

  /** The default of every read. */
  public static final ReadPreference PRIMARY = of(Mode.PRIMARY);

  public ReadPreference {
    tagSets = tagSets.stream().map(Map::copyOf).toList();
    boolean onlyEmpty = tagSets.stream().allMatch(Map::isEmpty);
    if (onlyEmpty) {
      tagSets = List.of();
    }
    if (mode == Mode.PRIMARY && !tagSets.isEmpty()) {
      throw new InvalidReadPreferenceException(
          "mode primary can't have tag sets, as there is one primary only");
    }
    if (mode == Mode.PRIMARY && maxStaleness != null) {
      throw new InvalidReadPreferenceException(
          "mode primary can't have maxStalenessSeconds, as a primary is not stale");
    }
    if (mode == Mode.PRIMARY && hedge != null && hedge) {
      throw new InvalidReadPreferenceException(
          "mode primary can't be hedged, as there is one primary only");
    }
    if (maxStaleness != null && (maxStaleness.isNegative() || maxStaleness.isZero())) {
      throw new InvalidReadPreferenceException(
          InvalidReadPreferenceException.MAX_STALENESS_OUT_OF_RANGE,
          "maxStalenessSeconds must be positive, was " + maxStaleness.toSeconds());
    }
    if (maxPing != null && (maxPing.isNegative() || maxPing.isZero())) {
      throw new InvalidReadPreferenceException(
          "maxPingMS must be positive, was " + maxPing.toMillis());
    }
  }

  public static ReadPreference of(Mode mode) {
    return new ReadPreference(mode, List.of(), null, null, null, null);
  }

  public ReadPreference withTagSets(List<Map<String, String>> changed) {
    return new ReadPreference(mode, changed, maxStaleness, hedge, latencyWindow, maxPing);
  }

  public ReadPreference withMaxStaleness(@Nullable Duration changed) {
    return new ReadPreference(mode, tagSets, changed, hedge, latencyWindow, maxPing);
  }

  public ReadPreference withHedge(@Nullable Boolean changed) {
    return new ReadPreference(mode, tagSets, maxStaleness, changed, latencyWindow, maxPing);
  }

  public ReadPreference withLatencyWindow(@Nullable LatencyWindow changed) {
    return new ReadPreference(mode, tagSets, maxStaleness, hedge, changed, maxPing);
  }

  public ReadPreference withMaxPing(@Nullable Duration changed) {
    return new ReadPreference(mode, tagSets, maxStaleness, hedge, latencyWindow, changed);
  }

  public boolean isPrimary() {
    return mode == Mode.PRIMARY;
  }

  /**
   * Reads a {@code $readPreference} document, whoever sent it.
   *
   * @throws InvalidReadPreferenceException if it is malformed or can't be had
   */
  public static ReadPreference parse(BsonDocument document) {
    return ReadPreferenceParser.parse(document);
  }

  /**
   * {@code {mode, tags, maxStalenessSeconds, hedge}} and Fairlead's {@code maxPingMS,
   * latencyWindow} where they are set.
   */
  public BsonDocument toDocument() {
    BsonDocument document = toSpecifiedDocument();
    if (maxPing != null) {
      document.append("maxPingMS", ReadPreferenceParser.toMillis(maxPing));
    }
    if (latencyWindow != null) {
      document.append("latencyWindow", latencyWindow.toDocument());
    }
    return document;
  }

  private BsonDocument toSpecifiedDocument() {
    BsonDocument document = new BsonDocument("mode", new BsonString(mode.wireName()));
    if (!tagSets.isEmpty()) {
      BsonArray tags = new BsonArray();
      for (Map<String, String> set : tagSets) {
        BsonDocument each = new BsonDocument();
        set.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .forEach(tag -> each.append(tag.getKey(), new BsonString(tag.getValue())));
        tags.add(each);
      }
      document.append("tags", tags);
    }
    if (maxStaleness != null) {
      document.append("maxStalenessSeconds", new BsonInt64(maxStaleness.toSeconds()));
    }
    if (hedge != null) {
      document.append("hedge", new BsonDocument("enabled", BsonBoolean.valueOf(hedge)));
    }
    return document;
  }

  /** For messages: {@code secondary {dc: "ams"}, maxStaleness 90 s, maxPing 30 ms}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(mode.wireName());
    if (!tagSets.isEmpty()) {
      text.append(' ')
          .append(tagSets.stream().map(Words::tags).collect(Collectors.joining(" else ")));
    }
    if (maxStaleness != null) {
      text.append(", maxStaleness ").append(Words.duration(maxStaleness));
    }
    if (maxPing != null) {
      text.append(", maxPing ").append(Words.duration(maxPing));
    }
    if (latencyWindow != null) {
      text.append(", ").append(latencyWindow);
    }
    return text.toString();
  }
}
