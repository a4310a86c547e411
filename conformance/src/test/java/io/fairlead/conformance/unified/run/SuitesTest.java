// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.mongodb.client.MongoClients;
import io.fairlead.conformance.unified.run.Verdict.Failed;
import io.fairlead.conformance.unified.run.Verdict.Passed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The quick suites with the official client against a standalone. All suites, clients and
 * topologies: {@code conformance/run}.
 *
 * <p>The files are those of github.com/mongodb/specifications: a folder named by {@code
 * -Dfairlead.specs} or {@code FAIRLEAD_SPECS}, or {@code specs/} in the project. Without them the
 * test is skipped, with {@code -Dfairlead.specs.required} it fails.
 */
class SuitesTest {
  private static final List<String> QUICK =
      List.of(
          "unified-test-format",
          "crud",
          "index-management",
          "collection-management",
          "run-command");

  @Test
  void the_official_client_finds_nothing_wrong_with_a_standalone() throws Exception {
    Path specs = specs();
    List<Result> results = new ArrayList<>();
    try (SuiteRunner runner =
        new SuiteRunner("official", MongoClients::create, EnumSet.of(TopologyKind.SINGLE), null)) {
      for (String suite : QUICK) {
        runner.run(specs, suite, results::add);
      }
    }

    assertThat(results.stream().filter(each -> each.verdict() instanceof Failed)).isEmpty();
    assertThat(results.stream().filter(each -> each.verdict() instanceof Passed)).isNotEmpty();
  }

  private static Path specs() {
    Path root = Path.of("..").toAbsolutePath().normalize();
    String named = System.getProperty("fairlead.specs", "");
    if (named.isBlank()) {
      named = System.getenv().getOrDefault("FAIRLEAD_SPECS", "");
    }
    Path folder = root.resolve(named.isBlank() ? "specs" : named);
    if (Files.isDirectory(folder)) {
      return folder;
    }
    String absent =
        "no specifications in "
            + folder
            + ": clone https://github.com/mongodb/specifications into specs/, or name a folder with"
            + " -Dfairlead.specs or FAIRLEAD_SPECS";
    assertThat(Boolean.getBoolean("fairlead.specs.required")).as(absent).isFalse();
    return abort(absent);
  }
}
