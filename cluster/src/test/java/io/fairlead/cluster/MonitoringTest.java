// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoTimeoutException;
import com.mongodb.connection.ServerMonitoringMode;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class MonitoringTest {
  @Test
  void a_change_is_heard_at_once_from_a_server_that_streams() {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(true, one, one));
      try (Cluster cluster = Clients.known(Clients.of(one))) {
        // heartbeats are 10 s apart: only the stream can bring this in time
        one.says(FakeServer.memberHello(false, null, one));
        Clients.awaitTopology(
            cluster, topology -> topology.type() == TopologyType.REPLICA_SET_NO_PRIMARY);
        one.says(FakeServer.memberHello(true, one, one));
        Clients.awaitTopology(
            cluster, topology -> topology.type() == TopologyType.REPLICA_SET_WITH_PRIMARY);
        assertThat(one.monitoringConnectionsMax()).isLessThanOrEqualTo(2);
      }
    }
  }

  @Test
  void a_server_without_topology_version_is_polled_and_so_is_one_that_is_asked_to() {
    try (FakeServer old = FakeServer.mongos().withoutStreaming();
        FakeServer polled = FakeServer.mongos()) {
      var often =
          Clients.settings(old)
              .applyToServerSettings(
                  server -> server.heartbeatFrequency(30, TimeUnit.MILLISECONDS));
      var poll =
          Clients.settings(polled)
              .applyToServerSettings(
                  server ->
                      server
                          .heartbeatFrequency(30, TimeUnit.MILLISECONDS)
                          .serverMonitoringMode(ServerMonitoringMode.POLL));
      for (FakeServer server : List.of(old, polled)) {
        try (Cluster cluster = Clients.known(Clients.start(server == old ? often : poll))) {
          server.says(FakeServer.standaloneHello());
          Clients.awaitTopology(
              cluster,
              topology ->
                  topology.servers().isEmpty()
                      || topology.type() != TopologyType.SHARDED
                      || topology.list().stream()
                          .noneMatch(each -> each.type() == ServerType.MONGOS));
          assertThat(server.monitoringConnectionsMax()).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void a_server_that_comes_back_after_a_long_outage_is_found_again() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.known(Clients.of(server))) {
      for (int i = 0; i < 5; i++) {
        server.freeze();
        server.hangUp();
        Clients.awaitTopology(
            cluster, topology -> topology.list().getFirst().type() == ServerType.UNKNOWN);
        server.thaw();
        cluster.execute(Clients.find().build());
      }
      assertThat(server.monitoringConnectionsMax()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void operations_under_way_at_a_server_whose_heartbeat_times_out_are_woken_and_retried() {
    try (FakeServer one = FakeServer.mongos();
        FakeServer two = FakeServer.mongos()) {
      var settings =
          Clients.settings(one, two)
              .applyToServerSettings(
                  server -> server.heartbeatFrequency(100, TimeUnit.MILLISECONDS))
              // what a monitor waits for an answer is what connections may take to open, as in
              // connection strings
              .applyToSocketSettings(socket -> socket.connectTimeout(200, TimeUnit.MILLISECONDS));
      try (Cluster cluster = Clients.known(Clients.start(settings))) {
        for (int i = 0; i < 40; i++) {
          cluster.execute(Clients.find().build());
        }
        one.forget();
        AtomicInteger served = new AtomicInteger();
        AtomicLong slowest = new AtomicLong();
        one.on("find", command -> null);
        for (int i = 0; i < 20; i++) {
          Thread.ofVirtual()
              .start(
                  () -> {
                    long begin = System.nanoTime();
                    cluster.execute(Clients.find().build());
                    slowest.accumulateAndGet(System.nanoTime() - begin, Math::max);
                    served.incrementAndGet();
                  });
        }
        Clients.await(() -> one.count("find") > 0 && one.count("find") + served.get() == 20);
        one.freeze();
        Clients.await(() -> served.get() == 20);
        assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofSeconds(4));
      }
    }
  }

  @Test
  void a_server_that_lost_a_connection_while_another_serves_is_checked_at_once() {
    try (FakeServer one = FakeServer.mongos();
        FakeServer two = FakeServer.mongos();
        Cluster cluster = Clients.known(Clients.of(one, two))) {
      one.on("find", FakeServer.times(1, FakeServer.closing()));
      for (int i = 0; i < 20; i++) {
        cluster.execute(Clients.find().build());
      }
      // heartbeats are 10 s apart, and nobody waits for a server: the lost connection itself must
      // ask
      Clients.known(cluster);
      assertThat(one.count("find")).isPositive();
    }
  }

  @Test
  void many_network_errors_at_once_leave_no_more_than_two_monitoring_connections() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster =
            Clients.known(
                Clients.start(
                    Clients.settings(server)
                        .applyToServerSettings(
                            each -> each.heartbeatFrequency(100, TimeUnit.MILLISECONDS))))) {
      server.on("find", FakeServer.closing());
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int j = 0; j < 5; j++) {
                        try {
                          cluster.execute(Clients.find().timeout(Duration.ofMillis(200)).build());
                        } catch (com.mongodb.MongoException expected) {
                          Thread.onSpinWait();
                        }
                      }
                    }));
      }
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException stopped) {
          throw new AssertionError(stopped);
        }
      }
      // a connection that its client closed is noticed by the server at the end of the hello it
      // awaits there
      Clients.await(() -> server.monitoringConnections() <= 2);
    }
  }

  @Test
  void no_one_who_waits_for_a_primary_misses_its_coming() throws InterruptedException {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(false, null, one));
      try (Cluster cluster = Clients.known(Clients.of(one))) {
        for (int round = 0; round < 20; round++) {
          AtomicInteger served = new AtomicInteger();
          for (int i = 0; i < 32; i++) {
            Thread.ofVirtual()
                .start(
                    () -> {
                      cluster.execute(Clients.ping());
                      served.incrementAndGet();
                    });
          }
          one.says(FakeServer.memberHello(true, one, one));
          Clients.await(() -> served.get() == 32);
          one.says(FakeServer.memberHello(false, null, one));
          Clients.awaitTopology(cluster, topology -> topology.primary().isEmpty());
        }
      }
    }
  }

  @Test
  void a_read_that_prefers_the_primary_does_not_wait_for_one_while_a_secondary_is_known() {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(false, null, one));
      try (Cluster cluster = Clients.known(Clients.of(one))) {
        long begin = System.nanoTime();
        cluster.execute(Clients.find(Mode.PRIMARY_PREFERRED).build());
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(1));
      }
    }
  }

  @Test
  void a_server_nobody_listens_at_is_told_with_its_reason() {
    HostAddress nobody = new HostAddress("nobody-there.inprocess", 27017);
    var settings =
        com.mongodb.MongoClientSettings.builder()
            .applyToClusterSettings(
                cluster ->
                    cluster
                        .hosts(List.of(new com.mongodb.ServerAddress(nobody.host(), nobody.port())))
                        .serverSelectionTimeout(100, TimeUnit.MILLISECONDS));
    try (Cluster cluster = Clients.start(settings)) {
      assertThatThrownBy(() -> cluster.execute(Clients.ping()))
          .isInstanceOf(MongoTimeoutException.class)
          .hasMessageContaining(nobody.toString());
    }
  }

  @Test
  void an_interrupt_ends_the_wait_and_stays_set() throws InterruptedException {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(false, null, one));
      try (Cluster cluster = Clients.known(Clients.of(one))) {
        boolean[] stillSet = new boolean[1];
        Thread waiting =
            Thread.ofVirtual()
                .start(
                    () -> {
                      assertThatThrownBy(() -> cluster.execute(Clients.ping()))
                          .isInstanceOf(com.mongodb.MongoInterruptedException.class);
                      stillSet[0] = Thread.currentThread().isInterrupted();
                    });
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        waiting.interrupt();
        waiting.join();
        assertThat(stillSet[0]).isTrue();
      }
    }
  }

  @Test
  void one_slow_beginning_does_not_keep_a_server_far_away_and_one_that_moves_is_followed() {
    try (FakeServer server = FakeServer.mongos()) {
      server.helloTakes(Duration.ofMillis(200));
      // heartbeats are 10 s apart
      try (Cluster cluster = Clients.known(Clients.of(server))) {
        assertThat(pingOf(cluster)).isGreaterThan(Duration.ofMillis(100));
        server.helloTakes(Duration.ZERO);
        Clients.await(() -> pingOf(cluster).compareTo(Duration.ofMillis(40)) < 0);
      }
    }
  }

  private static Duration pingOf(Cluster cluster) {
    return cluster.topology().list().getFirst().roundTripTime().orElseThrow();
  }

  @Test
  void everything_works_over_tcp_too() {
    try (FakeServer server = FakeServer.overTcp().says(FakeServer.mongosHello())) {
      var settings =
          Clients.settings(server)
              .compressorList(List.of(com.mongodb.MongoCompressor.createZlibCompressor()))
              .applyToServerSettings(each -> each.heartbeatFrequency(100, TimeUnit.MILLISECONDS));
      try (Cluster cluster = Clients.start(settings)) {
        for (int i = 0; i < 20; i++) {
          cluster.execute(Clients.find().build());
        }
        assertThat(server.count("find")).isEqualTo(20);
        assertThat(cluster.topology().list().getFirst().ping()).isNotNull();
      }
      Clients.await(() -> server.open() == 0);
    }
  }
}
