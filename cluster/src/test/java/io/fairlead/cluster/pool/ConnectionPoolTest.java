// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ConnectionPoolSettings;
import com.mongodb.event.ConnectionClosedEvent;
import com.mongodb.event.ConnectionCreatedEvent;
import com.mongodb.event.ConnectionPoolClearedEvent;
import com.mongodb.event.ConnectionPoolListener;
import com.mongodb.event.ConnectionPoolReadyEvent;
import com.mongodb.event.ConnectionReadyEvent;
import io.fairlead.cluster.connection.ClientMetadata;
import io.fairlead.cluster.connection.Connector;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.cluster.event.EventQueue;
import io.fairlead.cluster.event.PoolEvents;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.topology.HostAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
  private static final long NEVER = Long.MAX_VALUE;

  private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
  private final AtomicInteger openingFailures = new AtomicInteger();

  private ConnectionPool pool(FakeServer server, ConnectionPoolSettings.Builder settings) {
    return pool(server.address(), settings);
  }

  private ConnectionPool pool(HostAddress address, ConnectionPoolSettings.Builder settings) {
    Connector connector =
        new Connector(
            address,
            new ClusterId(),
            new Handshake(new ClientMetadata(null), List.of(), null),
            Duration.ofSeconds(2),
            new AtomicLong());
    ConnectionPool pool =
        new ConnectionPool(
            connector,
            settings.build(),
            new PoolEvents(new EventQueue(), List.of(new Listener()), connector.serverId()),
            (cause, generation) -> openingFailures.incrementAndGet(),
            System::nanoTime);
    pool.start();
    return pool;
  }

  private final class Listener implements ConnectionPoolListener {
    @Override
    public void connectionPoolReady(ConnectionPoolReadyEvent event) {
      heard.add("ready");
    }

    @Override
    public void connectionPoolCleared(ConnectionPoolClearedEvent event) {
      heard.add("cleared");
    }

    @Override
    public void connectionCreated(ConnectionCreatedEvent event) {
      heard.add("created");
    }

    @Override
    public void connectionReady(ConnectionReadyEvent event) {
      heard.add("opened");
    }

    @Override
    public void connectionClosed(ConnectionClosedEvent event) {
      heard.add("closed " + event.getReason());
    }
  }

  private static ConnectionPoolSettings.Builder settings() {
    return ConnectionPoolSettings.builder().maxWaitTime(5, TimeUnit.SECONDS);
  }

  @Test
  void a_paused_pool_lends_nothing_and_a_ready_one_lends_the_same_connection_again()
      throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings())) {
      assertThatThrownBy(() -> pool.checkOut(1, NEVER))
          .isInstanceOf(CheckOutException.PoolCleared.class);
      pool.ready();
      PooledConnection first = pool.checkOut(2, NEVER);
      pool.checkIn(first, 2);
      PooledConnection second = pool.checkOut(3, NEVER);
      assertThat(second).isSameAs(first);
      pool.checkIn(second, 3);
      assertThat(heard).containsExactly("ready", "created", "opened");
    }
  }

  @Test
  void no_more_than_the_largest_number_are_open_and_who_waits_too_long_is_told_so()
      throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool =
            pool(server, settings().maxSize(2).maxWaitTime(50, TimeUnit.MILLISECONDS))) {
      pool.ready();
      PooledConnection one = pool.checkOut(1, NEVER);
      PooledConnection two = pool.checkOut(2, NEVER);
      assertThatThrownBy(() -> pool.checkOut(3, NEVER))
          .isInstanceOf(CheckOutException.TimedOut.class)
          .hasMessageContaining("2 in use, 0 idle, 0 opening");
      pool.checkIn(one, 1);
      pool.checkIn(two, 2);
      assertThat(pool.openConnections()).isEqualTo(2);
      assertThat(server.opened()).isEqualTo(2);
    }
  }

  @Test
  void those_who_wait_are_served_in_the_order_of_their_coming() throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings().maxSize(1))) {
      pool.ready();
      PooledConnection held = pool.checkOut(0, NEVER);
      List<Integer> served = Collections.synchronizedList(new ArrayList<>());
      List<Thread> threads = new ArrayList<>();
      for (int i = 1; i <= 5; i++) {
        int number = i;
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        PooledConnection mine = pool.checkOut(number, NEVER);
                        served.add(number);
                        pool.checkIn(mine, number);
                      } catch (CheckOutException | InterruptedException failure) {
                        throw new AssertionError(failure);
                      }
                    }));
        await(() -> pool.figures().contains(number + " waiting"));
      }
      pool.checkIn(held, 0);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(served).containsExactly(1, 2, 3, 4, 5);
    }
  }

  @Test
  void at_most_two_are_dialled_at_once_and_a_short_deadline_ends_the_wait_not_the_dialling()
      throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings())) {
      pool.ready();
      server.freeze();
      long deadline = System.nanoTime() + Duration.ofMillis(50).toNanos();
      List<Thread> callers = new ArrayList<>();
      AtomicInteger timedOut = new AtomicInteger();
      for (int i = 0; i < 5; i++) {
        callers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        pool.checkOut(1, deadline);
                      } catch (CheckOutException.TimedOut late) {
                        timedOut.incrementAndGet();
                      } catch (CheckOutException | InterruptedException failure) {
                        throw new AssertionError(failure);
                      }
                    }));
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(timedOut).hasValue(5);
      assertThat(server.opened()).isEqualTo(2);
      server.thaw();
      await(() -> pool.figures().startsWith("0 in use, 2 idle, 0 opening, 0 waiting"));
      assertThat(pool.generation()).isZero();
      assertThat(openingFailures).hasValue(0);
    }
  }

  @Test
  void clearing_makes_stale_what_was_opened_before_and_fails_who_waits() throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings().maxSize(2))) {
      pool.ready();
      PooledConnection used = pool.checkOut(1, NEVER);
      PooledConnection idle = pool.checkOut(2, NEVER);
      Thread waiting =
          Thread.ofVirtual()
              .start(
                  () ->
                      assertThatThrownBy(() -> pool.checkOut(3, NEVER))
                          .isInstanceOf(CheckOutException.PoolCleared.class));
      await(() -> pool.figures().contains("1 waiting"));
      pool.clear(1, false, new IOException("the test says so")).run();
      waiting.join();
      pool.checkIn(idle, 2);
      assertThat(used.connection().isUsable()).isTrue();
      pool.checkIn(used, 1);
      assertThat(used.connection().isUsable()).isFalse();
      assertThat(pool.openConnections()).isZero();
      pool.ready();
      PooledConnection fresh = pool.checkOut(4, NEVER);
      assertThat(fresh.generation()).isEqualTo(1);
      pool.checkIn(fresh, 4);
      assertThat(heard)
          .containsSubsequence("ready", "cleared", "closed STALE", "closed STALE", "ready");
    }
  }

  @Test
  void a_pool_that_may_not_wait_still_waits_for_the_connection_it_opens() throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool =
            pool(server, settings().maxSize(1).maxWaitTime(0, TimeUnit.MILLISECONDS))) {
      pool.ready();
      PooledConnection only = pool.checkOut(1, NEVER);
      assertThatThrownBy(() -> pool.checkOut(2, NEVER))
          .isInstanceOf(CheckOutException.TimedOut.class);
      pool.checkIn(only, 1);
    }
  }

  @Test
  void a_dial_from_before_a_clear_fails_nobody_who_came_after_it() throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings().maxConnecting(1))) {
      pool.ready();
      server.freeze();
      assertThatThrownBy(() -> pool.checkOut(1, System.nanoTime() + 1_000_000))
          .isInstanceOf(CheckOutException.TimedOut.class);
      pool.clear(1, false, new IOException("the test says so")).run();
      pool.ready();
      AtomicInteger lent = new AtomicInteger();
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      pool.checkIn(pool.checkOut(2, NEVER), 2);
                      lent.incrementAndGet();
                    } catch (CheckOutException | InterruptedException failure) {
                      throw new AssertionError(failure);
                    }
                  });
      await(() -> pool.figures().contains("1 opening, 1 waiting"));
      server.hangUp();
      server.thaw();
      caller.join();
      assertThat(lent).hasValue(1);
    }
  }

  @Test
  void what_is_not_lent_cannot_be_checked_in() throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings())) {
      pool.ready();
      PooledConnection lent = pool.checkOut(1, NEVER);
      pool.checkIn(lent, 1);
      assertThatThrownBy(() -> pool.checkIn(lent, 1)).isInstanceOf(IllegalStateException.class);
      assertThat(pool.figures()).startsWith("0 in use, 1 idle");
    }
  }

  @Test
  void clearing_can_wake_those_who_wait_for_a_reply() throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings())) {
      pool.ready();
      PooledConnection used = pool.checkOut(1, NEVER);
      pool.clear(1, true, new IOException("silent")).run();
      assertThat(used.connection().isUsable()).isFalse();
      pool.checkIn(used, 1);
      assertThat(pool.openConnections()).isZero();
    }
  }

  @Test
  void idle_connections_are_closed_after_a_while_also_without_a_least_number() throws Exception {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool =
            pool(server, settings().maxConnectionIdleTime(50, TimeUnit.MILLISECONDS))) {
      pool.ready();
      List<PooledConnection> burst = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        burst.add(pool.checkOut(i, NEVER));
      }
      burst.forEach(each -> pool.checkIn(each, 0));
      await(() -> pool.openConnections() == 0 && server.open() == 0);
      assertThat(heard).contains("closed IDLE");
    }
  }

  @Test
  void the_least_number_is_kept_open_in_the_background() {
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings().minSize(5))) {
      assertThat(server.opened()).isZero();
      pool.ready();
      await(() -> pool.openConnections() == 5);
      server.hangUp();
      pool.clear(1, false, new IOException("hung up")).run();
      pool.ready();
      await(() -> pool.openConnections() == 5);
    }
  }

  @Test
  void a_server_that_refuses_fails_each_who_waits_once() {
    HostAddress nobody = new HostAddress("nobody.inprocess", 27017);
    try (ConnectionPool pool = pool(nobody, settings())) {
      pool.ready();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> pool.checkOut(1, NEVER))
            .isInstanceOf(CheckOutException.OpeningFailed.class);
      }
      assertThat(openingFailures).hasValue(3);
      assertThat(pool.openConnections()).isZero();
    }
  }

  @Test
  void a_closed_pool_refuses_and_closes_what_comes_back() throws Exception {
    try (FakeServer server = FakeServer.standalone()) {
      ConnectionPool pool = pool(server, settings());
      pool.ready();
      PooledConnection used = pool.checkOut(1, NEVER);
      pool.close();
      assertThatThrownBy(() -> pool.checkOut(2, NEVER))
          .isInstanceOf(CheckOutException.PoolClosed.class);
      pool.checkIn(used, 1);
      await(() -> server.open() == 0);
    }
  }

  /**
   * Interrupts, broken connections and clears at random: afterwards nothing is lost and nothing is
   * left over.
   */
  @Test
  void no_permit_is_lost_in_a_storm_of_interrupts_and_failures() throws Exception {
    int size = 5;
    try (FakeServer server = FakeServer.standalone();
        ConnectionPool pool = pool(server, settings().maxSize(size))) {
      pool.ready();
      CountDownLatch done = new CountDownLatch(20);
      List<Thread> workers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        long seed = i;
        workers.add(Thread.ofVirtual().start(() -> work(pool, new Random(seed), done)));
      }
      Random random = new Random(99);
      for (int generation = 1; done.getCount() > 0; generation++) {
        workers.get(random.nextInt(workers.size())).interrupt();
        if (generation % 20 == 0) {
          pool.clear(generation, random.nextBoolean(), new IOException("storm")).run();
          pool.ready();
        }
        LockSupport.parkNanos(100_000);
      }
      assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
      pool.ready();
      List<PooledConnection> all = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        all.add(pool.checkOut(i, NEVER));
      }
      assertThat(pool.figures()).startsWith(size + " in use, 0 idle, 0 opening, 0 waiting");
      all.forEach(each -> pool.checkIn(each, 0));
      await(() -> server.open() == size);
    }
  }

  private static void work(ConnectionPool pool, Random random, CountDownLatch done) {
    for (int i = 0; i < 200; i++) {
      try {
        PooledConnection mine =
            pool.checkOut(i, System.nanoTime() + Duration.ofMillis(5).toNanos());
        if (random.nextInt(4) == 0) {
          mine.connection().close();
        }
        pool.checkIn(mine, i);
      } catch (CheckOutException | InterruptedException storm) {
        LockSupport.parkNanos(10_000);
      }
      Thread.interrupted();
    }
    done.countDown();
  }

  private static void await(BooleanSupplier wanted) {
    long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() - until > 0) {
        throw new AssertionError("did not come about within 5 s");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
