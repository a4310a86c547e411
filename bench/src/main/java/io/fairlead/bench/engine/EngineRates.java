// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Row;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link EngineBenchmark} in a JVM with the collector of the launcher {@code ./fairlead}, and
 * with huge pages where the system gives them on request.
 */
final class EngineRates {
  private static final String[] JVM = {
    "-Xmx1g",
    "-XX:+UseParallelGC",
    // Linux knows them; another system's JVM is not to refuse to start.
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UseTransparentHugePages"
  };

  private record Wanted(String title, double perSecond) {}

  private static final Map<String, Wanted> WANTED = wanted();

  private static Map<String, Wanted> wanted() {
    Map<String, Wanted> wanted = new LinkedHashMap<>();
    wanted.put("findById", new Wanted("engine alone, one thread: find by _id", 700_000));
    wanted.put("insert", new Wanted("engine alone, one thread: insert", 300_000));
    wanted.put("indexedUpdate", new Wanted("engine alone, one thread: indexed update", 200_000));
    return wanted;
  }

  private EngineRates() {}

  static void into(Report report, boolean quick) throws RunnerException {
    TimeValue time = quick ? TimeValue.milliseconds(200) : TimeValue.seconds(2);
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(EngineBenchmark.class.getName())
                    .forks(1)
                    .threads(1)
                    .warmupIterations(quick ? 1 : 5)
                    .warmupTime(time)
                    .measurementIterations(quick ? 1 : 5)
                    .measurementTime(time)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .jvmArgsAppend(JVM)
                    .build())
            .run();
    Map<String, Double> rates = new LinkedHashMap<>();
    for (RunResult result : results) {
      String benchmark = result.getParams().getBenchmark();
      rates.put(
          benchmark.substring(benchmark.lastIndexOf('.') + 1),
          result.getPrimaryResult().getScore());
    }
    report.note("engine alone: measured with " + String.join(" ", JVM));
    WANTED.forEach(
        (name, wanted) -> {
          Double rate = rates.get(name);
          if (rate == null) {
            throw new IllegalStateException("no result of " + name);
          }
          report.add(
              Row.of(wanted.title(), rate, null, "/s")
                  .asking(
                      ">= " + (int) (wanted.perSecond() / 1000) + " k/s",
                      rate >= wanted.perSecond()));
        });
  }
}
