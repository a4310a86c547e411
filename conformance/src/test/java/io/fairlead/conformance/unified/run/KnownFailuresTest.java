// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fairlead.conformance.unified.run.Verdict.Failed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class KnownFailuresTest {
  private final KnownFailures known =
      KnownFailures.parse(
          """
          [{"reason": "anybody's", "suite": "crud", "tests": {"unified/a": ["one", "two"]}},
           {"reason": "ours", "suite": "crud", "client": "fairlead", "topologies": ["single"],
            "tests": {"unified/b": ["one"]}}]
          """);

  private static Result failed(String file, String test, TopologyKind topology) {
    return new Result("crud", file, test, topology, new Failed("why"), Duration.ZERO);
  }

  @Test
  void a_test_is_known_by_its_exact_name_alone() {
    assertThat(known.reason("official", failed("unified/a", "one", TopologyKind.SINGLE)))
        .contains("anybody's");
    assertThat(known.reason("official", failed("unified/a", "one more", TopologyKind.SINGLE)))
        .isEmpty();
    assertThat(known.reason("official", failed("unified/a-b", "one", TopologyKind.SINGLE)))
        .isEmpty();
  }

  @Test
  void a_test_may_be_known_with_one_client_on_one_topology() {
    assertThat(known.reason("fairlead", failed("unified/b", "one", TopologyKind.SINGLE)))
        .contains("ours");
    assertThat(known.reason("fairlead", failed("unified/b", "one", TopologyKind.REPLICA_SET)))
        .isEmpty();
    assertThat(known.reason("official", failed("unified/b", "one", TopologyKind.SINGLE))).isEmpty();
  }

  @Test
  void the_tests_that_a_file_must_have_are_told() {
    assertThat(known.tests("official", "crud", "unified/a"))
        .containsExactlyInAnyOrder("one", "two");
    assertThat(known.tests("official", "crud", "unified/b")).isEmpty();
  }

  @Test
  void a_list_with_what_is_not_known_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> KnownFailures.parse("[{reason: 'r', suite: 's', tests: {}, sometimes: true}]"))
        .withMessageContaining("sometimes");
  }

  @Test
  void the_list_of_this_runner_can_be_read() {
    assertThat(
            KnownFailures.listed()
                .tests("official", "unified-test-format", "valid-pass/poc-change-streams"))
        .contains("Test consecutive resume");
  }
}
