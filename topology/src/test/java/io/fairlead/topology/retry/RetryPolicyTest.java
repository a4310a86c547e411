// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

import static io.fairlead.topology.Topologies.address;
import static io.fairlead.topology.Topologies.mongoses;
import static io.fairlead.topology.Topologies.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.retry.RetryDecision.GiveUp;
import io.fairlead.topology.retry.RetryDecision.Retry;
import io.fairlead.topology.retry.RetryPolicy.Attempt;
import io.fairlead.topology.selection.Selection.Chosen;
import io.fairlead.topology.selection.SelectionRequest;
import io.fairlead.topology.selection.ServerSelector;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which failures are tried again, away from whom, after which pause. */
final class RetryPolicyTest {
  private static final HostAddress M0 = address("m0");
  private static final HostAddress M1 = address("m1");
  private static final HostAddress M2 = address("m2");
  private static final Set<String> OVERLOAD = Set.of("SystemOverloadedError", "RetryableError");

  private final RetryPolicy standard = new RetryPolicy(RetryOptions.DEFAULT);
  private final RetryPolicy widened =
      new RetryPolicy(RetryOptions.DEFAULT.withRetryServerFaults(true));
  private final Random random = new Random(5);

  @Test
  void reads_are_retried_once_on_the_specified_codes_and_on_network_errors() {
    for (int code : List.of(6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436)) {
      assertThat(decide(standard, RetryState.FRESH, reply(code), Retryability.READ))
          .as("code " + code)
          .isInstanceOf(Retry.class);
    }
    assertThat(decide(standard, RetryState.FRESH, broken(), Retryability.READ))
        .isInstanceOf(Retry.class);
    for (int code : List.of(2, 50, 133, 8000, 11000, 43, 64)) {
      assertThat(decide(standard, RetryState.FRESH, reply(code), Retryability.READ))
          .as("code " + code)
          .isInstanceOf(GiveUp.class);
    }
  }

  @Test
  void writes_are_retried_where_the_server_says_so_by_its_label() {
    assertThat(decide(standard, RetryState.FRESH, reply(6), Retryability.WRITE))
        .isInstanceOf(GiveUp.class);
    assertThat(
            decide(standard, RetryState.FRESH, reply(6, "RetryableWriteError"), Retryability.WRITE))
        .isInstanceOf(Retry.class);
    assertThat(decide(standard, RetryState.FRESH, broken(), Retryability.WRITE))
        .isInstanceOf(Retry.class);
  }

  @Test
  void a_server_that_knows_no_labels_is_judged_by_its_codes() {
    Attempt old =
        new Attempt(
            M0, reply(91), Retryability.WRITE, TopologyType.REPLICA_SET_WITH_PRIMARY, 8, false);
    assertThat(standard.decide(RetryState.FRESH, old, tried -> true, random))
        .isInstanceOf(Retry.class);
  }

  @Test
  void the_second_failure_reaches_the_caller() {
    RetryState once = retry(standard, RetryState.FRESH, reply(91), Retryability.READ).next();
    assertThat(decide(standard, once, reply(91), Retryability.READ)).isInstanceOf(GiveUp.class);
  }

  @Test
  void within_an_operations_own_timeout_there_are_as_many_retries_as_fit() {
    RetryState state = RetryState.FRESH;
    for (int i = 0; i < 20; i++) {
      Attempt attempt =
          new Attempt(M0, reply(91), Retryability.READ, TopologyType.SHARDED, 25, true);
      state = ((Retry) standard.decide(state, attempt, tried -> true, random)).next();
    }
    assertThat(state.retries()).isEqualTo(20);
  }

  @Test
  void a_second_failure_that_says_no_write_was_made_gives_the_first_one_the_word() {
    RetryState once = retry(standard, RetryState.FRESH, broken(), Retryability.WRITE).next();
    RetryDecision decision =
        decide(
            standard,
            once,
            reply(10107, "NoWritesPerformed", "RetryableWriteError"),
            Retryability.WRITE);
    assertThat(decision)
        .isInstanceOfSatisfying(GiveUp.class, giveUp -> assertThat(giveUp.raiseEarlier()).isTrue());
  }

  @Test
  void nothing_is_retried_that_was_switched_off() {
    RetryPolicy off = new RetryPolicy(new RetryOptions(false, false, 2, false, true));
    for (Retryability retryability :
        List.of(Retryability.READ, Retryability.WRITE, Retryability.COMMAND)) {
      assertThat(decide(off, RetryState.FRESH, reply(91, "RetryableWriteError"), retryability))
          .isInstanceOf(GiveUp.class);
      assertThat(decide(off, RetryState.FRESH, overloaded(), retryability))
          .isInstanceOf(GiveUp.class);
    }
    assertThat(decide(off, RetryState.FRESH, broken(), Retryability.COMMIT))
        .isInstanceOf(Retry.class);
  }

