// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Counts and prints the steps of all clients. Used by one thread. */
final class Steps {
  private final PrintStream out;
  private final List<String> notRun = new ArrayList<>();
  private int passed;
  private int failed;
  private String heading = "";

  Steps(PrintStream out) {
    this.out = out;
  }

  /** What follows is this client's, against this deployment. */
  void begin(String client, String deployment) {
    heading = client + ", " + deployment;
    out.println(heading);
  }

  void passed(String step) {
    passed++;
    out.println("  ok      " + step);
  }

  void failed(String step, String why) {
    failed++;
    out.println("  FAILED  " + step + ": " + why);
  }

  /** A client that cannot run here. */
  void skipped(String client, String why) {
    notRun.add(client + ": " + why);
    out.println(client);
    out.println("  not run: " + why);
  }

  int failures() {
    return failed;
  }

  int skips() {
    return notRun.size();
  }

  /** The closing lines. */
  void close() {
    notRun.forEach(client -> out.println("not run: " + client));
    out.println(passed + " passed, " + failed + " failed, " + notRun.size() + " skipped");
    out.flush();
  }
}
