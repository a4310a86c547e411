// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private final EventQueue queue = new EventQueue();

  @Test
  void what_a_delivery_causes_comes_after_what_was_there_before_it() {
    List<String> heard = new ArrayList<>();
    queue.put(
        () -> {
          heard.add("one");
          queue.put(() -> heard.add("caused by one"));
          queue.deliver();
          heard.add("one done");
        });
    queue.put(() -> heard.add("two"));
    queue.deliver();
    assertThat(heard).containsExactly("one", "one done", "two", "caused by one");
  }

  @Test
  void a_delivery_that_throws_stops_nothing() {
    List<String> heard = new ArrayList<>();
    queue.put(
        () -> {
          throw new AssertionError("an assertion in a listener");
        });
    queue.put(() -> heard.add("after"));
    queue.deliver();
    queue.put(() -> heard.add("later"));
    queue.deliver();
    assertThat(heard).containsExactly("after", "later");
  }

  @Test
  void of_many_threads_nothing_is_lost_and_no_two_deliver_at_once() throws InterruptedException {
    ConcurrentLinkedQueue<Integer> heard = new ConcurrentLinkedQueue<>();
    AtomicInteger delivering = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int j = 0; j < 1000; j++) {
                      int number = j;
                      queue.put(
                          () -> {
                            most.accumulateAndGet(delivering.incrementAndGet(), Math::max);
                            heard.add(number);
                            delivering.decrementAndGet();
                          });
                      queue.deliver();
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(heard).hasSize(8000);
    assertThat(most).hasValue(1);
  }
}
