// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import io.fairlead.topology.Words;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonValue;

/** How much slower than the fastest suitable server another may be and still count as near. */
public sealed interface LatencyWindow {

  /** What the specification calls the local threshold: 15 ms. */
  LatencyWindow DEFAULT = new Absolute(Duration.ofMillis(15));

  /**
   * Where near ends.
   *
   * @param fastestNanos the smallest average round trip among the suitable servers
   * @return the largest average round trip that is still near
   */
  long limitNanos(long fastestNanos);

  /** As it travels in {@code latencyWindow} of a read preference and in {@code config.settings}. */
  BsonDocument toDocument();

  /**
   * Up to so much slower than the fastest.
   *
   * @param aboveFastest zero or more
   */
  record Absolute(Duration aboveFastest) implements LatencyWindow {
    public Absolute {
      requireNotNegative("a latency window", aboveFastest);
    }

    @Override
    public long limitNanos(long fastestNanos) {
      return fastestNanos + aboveFastest.toNanos();
    }

    @Override
    public BsonDocument toDocument() {
      return new BsonDocument("ms", millis(aboveFastest));
    }

    @Override
    public String toString() {
      return "within " + Words.duration(aboveFastest) + " of the fastest";
    }
  }

  /**
   * Up to so many percent slower than the fastest, or within the floor.
   *
   * @param percentAboveFastest zero or more
   * @param floor always near when the difference is within this, so that noise among very near
   *     servers pins nothing; 1 ms unless said otherwise
   */
  record Proportional(int percentAboveFastest, Duration floor) implements LatencyWindow {
    public static final Duration DEFAULT_FLOOR = Duration.ofMillis(1);

    public Proportional {
      if (percentAboveFastest < 0) {
        throw new IllegalArgumentException(
            "a latency window's percentage must be 0 or more, was " + percentAboveFastest);
      }
      requireNotNegative("a latency window's floor", floor);
    }

    public Proportional(int percentAboveFastest) {
      this(percentAboveFastest, DEFAULT_FLOOR);
    }

    @Override
    public long limitNanos(long fastestNanos) {
      long share = Math.round(fastestNanos * (percentAboveFastest / 100.0));
      return fastestNanos + Math.max(share, floor.toNanos());
    }

    @Override
    public BsonDocument toDocument() {
      return new BsonDocument("percent", new BsonInt64(percentAboveFastest))
          .append("floorMS", millis(floor));
    }

    @Override
    public String toString() {
      return "within " + percentAboveFastest + " % or " + Words.duration(floor) + " of the fastest";
    }
  }

  /**
   * Reads {@code {ms: 5}} or {@code {percent: 20, floorMS: 1}}.
   *
   * @throws InvalidReadPreferenceException if the document is neither, or a number is out of range
   */
  static LatencyWindow parse(BsonValue value) {
    if (!value.isDocument()) {
      throw new InvalidReadPreferenceException(
          "latencyWindow must be a document {ms: …} or {percent: …, floorMS: …}");
    }
    BsonDocument document = value.asDocument();
    for (String field : document.keySet()) {
      if (!field.equals("ms") && !field.equals("percent") && !field.equals("floorMS")) {
        throw new InvalidReadPreferenceException(
            "latencyWindow has an unknown field '" + field + "'");
      }
    }
    BsonValue ms = document.get("ms");
    BsonValue percent = document.get("percent");
    BsonValue floor = document.get("floorMS");
    if ((ms == null) == (percent == null) || (ms != null && floor != null)) {
      throw new InvalidReadPreferenceException(
          "latencyWindow takes either ms, or percent with an optional floorMS");
    }
    if (ms != null) {
      return new Absolute(ReadPreferenceParser.millis("latencyWindow.ms", ms));
    }
    int share =
        ReadPreferenceParser.wholeNumber("latencyWindow.percent", percent, Integer.MAX_VALUE);
    return floor == null
        ? new Proportional(share)
        : new Proportional(share, ReadPreferenceParser.millis("latencyWindow.floorMS", floor));
  }

  private static BsonNumber millis(Duration duration) {
    return ReadPreferenceParser.toMillis(duration);
  }

  private static void requireNotNegative(String what, Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(what + " must be zero or more, was " + duration);
    }
  }
}
