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
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The quick suites with the official client. All suites, clients and topologies: {@code
 * conformance/run}.
 *
 * <p>The files are those of github.com/mongodb/specifications: a folder named by {@code
 * -Dfairlead.specs} or {@code FAIRLEAD_SPECS}, or {@code specs/} in the project. Without them the
 * test is skipped, with {@code -Dfairlead.specs.required} it fails.
 */
class SuitesTest {
  @Test
  void the_official_client_finds_nothing_wrong_with_a_standalone() throws Exception {
    requireNothingWrong(
        TopologyKind.SINGLE,
        Map.of(
            "unified-test-format", 90,
            "crud", 70,
            "collection-management", 80,
            "run-command", 30,
            "gridfs", 85,
            "read-write-concern", 90,
            "versioned-api", 90));
  }

  @Test
  void the_official_client_finds_nothing_wrong_with_a_replica_set() throws Exception {
    requireNothingWrong(
        TopologyKind.REPLICA_SET,
        Map.of(
            "index-management", 85,
            "collection-management", 80,
            "run-command", 40,
            "read-write-concern", 90,
            "versioned-api", 90));
  }

  @Test
  void the_official_client_finds_nothing_wrong_with_a_sharded_cluster() throws Exception {
    requireNothingWrong(
        TopologyKind.SHARDED,
        Map.of("index-management", 85, "run-command", 40, "versioned-api", 90));
  }

  /**
   * @param least by suite, how many of a hundred tests have to pass: one that skips what it has run
   *     before would find nothing wrong either
   */
  private static void requireNothingWrong(TopologyKind topology, Map<String, Integer> least)
      throws Exception {
    Path specs = specs();
    try (SuiteRunner runner = new SuiteRunner("official", MongoClients::create, null)) {
      for (String suite : least.keySet()) {
        if (Suite.find(specs, suite).files().isEmpty()) {
          continue; // a folder may hold some of the suites
        }
        List<Result> results = new ArrayList<>();
        runner.run(specs, suite, EnumSet.of(topology), results::add);
        assertThat(results.stream().filter(each -> each.verdict() instanceof Failed))
            .as(suite)
            .isEmpty();
        long passed = results.stream().filter(each -> each.verdict() instanceof Passed).count();
        assertThat(passed * 100)
            .as("%s: %s of %s passed", suite, passed, results.size())
            .isGreaterThanOrEqualTo((long) least.get(suite) * results.size())
            .isPositive();
      }
    }
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
