// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.sickrouter;

import io.fairlead.cli.demo.Claim;
import io.fairlead.cli.demo.traffic.Side;
import io.fairlead.cli.terminal.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All rounds under one sickness, and what they say about the promises A8, A9 and A10. */
final class Judgement {

  /**
   * 0.5 % of 3,000: how many of the reads, and of the writes, may meet a sick router. A quick run
   * is held to the same number.
   */
  private static final int MOST_OF_A_KIND = 15;

  private final Sickness sickness;
  private final boolean quick;
  private final Map<Side, List<Round>> rounds = new EnumMap<>(Side.class);
  private final Map<Side, Duration> backAfter = new ConcurrentHashMap<>();

  Judgement(Sickness sickness, boolean quick) {
    this.sickness = sickness;
    this.quick = quick;
  }

  Sickness sickness() {
    return sickness;
  }

  void add(Round round) {
    rounds.computeIfAbsent(round.side(), side -> new ArrayList<>()).add(round);
  }

  void back(Side side, Duration after) {
    backAfter.put(side, after);
  }

  /** One row a side: counts of its first and longest round, median latencies of all its rounds. */
  void print(Table table) {
    for (Side side : rounds.keySet()) {
      Round longest = rounds.get(side).getFirst();
      Duration back = backAfter.get(side);
      table.row(
          sickness.label(),
          side.label(),
          longest.run().readsFailed() + "+" + longest.run().writesFailed(),
          longest.sickPercent(),
          medianPercentile(side, 50),
          medianPercentile(side, 99),
          longest.routers().get(0).summary(),
          longest.routers().get(1).summary(),
          longest.routers().get(2).summary(),
          back == null ? "-" : String.format(Locale.ROOT, "%.1f", back.toMillis() / 1000.0));
    }
  }

  /** The claims of our two sides. */
  List<Claim> claims(@Nullable Judgement healthy) {
    List<Claim> claims = new ArrayList<>();
    for (Side side : Side.values()) {
      if (side.isOurs()) {
        claims.add(fewMeetIt(side));
        claims.add(fewFail(side));
        if (healthy != null && !quick) {
          claims.add(tailStaysShort(side, healthy));
        }
        claims.add(comesBack(side));
      }
    }
    return claims;
  }

  private Claim fewMeetIt(Side side) {
    long reads = most(side, Round::sickReads);
    long writes = most(side, Round::sickWrites);
    return new Claim(
        "A9",
        subject(side) + "at most " + MOST_OF_A_KIND + " reads and writes each are sent to the sick",
        reads + " reads, " + writes + " writes",
        reads <= MOST_OF_A_KIND && writes <= MOST_OF_A_KIND);
  }

  private Claim fewFail(Side side) {
    boolean option = side == Side.OURS_RETRYING;
    int readsAllowed = !option && sickness.readsMayFail() ? MOST_OF_A_KIND : 0;
    int writesAllowed = !option && sickness.writesMayFail() ? MOST_OF_A_KIND : 0;
    long reads = most(side, round -> round.run().readsFailed());
    long writes = most(side, round -> round.run().writesFailed());
    return new Claim(
        "A10",
        subject(side) + "at most " + readsAllowed + " reads and " + writesAllowed + " writes fail",
        reads + " reads, " + writes + " writes",
        reads <= readsAllowed && writes <= writesAllowed);
  }

  private Claim tailStaysShort(Side side, Judgement healthy) {
    double reference = healthy.medianPercentile(side, 99);
    double bound = Math.max(2 * reference, reference + 10);
    double seen = medianPercentile(side, 99);
    return new Claim(
        "A9",
        subject(side)
            + String.format(Locale.ROOT, "p99 at most %.1f ms (healthy %.1f ms)", bound, reference),
        String.format(Locale.ROOT, "%.1f ms", seen),
        seen <= bound);
  }

  private Claim comesBack(Side side) {
    Duration back = backAfter.get(side);
    return new Claim(
        "A8",
        subject(side) + "back at 25 % of the traffic within 15 s",
        back == null
            ? "not within 15 s"
            : String.format(Locale.ROOT, "after %.1f s", back.toMillis() / 1000.0),
        back != null);
  }

  private String subject(Side side) {
    return sickness.label() + ", " + side.label() + ": ";
  }

  private long most(Side side, java.util.function.ToLongFunction<Round> count) {
    return rounds.getOrDefault(side, List.of()).stream().mapToLong(count).max().orElseThrow();
  }

  private double medianPercentile(Side side, double percent) {
    double[] sorted =
        rounds.getOrDefault(side, List.of()).stream()
            .mapToDouble(round -> round.run().percentileMillis(percent))
            .sorted()
            .toArray();
    return sorted[sorted.length / 2];
  }
}
