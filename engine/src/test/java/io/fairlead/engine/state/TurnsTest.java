// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.Namespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

final class TurnsTest {
  private static final long LONG = TimeUnit.SECONDS.toNanos(30);

  private static final int KEPT = 100;

  private final Turns turns = new Turns(KEPT);

  private static Namespace name(int number) {
    return Namespace.of("db", "c" + number);
  }

  private ReentrantLock take(Namespace name) throws InterruptedException {
    return take(turns, name);
  }

  private static ReentrantLock take(Turns turns, Namespace name) throws InterruptedException {
    return Objects.requireNonNull(turns.take(name, LONG));
  }

  @Test
  void names_that_come_and_go_leave_no_locks_behind() throws InterruptedException {
    for (int i = 0; i < 10 * KEPT; i++) {
      take(name(i)).unlock();
    }
    assertThat(turns.size()).isLessThanOrEqualTo(KEPT + 1);
  }

  @Test
  void a_lock_that_is_held_stays_however_many_names_come() throws InterruptedException {
    ReentrantLock held = take(name(-1));
    for (int i = 0; i < 3 * KEPT; i++) {
      take(name(i)).unlock();
    }
    assertThatThrownBy(() -> turns.take(name(-1), LONG)).isInstanceOf(IllegalStateException.class);
    List<ReentrantLock> others = new ArrayList<>();
    Thread other =
        Thread.startVirtualThread(
            () -> {
              try {
                others.add(turns.take(name(-1), 0));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    other.join();
    assertThat(others).containsExactly((ReentrantLock) null);
    held.unlock();
  }

  @Test
  void a_write_may_hold_more_turns_than_locks_are_kept() throws InterruptedException {
    List<ReentrantLock> held = new ArrayList<>();
    for (int i = 0; i < 3 * KEPT; i++) {
      held.add(take(name(i)));
    }
    assertThat(turns.size()).isEqualTo(held.size());
    held.forEach(ReentrantLock::unlock);
    for (int i = 0; i < 8 * KEPT; i++) {
      take(name(i)).unlock();
    }
    assertThat(turns.size()).isLessThanOrEqualTo(KEPT + 1);
  }

  @Test
  void no_name_ever_has_two_holders_while_locks_are_retired() throws InterruptedException {
    Turns few = new Turns(2);
    int contended = 4;
    int rounds = 4_000;
    AtomicInteger[] holders = new AtomicInteger[contended];
    int[] visits = new int[contended]; // each counted under the turn at its name alone
    for (int i = 0; i < contended; i++) {
      holders[i] = new AtomicInteger();
    }
    AtomicInteger together = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      Random random = new Random(t);
      int own = (t + 1) * 1_000_000;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < rounds; i++) {
                      try {
                        // Names of its own, so that locks are retired all the time.
                        take(few, name(own + i)).unlock();
                        int wanted = random.nextInt(contended);
                        ReentrantLock turn = take(few, name(wanted));
                        if (holders[wanted].incrementAndGet() != 1) {
                          together.incrementAndGet();
                        }
                        visits[wanted]++;
                        LockSupport.parkNanos(1000);
                        holders[wanted].decrementAndGet();
                        turn.unlock();
                        taken.incrementAndGet();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(together).hasValue(0);
    assertThat(taken).hasValue(6 * rounds);
    assertThat(visits[0] + visits[1] + visits[2] + visits[3]).isEqualTo(6 * rounds);
  }
}
