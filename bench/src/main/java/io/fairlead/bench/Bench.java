// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench;

import io.fairlead.bench.durability.DurabilityMeasure;
import io.fairlead.bench.engine.EngineMeasure;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.selection.SelectionMeasure;
import io.fairlead.bench.startup.StartupMeasure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code bench/run [NAME…] [--quick] [--json FILE]}. Ends with 0 only if every stated target held,
 * with 2 for a wrong call.
 */
public final class Bench {
  private static final String USAGE = "usage: bench/run [NAME…] [--quick] [--json FILE]; names: ";

  /** A subject, by the name under which it is asked for. */
  private interface Subject {
    void measure(Report report, boolean quick) throws Exception;
  }

  private static final Map<String, Subject> SUBJECTS = subjects();

  private static Map<String, Subject> subjects() {
    Map<String, Subject> subjects = new LinkedHashMap<>();
    subjects.put("selection", SelectionMeasure::into);
    subjects.put("startup", StartupMeasure::into);
    subjects.put("engine", EngineMeasure::into);
    subjects.put("durability", DurabilityMeasure::into);
    return subjects;
  }

  private Bench() {}

  public static void main(String[] args) throws Exception {
    System.exit(run(args, System.out, System.err));
  }

  private static int run(String[] args, PrintStream out, PrintStream err) throws Exception {
    List<String> names = new ArrayList<>();
    boolean quick = false;
    Path json = null;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--quick")) {
        quick = true;
      } else if (args[i].equals("--json") && i + 1 < args.length) {
        json = Path.of(args[++i]);
      } else if (SUBJECTS.containsKey(args[i])) {
        names.add(args[i]);
      } else {
        err.println("bench: does not know " + args[i]);
        err.println(USAGE + String.join(", ", SUBJECTS.keySet()));
        return 2;
      }
    }
    return measure(names.isEmpty() ? List.copyOf(SUBJECTS.keySet()) : names, quick, json, out, err);
  }

  private static int measure(
      List<String> names, boolean quick, @Nullable Path json, PrintStream out, PrintStream err)
      throws Exception {
    Report report = new Report(Instant.now(), quick, done -> err.println("bench: " + done));
    for (String name : names) {
      Subject subject = SUBJECTS.get(name);
      if (subject != null) {
        subject.measure(report, quick);
      }
    }
    report.print(out);
    if (json != null) {
      report.write(json);
    }
    return report.holds() ? 0 : 1;
  }
}
