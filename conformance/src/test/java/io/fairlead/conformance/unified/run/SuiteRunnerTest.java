// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClients;
import io.fairlead.conformance.unified.run.Verdict.Failed;
import io.fairlead.conformance.unified.run.Verdict.Passed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runner's own strictness, on files that are made for it. */
class SuiteRunnerTest {
  private static final String CLIENT = "createEntities: [{client: {id: 'c'}}, {thread: {id: 't'}}]";

  @TempDir private Path specs;

  private Verdict verdict(String file, String json) throws Exception {
    Path path = specs.resolve("made").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, json);
    List<Result> results = new ArrayList<>();
    try (SuiteRunner runner = new SuiteRunner("official", MongoClients::create, null)) {
      runner.run(specs, "made", EnumSet.of(TopologyKind.SINGLE), results::add);
    }
    assertThat(results).hasSize(1);
    return results.getFirst().verdict();
  }

  private static String file(String version, String operations) {
    return "{description: 'f', schemaVersion: '"
        + version
        + "', "
        + CLIENT
        + ", tests: [{description: 't', operations: ["
        + operations
        + "]}]}";
  }

  @Test
  void a_file_that_is_to_fail_may_be_refused_for_its_version_only() throws Exception {
    assertThat(verdict("valid-fail/version.json", file("1.99", ""))).isInstanceOf(Passed.class);
  }

  @Test
  void a_file_that_is_to_fail_and_can_not_be_read_is_a_failure() throws Exception {
    assertThat(verdict("valid-fail/odd.json", "{description: 'f', schemaVersion: '1.4', odd: 1}"))
        .isInstanceOf(Failed.class);
  }

  @Test
  void a_file_that_is_to_be_refused_is_not_refused_for_its_version() throws Exception {
    assertThat(verdict("invalid/version.json", file("1.99", ""))).isInstanceOf(Failed.class);
  }

  @Test
  void an_operation_on_a_thread_is_checked_as_any_other() throws Exception {
    assertThat(
            verdict(
                "invalid/thread.json",
                file(
                    "1.10",
                    "{name: 'runOnThread', object: 'testRunner', arguments: {thread: 't',"
                        + " operation: {name: 'close', object: 'c', expected: 1}}}")))
        .isInstanceOf(Passed.class);
  }

  @Test
  void what_fails_on_a_thread_that_nobody_waits_for_fails_the_test() throws Exception {
    assertThat(
            verdict(
                "thread.json",
                file(
                    "1.10",
                    "{name: 'runOnThread', object: 'testRunner', arguments: {thread: 't',"
                        + " operation: {name: 'nonsense', object: 'c'}}}")))
        .isInstanceOf(Failed.class);
  }
}
