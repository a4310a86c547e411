// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import static io.fairlead.topology.Topologies.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.retry.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is ejected, for how long, and how it comes back (A8, A9). */
final class HealthTest {
  private static final HostAddress A = address("a");
  private static final HostAddress B = address("b");
  private static final HostAddress C = address("c");
  private static final Outcome FAULT = Outcome.failed(FaultKind.FAULT);
  private static final Outcome DOUBTFUL = Outcome.failed(FaultKind.DOUBTFUL);
  private static final Outcome APPLICATION = Outcome.failed(FaultKind.APPLICATION);
  private static final long MILLI = 1_000_000;

  private final Health health = new Health(HealthOptions.DEFAULT);
  private long now = -5_000 * MILLI; // any origin will do, as with nanoTime

  @Test
  void three_faults_in_a_row_eject_for_5_seconds() {
    run(A, FAULT, 2);
    assertThat(avoided()).isEmpty();
    run(A, FAULT, 1);
    assertThat(avoided()).containsExactly(A);
    assertThat(health.takeChanges())
        .containsExactly(
            new HealthChange.Ejected(
                A, Duration.ofSeconds(5), "3 in a row, the last a fault in find"));
  }

  @Test
  void a_success_between_faults_starts_the_row_anew() {
    for (int i = 0; i < 3; i++) {
      run(A, FAULT, 2);
      run(A, Outcome.GOOD, 6);
    }
    assertThat(avoided()).isEmpty();
  }

  @Test
  void half_of_at_least_eight_outcomes_eject() {
    for (int i = 0; i < 3; i++) {
      run(A, FAULT, 1);
      run(A, Outcome.GOOD, 1);
    }
    assertThat(avoided()).isEmpty();
    run(A, Outcome.GOOD, 1);
    run(A, FAULT, 1);
    assertThat(avoided()).containsExactly(A);
  }

  @Test
  void outcomes_older_than_the_window_do_not_count() {
    for (int i = 0; i < 3; i++) {
      run(A, FAULT, 1);
      run(A, Outcome.GOOD, 1);
    }
    pass(Duration.ofSeconds(11));
    run(A, Outcome.GOOD, 1);
    run(A, FAULT, 1);
    assertThat(avoided()).isEmpty();
    assertThat(health.view(now).servers().get(A))
        .extracting("good", "faults")
        .containsExactly(1, 1);
  }

  @Test
  void the_applications_own_errors_and_state_changes_never_eject() {
    run(A, APPLICATION, 50);
    run(A, Outcome.failed(FaultKind.STATE_CHANGE), 50);
    run(A, Outcome.failed(FaultKind.OVERLOADED), 50);
    run(A, Outcome.ABANDONED, 50);
    assertThat(avoided()).isEmpty();
  }

  @Test
  void after_the_ejection_one_operation_that_may_go_elsewhere_is_the_trial() {
    eject(A);
    pass(Duration.ofSeconds(6));
    assertThat(health.avoid(false, now)).containsExactly(A);
    assertThat(health.avoid(true, now)).isEmpty();
    assertThat(health.begin(A, "find", false, false, now)).isEmpty();
    OperationTicket trial = health.begin(A, "find", true, false, now).orElseThrow();
    assertThat(trial.isTrial()).isTrue();
    assertThat(health.avoid(true, now)).containsExactly(A);
    assertThat(health.begin(A, "find", true, false, now)).isEmpty();
    health.end(trial, Outcome.GOOD, now);
    assertThat(health.avoid(true, now)).isEmpty();
    assertThat(health.begin(A, "find", false, false, now)).isPresent();
  }

  @Test
  void a_failed_trial_ejects_for_twice_as_long_up_to_a_minute() {
    eject(A);
    health.takeChanges();
    for (int seconds : new int[] {10, 20, 40, 60, 60}) {
      pass(Duration.ofSeconds(61));
      OperationTicket trial = health.begin(A, "find", true, false, now).orElseThrow();
      health.end(trial, FAULT, now);
      assertThat(health.takeChanges())
          .last()
          .isEqualTo(
              new HealthChange.Ejected(
                  A, Duration.ofSeconds(seconds), "the trial failed: a fault in find"));
    }
  }

