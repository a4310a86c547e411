// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.selection;

import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Row;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link SelectionBenchmark} with the allocation profiler, and asks that a trace nobody wants
 * costs nothing.
 */
public final class SelectionMeasure {
  private static final int[] MONGOSES = {3, 50, 1000};
  private static final int[] MEMBERS = {3, 50};
  private static final double SAME_BYTES = 16;

  private final Map<String, Figures> figures = new HashMap<>();

  private record Figures(double nanos, double bytes) {}

  /** Measures and reports. */
  public static void into(Report report, boolean quick) throws RunnerException {
    SelectionMeasure measure = new SelectionMeasure();
    measure.run(quick);
    measure.reportMongoses(report);
    measure.reportMembers(report);
    report.note(
        "selection: peer is the public driver's ReadPreference.choose, which does the first half"
            + " only: no avoided servers, no latency window, no drawing of one server. Nobody else"
            + " publishes a choice among mongoses.");
  }

  private void run(boolean quick) throws RunnerException {
    TimeValue time = quick ? TimeValue.milliseconds(100) : TimeValue.seconds(1);
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(SelectionBenchmark.class.getName())
                    .addProfiler(GCProfiler.class)
                    .forks(quick ? 1 : 2)
                    .warmupIterations(quick ? 1 : 3)
                    .warmupTime(time)
                    .measurementIterations(quick ? 1 : 5)
                    .measurementTime(time)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .jvmArgsAppend("-Xmx512m")
                    .build())
            .run();
    for (RunResult result : results) {
      String benchmark = result.getParams().getBenchmark();
      String name = benchmark.substring(benchmark.lastIndexOf('.') + 1);
      figures.put(name + result.getParams().getParam("servers"), figuresOf(result));
    }
  }

  private static Figures figuresOf(RunResult result) {
    double bytes = Double.NaN;
    for (Map.Entry<String, ?> each : result.getSecondaryResults().entrySet()) {
      if (each.getKey().endsWith("gc.alloc.rate.norm")
          && each.getValue() instanceof Result<?> allocated) {
        bytes = allocated.getScore();
      }
    }
    return new Figures(result.getPrimaryResult().getScore(), bytes);
  }

  private Figures of(String name, int servers) {
    Figures found = figures.get(name + servers);
    if (found == null) {
      throw new IllegalStateException("no result of " + name + " among " + servers);
    }
    return found;
  }

  private void reportMongoses(Report report) {
    double least = of("mongoses", MONGOSES[0]).bytes();
    for (int servers : MONGOSES) {
      report.add(
          Row.of(
              "selection among " + servers + " mongoses",
              of("mongoses", servers).nanos(),
              null,
              "ns"));
    }
    for (int servers : MONGOSES) {
      double bytes = of("mongoses", servers).bytes();
      boolean same = bytes <= least + SAME_BYTES;
      report.add(Row.of("  memory", bytes, null, "B").asking("as among 3", same));
    }
    for (int servers : MONGOSES) {
      report.add(
          Row.of(
              "  with a trace, among " + servers,
              of("mongosesTraced", servers).bytes(),
              null,
              "B"));
    }
  }

  private void reportMembers(Report report) {
    for (int servers : MEMBERS) {
      report.add(
          Row.of(
              "selection among " + servers + " members, 2 tag sets",
              of("members", servers).nanos(),
              peer(servers).nanos(),
              "ns"));
    }
    for (int servers : MEMBERS) {
      double bytes = of("members", servers).bytes();
      double theirs = peer(servers).bytes();
      report.add(
          Row.of("  memory", bytes, theirs, "B").asking("not above the peer's", bytes <= theirs));
    }
  }

  private Figures peer(int servers) {
    return of("membersByPeer", servers);
  }
}
