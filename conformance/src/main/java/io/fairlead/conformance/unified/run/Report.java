// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import io.fairlead.conformance.unified.run.Verdict.Failed;
import io.fairlead.conformance.unified.run.Verdict.Passed;
import io.fairlead.conformance.unified.run.Verdict.Skipped;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.json.JsonWriterSettings;

/** Gathers results, prints them for people and as JSON. Used by one thread. */
final class Report {
  private final String client;
  private final PrintStream out;
  private final Map<String, List<Result>> bySuite = new LinkedHashMap<>();

  Report(String client, PrintStream out) {
    this.client = client;
    this.out = out;
  }

  void begin(String suite) {
    bySuite.put(suite, new ArrayList<>());
  }

  /** Takes a result; a failure is printed at once. */
  void add(Result result) {
    bySuite.computeIfAbsent(result.suite(), unused -> new ArrayList<>()).add(result);
    if (result.verdict() instanceof Failed(String why, boolean accident)) {
      out.println("FAILED " + name(result));
      why.lines().forEach(line -> out.println("    " + line));
    }
  }

  /** Prints what a suite came to. */
  void end(String suite) {
    List<Result> results = bySuite.getOrDefault(suite, List.of());
    if (results.isEmpty()) {
      out.printf("%-34s absent%n", suite);
      return;
    }
    out.printf(
        "%-34s %5d passed %5d failed %5d skipped%n",
        suite, passed(results), failed(results), skipped(results));
    Map<String, Integer> reasons = new TreeMap<>();
    for (Result each : results) {
      if (each.verdict() instanceof Skipped(Verdict.Reason reason, String why)) {
        reasons.merge(reason + ": " + why, 1, Integer::sum);
      }
    }
    reasons.forEach((reason, count) -> out.printf("    %4d %s%n", count, reason));
  }

  private static String name(Result result) {
    return result.suite()
        + "/"
        + result.file()
        + ": "
        + result.test()
        + (result.topology() == null ? "" : " [" + result.topology().formatName() + "]");
  }

  long failures() {
    return bySuite.values().stream().mapToLong(Report::failed).sum();
  }

  /** Whether a suite that is there has passed nothing, or none is there. */
  boolean hasEmptySuite() {
    List<List<Result>> there =
        bySuite.values().stream().filter(results -> !results.isEmpty()).toList();
    return there.isEmpty() || there.stream().anyMatch(results -> passed(results) == 0);
  }

  long passed() {
    return bySuite.values().stream().mapToLong(Report::passed).sum();
  }

  void total(java.time.Duration took) {
    List<Result> all = bySuite.values().stream().flatMap(List::stream).toList();
    out.printf(
        "%-34s %5d passed %5d failed %5d skipped, client %s, %d s%n",
        "all", passed(all), failed(all), skipped(all), client, took.toSeconds());
  }

  private static long passed(List<Result> results) {
    return results.stream().filter(each -> each.verdict() instanceof Passed).count();
  }

  private static long failed(List<Result> results) {
    return results.stream().filter(each -> each.verdict() instanceof Failed).count();
  }

  private static long skipped(List<Result> results) {
    return results.stream().filter(each -> each.verdict() instanceof Skipped).count();
  }

  /** All results as JSON. */
  String json() {
    BsonArray results = new BsonArray();
    bySuite.values().forEach(suite -> suite.forEach(each -> results.add(document(each))));
    List<Result> all = bySuite.values().stream().flatMap(List::stream).toList();
    return new BsonDocument("client", new BsonString(client))
        .append("passed", new BsonInt64(passed(all)))
        .append("failed", new BsonInt64(failed(all)))
        .append("skipped", new BsonInt64(skipped(all)))
        .append("results", results)
        .toJson(
            JsonWriterSettings.builder()
                .int64Converter((value, writer) -> writer.writeNumber(Long.toString(value)))
                .indent(true)
                .build());
  }

  private static BsonDocument document(Result result) {
    BsonDocument document =
        new BsonDocument("suite", new BsonString(result.suite()))
            .append("file", new BsonString(result.file()))
            .append("test", new BsonString(result.test()));
    if (result.topology() != null) {
      document.append("topology", new BsonString(result.topology().formatName()));
    }
    switch (result.verdict()) {
      case Passed passed -> document.append("verdict", new BsonString("passed"));
      case Failed(String why, boolean accident) ->
          document.append("verdict", new BsonString("failed")).append("why", new BsonString(why));
      case Skipped(Verdict.Reason reason, String why) ->
          document
              .append("verdict", new BsonString("skipped"))
              .append("reason", new BsonString(reason.toString()))
              .append("why", new BsonString(why));
    }
    return document.append("millis", new BsonInt32(Math.toIntExact(result.took().toMillis())));
  }
}