  @Test
  void a_trial_that_says_nothing_is_still_owed() {
    eject(A);
    pass(Duration.ofSeconds(6));
    OperationTicket trial = health.begin(A, "find", true, false, now).orElseThrow();
    health.end(trial, Outcome.ABANDONED, now);
    assertThat(health.avoid(true, now)).isEmpty();
    assertThat(health.avoid(false, now)).containsExactly(A);
  }

  @Test
  void a_server_that_was_well_for_long_begins_with_5_seconds_again() {
    eject(A);
    pass(Duration.ofSeconds(6));
    health.end(health.begin(A, "find", true, false, now).orElseThrow(), Outcome.GOOD, now);
    pass(Duration.ofSeconds(61));
    health.takeChanges();
    eject(A);
    assertThat(health.takeChanges())
        .singleElement()
        .isInstanceOfSatisfying(
            HealthChange.Ejected.class,
            ejected -> assertThat(ejected.length()).isEqualTo(Duration.ofSeconds(5)));
  }

  @Test
  void when_everybody_is_ejected_operations_are_let_through_and_a_success_brings_the_server_back() {
    eject(A);
    OperationTicket despite = health.begin(A, "find", false, true, now).orElseThrow();
    assertThat(despite.isTrial()).isFalse();
    health.end(despite, Outcome.GOOD, now);
    assertThat(avoided()).isEmpty();
  }

  @Test
  void one_broken_pool_is_one_fault_however_many_operations_it_fails() {
    for (int i = 0; i < 10; i++) {
      run(A, new Outcome.Failed(FaultKind.FAULT, 4), 1);
    }
    assertThat(avoided()).isEmpty();
    run(A, new Outcome.Failed(FaultKind.FAULT, 5), 1);
    run(A, new Outcome.Failed(FaultKind.FAULT, 6), 1);
    assertThat(avoided()).containsExactly(A);
  }

  @Test
  void doubtful_failures_count_where_the_others_show_none() {
    run(B, Outcome.GOOD, 30);
    run(C, Outcome.GOOD, 30);
    run(A, Outcome.GOOD, 30);
    run(A, DOUBTFUL, 3);
    assertThat(avoided()).containsExactly(A);
  }

  @Test
  void two_of_three_servers_with_doubtful_failures_are_both_found() {
    for (HostAddress server : List.of(A, B, C)) {
      run(server, Outcome.GOOD, 30);
    }
    for (int i = 0; i < 3; i++) {
      run(A, DOUBTFUL, 1);
      run(B, DOUBTFUL, 1);
    }
    assertThat(avoided()).containsExactlyInAnyOrder(A, B);
  }

  @Test
  void doubtful_failures_that_all_show_are_the_applications() {
    for (int i = 0; i < 40; i++) {
      for (HostAddress server : List.of(A, B, C)) {
        run(server, DOUBTFUL, 1);
      }
    }
    assertThat(avoided()).isEmpty();
  }

  @Test
  void doubtful_failures_of_one_command_are_compared_with_the_same_command() {
    run(B, Outcome.GOOD, 100);
    run(C, Outcome.GOOD, 100);
    for (int i = 0; i < 10; i++) {
      for (HostAddress server : List.of(A, B, C)) {
        run(server, "aggregate", DOUBTFUL, 1, 1);
      }
    }
    run(A, "aggregate", DOUBTFUL, 3, 1);
    assertThat(avoided()).isEmpty();
  }

  @Test
  void a_rare_query_that_always_fails_ejects_nobody() {
    for (int i = 0; i < 200; i++) {
      for (HostAddress server : List.of(A, B, C)) {
        run(server, i % 5 == 0 ? DOUBTFUL : Outcome.GOOD, 1);
      }
    }
    assertThat(avoided()).isEmpty();
  }

  @Test
  void nobody_to_compare_with_means_nobody_to_blame() {
    run(A, DOUBTFUL, 100);
    assertThat(avoided()).isEmpty();
  }