  @Test
  void overload_is_retried_twice_whatever_the_command_after_a_growing_random_pause() {
    RetryState state = RetryState.FRESH;
    for (int retry = 1; retry <= 2; retry++) {
      Retry decision = retry(standard, state, overloaded(), Retryability.WRITE_ONCE);
      assertThat(decision.backoff()).isBetween(Duration.ZERO, Duration.ofMillis(100L << retry));
      state = decision.next();
    }
    assertThat(decide(standard, state, overloaded(), Retryability.WRITE_ONCE))
        .isInstanceOf(GiveUp.class);
  }

  @Test
  void the_mean_pause_is_100_and_200_milliseconds() {
    double first = 0;
    double second = 0;
    for (int i = 0; i < 2000; i++) {
      Retry one = retry(standard, RetryState.FRESH, overloaded(), Retryability.READ);
      first += one.backoff().toNanos() / 1e6;
      second +=
          retry(standard, one.next(), overloaded(), Retryability.READ).backoff().toNanos() / 1e6;
    }
    assertThat(first / 2000).isBetween(94.0, 106.0);
    assertThat(second / 2000).isBetween(188.0, 212.0);
  }

  @Test
  void a_server_may_ask_for_its_own_pause_which_is_never_longer_than_10_seconds() {
    Failure asks = new Failure.Reply(462, "rate limited", OVERLOAD, false, Duration.ofMillis(1));
    assertThat(retry(standard, RetryState.FRESH, asks, Retryability.READ).backoff())
        .isLessThanOrEqualTo(Duration.ofMillis(2));
    Failure asksMuch = new Failure.Reply(462, "rate limited", OVERLOAD, false, Duration.ofHours(1));
    assertThat(retry(standard, RetryState.FRESH, asksMuch, Retryability.READ).backoff())
        .isLessThanOrEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void after_an_overload_other_failures_share_its_limit() {
    RetryState once = retry(standard, RetryState.FRESH, overloaded(), Retryability.READ).next();
    RetryState twice = retry(standard, once, reply(91), Retryability.READ).next();
    assertThat(twice.retries()).isEqualTo(2);
    assertThat(decide(standard, twice, reply(91), Retryability.READ)).isInstanceOf(GiveUp.class);
  }

  @Test
  void a_pause_is_made_for_overload_only() {
    assertThat(retry(standard, RetryState.FRESH, reply(91), Retryability.READ).backoff()).isZero();
  }

  @Test
  void among_mongoses_every_retry_avoids_the_one_that_failed() {
    assertThat(
            retry(standard, RetryState.FRESH, reply(91), Retryability.READ).next().deprioritized())
        .containsExactly(M0);
    assertThat(
            retry(standard, RetryState.FRESH, overloaded(), Retryability.READ)
                .next()
                .deprioritized())
        .containsExactly(M0);
  }

  @Test
  void in_a_replica_set_an_ordinary_retry_may_return_and_an_overload_with_the_option_may_not() {
    TopologyDescription topology = replicaSet().secondary("m0", 1).secondary("m1", 1).build();
    RetryPolicy retargeting = new RetryPolicy(RetryOptions.DEFAULT.withOverloadRetargeting(true));
    assertThat(afterFailureOf(M0, topology, standard, reply(91))).containsOnlyKeys(M0, M1);
    assertThat(afterFailureOf(M0, topology, standard, overloaded())).containsOnlyKeys(M0, M1);
    assertThat(afterFailureOf(M0, topology, retargeting, reply(91))).containsOnlyKeys(M0, M1);
    assertThat(afterFailureOf(M0, topology, retargeting, overloaded())).containsOnlyKeys(M1);
  }

  @Test
  void among_mongoses_an_ordinary_retry_goes_elsewhere_in_2000_of_2000() {
    assertThat(afterFailureOf(M0, mongoses(3), standard, reply(91))).containsOnlyKeys(M1, M2);
  }

  @Test
  void a_server_fault_is_retried_elsewhere_with_the_option_labelled_or_not() {
    for (int code : List.of(6, 133, 8000)) {
      for (Retryability retryability : List.of(Retryability.READ, Retryability.WRITE)) {
        RetryDecision decision = decide(widened, RetryState.FRESH, reply(code), retryability);
        assertThat(decision).as(retryability + " " + code).isInstanceOf(Retry.class);
        assertThat(((Retry) decision).next().deprioritized()).containsExactly(M0);
      }
      assertThat(decide(widened, RetryState.FRESH, reply(code), Retryability.READ_ONCE))
          .isInstanceOf(GiveUp.class);
      assertThat(decide(widened, RetryState.FRESH, reply(code), Retryability.WRITE_ONCE))
          .isInstanceOf(GiveUp.class);
    }
  }

  @Test
  void each_server_is_tried_once_and_three_at_most() {
    Failure fault = reply(8000);
    RetryState first = retry(widened, RetryState.FRESH, fault, Retryability.READ).next();
    RetryState second = ((Retry) at(M1, widened, first, fault, tried -> true)).next();
    assertThat(second.deprioritized()).containsExactlyInAnyOrder(M0, M1);
    assertThat(at(M2, widened, second, fault, tried -> true)).isInstanceOf(GiveUp.class);
    assertThat(at(M1, widened, first, fault, tried -> !tried.containsAll(Set.of(M0, M1))))
        .isInstanceOf(GiveUp.class);
  }

  @Test
  void two_sick_mongoses_of_three_are_passed_even_when_they_fail_in_the_specified_way() {
    RetryState first = retry(widened, RetryState.FRESH, reply(91), Retryability.READ).next();
    RetryDecision second = at(M1, widened, first, reply(91), tried -> true);
    assertThat(second)
        .isInstanceOfSatisfying(Retry.class, retry -> assertThat(retry.mustGoElsewhere()).isTrue());
    assertThat(at(M1, standard, first, reply(91), tried -> true)).isInstanceOf(GiveUp.class);
  }

  @Test
  void an_applications_own_error_is_never_retried() {
    for (int code : List.of(2, 9, 50, 112, 11000, 40324)) {
      assertThat(decide(widened, RetryState.FRESH, reply(code), Retryability.READ))
          .as("code " + code)
          .isInstanceOf(GiveUp.class);
    }
    assertThat(
            decide(
                widened,
                RetryState.FRESH,
                new Failure.OperationTimeout("5 s are over"),
                Retryability.READ))
        .isInstanceOf(GiveUp.class);
  }

  @Test
  void faults_are_told_from_what_discovery_and_the_application_answer_for() {
    assertThat(FaultKind.of(reply(6), TopologyType.SHARDED)).isEqualTo(FaultKind.FAULT);
    assertThat(FaultKind.of(reply(133), TopologyType.SHARDED)).isEqualTo(FaultKind.FAULT);
    assertThat(FaultKind.of(reply(8000), TopologyType.SHARDED)).isEqualTo(FaultKind.DOUBTFUL);
    assertThat(FaultKind.of(reply(11600), TopologyType.SHARDED)).isEqualTo(FaultKind.STATE_CHANGE);
    assertThat(FaultKind.of(reply(11000), TopologyType.SHARDED)).isEqualTo(FaultKind.APPLICATION);
    assertThat(FaultKind.of(broken(), TopologyType.SHARDED)).isEqualTo(FaultKind.FAULT);
    assertThat(FaultKind.of(overloaded(), TopologyType.SHARDED)).isEqualTo(FaultKind.FAULT);
    assertThat(FaultKind.of(overloaded(), TopologyType.REPLICA_SET_WITH_PRIMARY))
        .isEqualTo(FaultKind.OVERLOADED);
    assertThat(FaultKind.of(new Failure.ReplyTimeout("no reply", Set.of()), TopologyType.SHARDED))
        .isEqualTo(FaultKind.DOUBTFUL);
  }

  /** Who serves 2,000 retries, each after one failure at this server. */
  private Map<HostAddress, Integer> afterFailureOf(
      HostAddress failed, TopologyDescription topology, RetryPolicy policy, Failure failure) {
    SelectionRequest request = SelectionRequest.read(ReadPreference.of(Mode.SECONDARY));
    Map<HostAddress, Integer> counts = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      Attempt attempt = new Attempt(failed, failure, Retryability.READ, topology.type(), 25, false);
      Retry retry = (Retry) policy.decide(RetryState.FRESH, attempt, tried -> true, random);
      Chosen chosen =
          (Chosen)
              ServerSelector.select(
                  topology,
                  request.deprioritizing(retry.next().deprioritized()),
                  server -> 0,
                  random);
      counts.merge(chosen.server().address(), 1, Integer::sum);
    }
    return counts;
  }

  private static Failure reply(int code, String... labels) {
    return new Failure.Reply(code, "error " + code, Set.of(labels));
  }

  private static Failure overloaded() {
    return new Failure.Reply(462, "rate limited", OVERLOAD);
  }

  private static Failure broken() {
    return new Failure.Network("the connection broke", Set.of());
  }

  private RetryDecision decide(
      RetryPolicy policy, RetryState state, Failure failure, Retryability retryability) {
    return policy.decide(
        state,
        new Attempt(M0, failure, retryability, TopologyType.SHARDED, 25, false),
        tried -> true,
        random);
  }

  private Retry retry(
      RetryPolicy policy, RetryState state, Failure failure, Retryability retryability) {
    return (Retry) decide(policy, state, failure, retryability);
  }

  private RetryDecision at(
      HostAddress server,
      RetryPolicy policy,
      RetryState state,
      Failure failure,
      java.util.function.Predicate<Set<HostAddress>> freshServerLeft) {
    return policy.decide(
        state,
        new Attempt(server, failure, Retryability.READ, TopologyType.SHARDED, 25, false),
        freshServerLeft,
        random);
  }
}
