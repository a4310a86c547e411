// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Smoothed round-trip time of one server: the newest sample weighs one fifth. Beside it the last
 * ten samples, whose smallest tells how long a request takes at the very least. Immutable.
 *
 * @param average what users call the ping
 * @param recent the last samples, oldest first, at least one and at most {@value #RECENT_MAX}
 */
public record RoundTripTime(Duration average, List<Duration> recent) {
  private static final int RECENT_MAX = 10;
  private static final double NEWEST_WEIGHS = 0.2;

  public RoundTripTime {
    recent = List.copyOf(recent);
    if (average.isNegative()) {
      throw new IllegalArgumentException("a round-trip time can't be negative, was " + average);
    }
  }

  /** The first sample, or an average known from elsewhere. */
  public static RoundTripTime of(Duration sample) {
    return new RoundTripTime(sample, List.of(sample));
  }

  /**
   * Takes one more sample in.
   *
   * @param sample first byte sent to last byte read of one polled {@code hello}; a streamed {@code
   *     hello} waits on the server and is no measure of the network
   * @throws IllegalArgumentException if {@code sample} is negative
   */
  public RoundTripTime with(Duration sample) {
    if (sample.isNegative()) {
      throw new IllegalArgumentException("a round-trip time can't be negative, was " + sample);
    }
    double nanos = NEWEST_WEIGHS * sample.toNanos() + (1 - NEWEST_WEIGHS) * average.toNanos();
    List<Duration> samples = new ArrayList<>(recent);
    samples.add(sample);
    if (samples.size() > RECENT_MAX) {
      samples.removeFirst();
    }
    return new RoundTripTime(Duration.ofNanos(Math.round(nanos)), samples);
  }

  /**
   * The smallest of the last samples; zero until there are two, as the specification of timeouts
   * asks.
   */
  public Duration minimum() {
    if (recent.size() < 2) {
      return Duration.ZERO;
    }
    Duration least = recent.getFirst();
    for (Duration sample : recent) {
      least = sample.compareTo(least) < 0 ? sample : least;
    }
    return least;
  }
}