  @Test
  void an_operation_without_an_answer_counts_while_it_waits() {
    run(B, "find", Outcome.GOOD, 15, 5);
    run(C, "find", Outcome.GOOD, 15, 5);
    List<OperationTicket> hanging = List.of(begin(A, "find"), begin(A, "find"), begin(A, "find"));
    pass(Duration.ofMillis(950));
    health.tick(now);
    assertThat(avoided()).isEmpty();
    pass(Duration.ofMillis(100));
    health.tick(now);
    assertThat(avoided()).containsExactly(A);
    hanging.forEach(ticket -> health.end(ticket, Outcome.GOOD, now));
    assertThat(avoided()).as("a late answer changes nothing").containsExactly(A);
    assertThat(health.view(now).servers().get(A)).extracting("faults").isEqualTo(3);
  }

  @Test
  void how_long_is_too_long_depends_on_what_the_others_need_for_the_like() {
    run(B, "aggregate", Outcome.GOOD, 25, 400);
    begin(A, "aggregate");
    begin(A, "aggregate");
    begin(A, "aggregate");
    pass(Duration.ofMillis(3_900));
    health.tick(now);
    assertThat(avoided()).isEmpty();
    pass(Duration.ofMillis(200));
    health.tick(now);
    assertThat(avoided()).containsExactly(A);
  }

  @Test
  void without_peers_to_compare_with_five_seconds_are_too_long() {
    begin(A, "find");
    begin(A, "find");
    begin(A, "find");
    pass(Duration.ofMillis(4_900));
    health.tick(now);
    assertThat(avoided()).isEmpty();
    pass(Duration.ofMillis(200));
    health.tick(now);
    assertThat(avoided()).containsExactly(A);
  }

  @Test
  void a_fast_failure_counts_as_in_progress_for_its_peers_median_time() {
    run(B, "find", Outcome.GOOD, 20, 5);
    long begun = now;
    health.end(begin(A, "find"), FAULT, now);
    health.end(begin(A, "find"), DOUBTFUL, now);
    assertThat(health.allowance(A, now)).isEqualTo(2);
    now = begun + 4 * MILLI;
    assertThat(health.allowance(A, now)).isEqualTo(2);
    now = begun + 5 * MILLI;
    assertThat(health.allowance(A, now)).isZero();
    assertThat(health.allowance(B, now)).isZero();
  }

  @Test
  void health_that_is_switched_off_avoids_nobody_and_still_counts() {
    Health off = new Health(HealthOptions.disabled());
    for (int i = 0; i < 10; i++) {
      off.end(off.begin(A, "find", true, false, now).orElseThrow(), FAULT, now);
    }
    assertThat(off.avoid(true, now)).isEmpty();
    assertThat(off.view(now).servers().get(A)).extracting("faults").isEqualTo(10);
  }

  @Test
  void servers_that_left_are_forgotten() {
    eject(A);
    OperationTicket ticket = begin(B, "find");
    health.retain(Set.of(C));
    assertThat(avoided()).isEmpty();
    health.end(ticket, FAULT, now);
    assertThat(health.view(now).servers()).isEmpty();
  }

  @Test
  void a_view_tells_why_and_for_how_long() {
    eject(A);
    pass(Duration.ofSeconds(2));
    HealthView.Server view = health.view(now).servers().get(A);
    assertThat(view)
        .extracting("state", "because", "remaining", "ejections")
        .containsExactly(
            HealthView.State.EJECTED,
            "3 in a row, the last a fault in find",
            Duration.ofSeconds(3),
            1);
  }

  private Set<HostAddress> avoided() {
    return health.avoid(false, now);
  }

  private void eject(HostAddress server) {
    run(server, FAULT, 3);
  }

  private void run(HostAddress server, Outcome outcome, int times) {
    run(server, "find", outcome, times, 1);
  }

  private void run(HostAddress server, String command, Outcome outcome, int times, long millis) {
    for (int i = 0; i < times; i++) {
      Optional<OperationTicket> ticket = health.begin(server, command, false, false, now);
      now += millis * MILLI;
      ticket.ifPresent(each -> health.end(each, outcome, now));
    }
  }

  private OperationTicket begin(HostAddress server, String command) {
    return health.begin(server, command, false, false, now).orElseThrow();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
