// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Row;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One workload on both sides, turn by turn: first until both are warm, then as many rounds as are
 * counted. Who begins changes from round to round.
 */
final class Duel {
  private static final int ROUNDS = 11;

  private final Workload workload;
  private final Side ours;
  private final Side peer;
  private final Duration time;
  private final Paired rates = new Paired();
  private final Paired cpus = new Paired();

  Duel(Workload workload, Side ours, Side peer, Duration time) {
    this.workload = workload;
    this.ours = ours;
    this.peer = peer;
    this.time = time;
  }

  /** Runs it and reports. */
  void into(Report report, boolean quick) throws InterruptedException {
    if (!quick) {
      int turns = warmUp();
      report.progress(workload.title() + ": warm after " + turns + " turns of each side");
    }
    for (int round = 1; round <= (quick ? 1 : ROUNDS); round++) {
      measure(round);
    }
    addRows(report);
  }

  private int warmUp() throws InterruptedException {
    WarmUp mine = new WarmUp();
    WarmUp theirs = new WarmUp();
    while (!mine.isOver() || !theirs.isOver()) {
      mine.add(ours.turn(workload, time, -mine.turns()).perSecond());
      theirs.add(peer.turn(workload, time, -theirs.turns()).perSecond());
    }
    return mine.turns();
  }

  private void measure(int round) throws InterruptedException {
    boolean oursFirst = round % 2 == 1;
    Side.Turn first = (oursFirst ? ours : peer).turn(workload, time, round);
    Side.Turn second = (oursFirst ? peer : ours).turn(workload, time, round);
    Side.Turn mine = oursFirst ? first : second;
    Side.Turn theirs = oursFirst ? second : first;
    rates.add(mine.perSecond(), theirs.perSecond());
    cpus.add(mine.cpuMicros(), theirs.cpuMicros());
  }

  private void addRows(Report report) {
    Target target = Target.of(workload);
    double other = target == null ? 1 : target.otherPeer();
    double ratio = rates.ratio() / other;
    Row row = Row.paired(workload.title(), rates.ours(), rates.peer() * other, ratio, "/s");
    report.add(
        target == null ? row : row.asking(times(">=", target.rate()), ratio >= target.rate()));
    Row cpu = Row.paired("  server CPU", cpus.ours(), cpus.peer(), cpus.ratio(), "us");
    @Nullable Double most = target == null ? null : target.cpu();
    report.add(most == null ? cpu : cpu.asking(times("<=", most), cpus.ratio() <= most));
  }

  private static String times(String sign, double factor) {
    return String.format(Locale.ROOT, "%s %s x", sign, factor);
  }
}
