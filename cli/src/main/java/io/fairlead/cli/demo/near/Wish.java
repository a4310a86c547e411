// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.near;

import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One way to ask for a read, and the members that may serve it.
 *
 * @param label for the table
 * @param promise the row of the list of promises that it shows
 * @param preference as it travels in the read
 * @param served indexes of the members that serve such reads, each of them some; the others none
 */
record Wish(String label, String promise, ReadPreference preference, Set<Integer> served) {

  private static final ReadPreference NEAREST = ReadPreference.of(Mode.NEAREST);

  /** All wishes, for members 0, 1, 2 at +0, +10, +40 ms in the data centres ams, fra and nyc. */
  static List<Wish> all() {
    return List.of(
        new Wish("default window, 15 ms", "C1", NEAREST, Set.of(0, 1)),
        new Wish("window 5 ms", "C4", NEAREST.withLatencyWindow(window(5)), Set.of(0)),
        new Wish(
            "window 20 %, floor 1 ms",
            "C2", NEAREST.withLatencyWindow(new LatencyWindow.Proportional(20)), Set.of(0)),
        new Wish(
            "window 80 ms, this read only",
            "C4",
            NEAREST.withLatencyWindow(window(80)),
            Set.of(0, 1, 2)),
        new Wish(
            "window 80 ms, maxPing 30 ms",
            "C4",
            NEAREST.withLatencyWindow(window(80)).withMaxPing(Duration.ofMillis(30)),
            Set.of(0, 1)),
        new Wish("tags dc:nyc", "C5", NEAREST.withTagSets(List.of(Map.of("dc", "nyc"))), Set.of(2)),
        new Wish(
            "tags dc:mars, else dc:fra",
            "C5",
            NEAREST.withTagSets(List.of(Map.of("dc", "mars"), Map.of("dc", "fra"))),
            Set.of(1)));
  }

  private static LatencyWindow window(int millis) {
    return new LatencyWindow.Absolute(Duration.ofMillis(millis));
  }
}
