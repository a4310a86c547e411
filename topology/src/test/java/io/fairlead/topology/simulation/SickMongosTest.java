// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.Topologies;
import io.fairlead.topology.retry.Failure;
import io.fairlead.topology.simulation.Workload.Figures;
import io.fairlead.topology.simulation.Workload.Sickness;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A8 to A10 on the pure core: few operations meet a sick mongos, and with the option none fails.
 */
final class SickMongosTest {
  private static final HostAddress M1 = Topologies.address("m1");
  private static final HostAddress M2 = Topologies.address("m2");
  private static final Duration HEALTHY = Duration.ofMillis(5);
  private static final Duration AT_ONCE = Duration.ofNanos(100_000);
  private static final int SEEDS = 5;

  @Test
  void hardly_anything_meets_one_sick_mongos_of_three_and_nothing_fails_with_the_option() {
    for (long seed = 0; seed < SEEDS; seed++) {
      for (Failure failure :
          new Failure[] {reply(6), labelled(6), reply(133), reply(8000), broken()}) {
        for (Duration after : new Duration[] {AT_ONCE, HEALTHY}) {
          Figures figures = afterWarmUp(true, true, seed, Map.of(M1, new Sickness(after, failure)));
          assertThat(figures.failed()).as(failure + " seed " + seed).isZero();
          assertThat(figures.shareAt(Set.of(M1)))
              .as(failure + " seed " + seed)
              .isLessThanOrEqualTo(0.005);
          assertThat(figures.p99()).isLessThanOrEqualTo(HEALTHY.multipliedBy(2));
        }
      }
    }
  }

  @Test
  void hardly_anything_meets_two_sick_mongoses_of_three_and_nothing_fails_with_the_option() {
    for (long seed = 0; seed < SEEDS; seed++) {
      for (Failure failure : new Failure[] {reply(6), reply(133), reply(8000)}) {
        for (Duration after : new Duration[] {AT_ONCE, HEALTHY}) {
          Sickness sickness = new Sickness(after, failure);
          Figures figures = afterWarmUp(true, true, seed, Map.of(M1, sickness, M2, sickness));
          assertThat(figures.failed()).as(failure + " seed " + seed).isZero();
          assertThat(figures.shareAt(Set.of(M1, M2)))
              .as(failure + " seed " + seed)
              .isLessThanOrEqualTo(0.005);
        }
      }
    }
  }

  @Test
  void without_the_option_only_what_came_before_the_ejection_fails() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Sickness sickness = new Sickness(AT_ONCE, reply(8000));
      Figures one = afterWarmUp(false, true, seed, Map.of(M1, sickness));
      Figures two = afterWarmUp(false, true, seed, Map.of(M1, sickness, M2, sickness));
      assertThat(one.failed()).isLessThanOrEqualTo(one.operations() / 200);
      assertThat(two.failed()).isLessThanOrEqualTo(two.operations() / 200);
    }
  }

  @Test
  void what_the_specification_retries_does_not_fail_with_one_sick() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Figures figures =
          afterWarmUp(false, true, seed, Map.of(M1, new Sickness(AT_ONCE, labelled(6))));
      assertThat(figures.failed()).isZero();
    }
  }

  @Test
  void a_hanging_mongos_holds_up_hardly_anybody() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Figures figures =
          afterWarmUp(true, true, seed, Map.of(M1, new Sickness(Duration.ofSeconds(2), null)));
      assertThat(figures.failed()).isZero();
      assertThat(figures.shareAt(Set.of(M1))).as("seed " + seed).isLessThanOrEqualTo(0.005);
      assertThat(figures.p99()).as("seed " + seed).isLessThanOrEqualTo(HEALTHY.multipliedBy(2));
    }
  }

  @Test
  void a_mongos_that_is_well_again_gets_its_share_back_within_15_seconds() {
    Workload workload = new Workload(HEALTHY, true, true, 1);
    workload.run(600, Map.of());
    workload.run(6000, Map.of(M1, new Sickness(AT_ONCE, reply(133))));
    workload.pause(Duration.ofSeconds(11));
    workload.run(200, Map.of());
    Figures recovered = workload.run(3000, Map.of());
    assertThat((double) recovered.attemptsAt().getOrDefault(M1, 0) / recovered.attempts())
        .isGreaterThanOrEqualTo(0.25);
  }

  @Test
  void an_error_that_every_mongos_answers_ejects_nobody() {
    Sickness theirs = new Sickness(HEALTHY, reply(8000));
    Map<HostAddress, Sickness> all = new HashMap<>();
    all.put(Topologies.address("m0"), theirs);
    all.put(M1, theirs);
    all.put(M2, theirs);
    Workload workload = new Workload(HEALTHY, false, true, 1);
    workload.run(600, all);
    Figures figures = workload.run(3000, all);
    assertThat(figures.attemptsAt().values())
        .hasSize(3)
        .allSatisfy(attempts -> assertThat(attempts).isGreaterThan(850));
  }

  @Test
  void without_health_a_fast_failure_attracts_most_of_the_traffic() {
    Figures figures = afterWarmUp(false, false, 1, Map.of(M1, new Sickness(AT_ONCE, reply(8000))));
    assertThat(figures.shareAt(Set.of(M1))).as("what health is for").isGreaterThan(0.3);
  }

  private static Figures afterWarmUp(
      boolean retryServerFaults, boolean withHealth, long seed, Map<HostAddress, Sickness> sick) {
    Workload workload = new Workload(HEALTHY, retryServerFaults, withHealth, seed);
    workload.run(600, Map.of());
    return workload.run(6000, sick);
  }

  private static Failure reply(int code) {
    return new Failure.Reply(code, "error " + code, Set.of());
  }

  private static Failure labelled(int code) {
    return new Failure.Reply(code, "error " + code, Set.of(Failure.RETRYABLE_WRITE));
  }

  private static Failure broken() {
    return new Failure.Network("the connection broke", Set.of());
  }
}
