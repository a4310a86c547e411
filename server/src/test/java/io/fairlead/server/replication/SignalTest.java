// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SignalTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Signal signal = new Signal();
  private final AtomicInteger value = new AtomicInteger();

  private @Nullable Integer atLeast(int least) {
    int now = value.get();
    return now >= least ? now : null;
  }

  private FutureTask<@Nullable Integer> waiting(Supplier<@Nullable Integer> probe)
      throws InterruptedException {
    CountDownLatch looked = new CountDownLatch(2); // at the call, and once it is registered
    FutureTask<@Nullable Integer> task =
        new FutureTask<>(
            () ->
                signal.await(
                    () -> {
                      looked.countDown();
                      return probe.get();
                    },
                    LONG));
    Thread.ofVirtual().start(task);
    assertThat(looked.await(10, TimeUnit.SECONDS)).isTrue();
    return task;
  }

  @Test
  void what_is_there_already_is_given_at_once() throws InterruptedException {
    value.set(3);

    assertThat(signal.await(() -> atLeast(1), Duration.ZERO)).isEqualTo(3);
  }

  @Test
  void a_change_wakes_those_whose_waiting_is_over_and_nobody_else() throws Exception {
    FutureTask<@Nullable Integer> one = waiting(() -> atLeast(1));
    FutureTask<@Nullable Integer> two = waiting(() -> atLeast(2));

    value.set(1);
    signal.changed();

    assertThat(one.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(two.isDone()).isFalse();

    value.set(2);
    signal.changed();

    assertThat(two.get(10, TimeUnit.SECONDS)).isEqualTo(2);
  }

  @Test
  void time_that_is_over_gives_nothing() throws InterruptedException {
    assertThat(signal.await(() -> atLeast(1), Duration.ofMillis(1))).isNull();
  }

  @Test
  void closing_ends_all_waiting() throws Exception {
    FutureTask<@Nullable Integer> never = waiting(() -> null);

    signal.close();

    assertThat(never.get(10, TimeUnit.SECONDS)).isNull();
  }

  @Test
  void a_look_that_fails_fails_the_one_who_waits_and_not_the_one_who_changed() throws Exception {
    FutureTask<@Nullable Integer> failing =
        waiting(
            () -> {
              if (value.get() > 0) {
                throw new IllegalStateException("broken");
              }
              return null;
            });

    value.set(1);
    signal.changed();

    assertThatThrownBy(() -> failing.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IllegalStateException.class);
  }
}
