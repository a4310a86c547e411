// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.ServerAddress;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import io.fairlead.cluster.fake.FakeServer;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.Mode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonInt64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RetryTest {
  private static final String OVERLOADED = "SystemOverloadedError";
  private static final String RETRYABLE = "RetryableError";
  private static final String RETRYABLE_WRITE = "RetryableWriteError";
  private static final String NO_WRITES = "NoWritesPerformed";

  /** Where commands failed and succeeded, as command events tell. */
  private static final class Heard implements CommandListener {
    final List<ServerAddress> failed = new ArrayList<>();
    final List<ServerAddress> succeeded = new ArrayList<>();

    @Override
    public void commandFailed(CommandFailedEvent event) {
      failed.add(event.getConnectionDescription().getServerAddress());
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
      succeeded.add(event.getConnectionDescription().getServerAddress());
    }
  }

  static Stream<Operation> readAndWrite() {
    return Stream.of(Clients.find().build(), Clients.insert().build());
  }

  // The prose tests of retryable reads (2.1, 2.2) and retryable writes (4, 5). Code 6 changes no
  // state, so that only the
  // deprioritized set can send the retry elsewhere.

  @ParameterizedTest
  @MethodSource("readAndWrite")
  void a_retry_goes_to_a_different_mongos_when_one_is_available(Operation operation) {
    Heard heard = new Heard();
    try (FakeServer one = FakeServer.mongos();
        FakeServer two = FakeServer.mongos();
        Cluster cluster =
            Clients.known(Clients.start(Clients.settings(one, two).addCommandListener(heard)))) {
      for (int i = 0; i < 25; i++) {
        heard.failed.clear();
        failOnceEach(operation, one, two);
        assertThatThrownBy(() -> cluster.execute(operation))
            .isInstanceOf(MongoCommandException.class);
        assertThat(heard.failed).hasSize(2).doesNotHaveDuplicates();
        assertThat(heard.succeeded).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("readAndWrite")
  void a_retry_goes_to_the_same_mongos_when_no_other_is_available(Operation operation) {
    Heard heard = new Heard();
    try (FakeServer only = FakeServer.mongos();
        Cluster cluster =
            Clients.known(Clients.start(Clients.settings(only).addCommandListener(heard)))) {
      for (int i = 0; i < 10; i++) {
        failOnceEach(operation, only);
        cluster.execute(operation);
      }
      assertThat(cluster.topology().type()).isEqualTo(TopologyType.SHARDED);
      assertThat(heard.failed).hasSize(10);
      assertThat(new HashSet<>(heard.failed)).hasSize(1).isEqualTo(Set.copyOf(heard.succeeded));
    }
  }

  @ParameterizedTest
  @MethodSource("readAndWrite")
  void without_the_deprioritized_set_some_retries_return_to_the_same_mongos(Operation operation) {
    Heard heard = new Heard();
    try (FakeServer one = FakeServer.mongos();
        FakeServer two = FakeServer.mongos();
        Cluster cluster =
            Clients.known(
                Clients.forgetful(Clients.settings(one, two).addCommandListener(heard)))) {
      int returned = 0;
      for (int i = 0; i < 40; i++) {
        heard.failed.clear();
        failAlways(operation, one, two);
        assertThatThrownBy(() -> cluster.execute(operation))
            .isInstanceOf(MongoCommandException.class);
        returned += new HashSet<>(heard.failed).size() == 1 ? 1 : 0;
      }
      assertThat(returned).isPositive();
    }
  }

  private static void failOnceEach(Operation operation, FakeServer... servers) {
    for (FakeServer server : servers) {
      server.on(
          operation.commandName(),
          FakeServer.times(1, command -> FakeServer.error(6, RETRYABLE_WRITE)));
    }
  }

  private static void failAlways(Operation operation, FakeServer... servers) {
    for (FakeServer server : servers) {
      server.on(operation.commandName(), command -> FakeServer.error(6, RETRYABLE_WRITE));
    }
  }

  @Test
  void a_retried_write_carries_the_same_session_and_transaction_number() {
    try (FakeServer one = FakeServer.mongos();
        Cluster cluster = Clients.of(one)) {
      one.on("insert", FakeServer.times(1, FakeServer.closing()));
      cluster.execute(Clients.insert().build());
      var sent = one.received();
      assertThat(sent).hasSize(2);
      assertThat(sent.get(0).get("txnNumber")).isEqualTo(sent.get(1).get("txnNumber")).isNotNull();
      assertThat(sent.get(0).get("lsid")).isEqualTo(sent.get(1).get("lsid")).isNotNull();
    }
  }

  @Test
  void a_write_without_label_and_a_client_without_retries_are_not_retried() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server);
        Cluster without =
            Clients.start(Clients.settings(server).retryReads(false).retryWrites(false))) {
      server
          .on("insert", command -> FakeServer.error(6))
          .on("find", command -> FakeServer.error(6));
      assertThatThrownBy(() -> cluster.execute(Clients.insert().build()))
          .isInstanceOf(MongoCommandException.class);
      assertThat(server.count("insert")).isEqualTo(1);
      assertThatThrownBy(() -> without.execute(Clients.find().build()))
          .isInstanceOf(MongoCommandException.class);
      assertThat(server.count("find")).isEqualTo(1);
    }
  }

  @Test
  void a_pool_of_one_does_not_block_its_own_retry() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster =
            Clients.start(
                Clients.settings(server).applyToConnectionPoolSettings(pool -> pool.maxSize(1)))) {
      server.on("find", FakeServer.times(1, command -> FakeServer.error(91)));
      cluster.execute(Clients.find().build());
      assertThat(server.count("find")).isEqualTo(2);
    }
  }

  @Test
  void an_error_that_says_no_writes_were_performed_does_not_hide_the_first() {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(true, one, one));
      try (Cluster cluster = Clients.of(one)) {
        int[] attempt = new int[1];
        one.on(
            "insert",
            command ->
                attempt[0]++ == 0
                    ? FakeServer.writeConcernError(91, RETRYABLE_WRITE)
                    : FakeServer.error(10107, RETRYABLE_WRITE, NO_WRITES));
        CommandResult result = cluster.execute(Clients.insert().build());
        assertThat(attempt[0]).isEqualTo(2);
        assertThat(result.reply().getDocument("writeConcernError").getInt32("code").getValue())
            .isEqualTo(91);
      }
    }
  }

  @Test
  void of_errors_that_all_say_no_writes_were_performed_the_first_is_raised() {
    assertThat(
            raised(
                FakeServer.error(91, RETRYABLE_WRITE, NO_WRITES),
                FakeServer.error(10107, RETRYABLE_WRITE, NO_WRITES)))
        .extracting(MongoException::getCode)
        .isEqualTo(91);
    assertThat(
            raised(FakeServer.error(91, RETRYABLE_WRITE), FakeServer.error(10107, RETRYABLE_WRITE)))
        .extracting(MongoException::getCode)
        .isEqualTo(10107);
  }

  private static MongoException raised(org.bson.BsonDocument first, org.bson.BsonDocument second) {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(true, one, one));
      try (Cluster cluster = Clients.of(one)) {
        int[] attempt = new int[1];
        one.on("insert", command -> attempt[0]++ == 0 ? first : second);
        cluster.execute(Clients.insert().build());
      } catch (MongoException failure) {
        return failure;
      }
    }
    throw new AssertionError("should have failed");
  }

  @Test
  void an_overloaded_server_is_tried_three_times_with_growing_pauses_and_others_without() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster = Clients.of(server)) {
      server.on(
          "find",
          command ->
              FakeServer.error(462, OVERLOADED, RETRYABLE)
                  .append("baseBackoffMS", new BsonInt64(1)));
      assertThatThrownBy(() -> cluster.execute(Clients.find().build()))
          .isInstanceOf(MongoCommandException.class);
      assertThat(server.count("find")).isEqualTo(3);
      // commands that are not retryable by themselves are retried under overload too
      server.on(
          "drop",
          command ->
              FakeServer.error(462, OVERLOADED, RETRYABLE)
                  .append("baseBackoffMS", new BsonInt64(1)));
      Operation drop =
          Operation.builder("test", new org.bson.BsonDocument("drop", new org.bson.BsonString("c")))
              .build();
      assertThatThrownBy(() -> cluster.execute(drop)).isInstanceOf(MongoCommandException.class);
      assertThat(server.count("drop")).isEqualTo(3);
    }
  }

  @Test
  void
      on_a_replica_set_an_ordinary_retry_stays_with_the_preferred_primary_and_an_overload_goes_elsewhere_if_wanted() {
    try (FakeServer primary = FakeServer.inProcess();
        FakeServer secondary = FakeServer.inProcess()) {
      primary.says(FakeServer.memberHello(true, primary, primary, secondary));
      secondary.says(FakeServer.memberHello(false, primary, primary, secondary));
      MongoClientSettings.Builder plain = Clients.settings(primary, secondary);
      MongoClientSettings.Builder retargeting =
          Clients.settings(primary, secondary).enableOverloadRetargeting(true);
      Operation read = Clients.find(Mode.PRIMARY_PREFERRED).build();
      try (Cluster ordinary = Clients.known(Clients.start(plain));
          Cluster elsewhere = Clients.known(Clients.start(retargeting))) {
        primary.on("find", FakeServer.times(1, command -> FakeServer.error(6)));
        assertThat(ordinary.execute(read).server()).isEqualTo(primary.address());
        primary.on("find", FakeServer.times(1, command -> overloaded()));
        assertThat(elsewhere.execute(read).server()).isEqualTo(secondary.address());
        primary.on("find", FakeServer.times(1, command -> overloaded()));
        assertThat(ordinary.execute(read).server()).isEqualTo(primary.address());
      }
    }
  }

  private static org.bson.BsonDocument overloaded() {
    return FakeServer.error(462, OVERLOADED, RETRYABLE).append("baseBackoffMS", new BsonInt64(1));
  }

  @Test
  void a_member_that_is_no_longer_primary_is_looked_at_again_and_the_read_follows_the_new_one() {
    try (FakeServer one = FakeServer.inProcess();
        FakeServer two = FakeServer.inProcess()) {
      one.withoutStreaming().says(FakeServer.memberHello(true, one, one, two));
      two.withoutStreaming().says(FakeServer.memberHello(false, one, one, two));
      try (Cluster cluster = Clients.known(Clients.of(one, two))) {
        // both change their minds, and nobody hears of it before the next heartbeat, 10 s later
        one.says(FakeServer.memberHello(false, two, one, two));
        two.says(FakeServer.memberHello(true, two, one, two));
        one.on("find", command -> FakeServer.error(13435));
        assertThat(cluster.execute(Clients.find().build()).server()).isEqualTo(two.address());
        Clients.awaitTopology(
            cluster,
            topology ->
                topology
                    .server(one.address())
                    .filter(server -> server.type() == ServerType.RS_SECONDARY)
                    .isPresent());
      }
    }
  }

  @Test
  void state_change_errors_have_their_public_types() {
    try (FakeServer one = FakeServer.inProcess()) {
      one.says(FakeServer.memberHello(true, one, one));
      try (Cluster cluster = Clients.start(Clients.settings(one).retryWrites(false))) {
        one.on("insert", command -> FakeServer.error(10107));
        assertThatThrownBy(() -> cluster.execute(Clients.insert().build()))
            .isInstanceOf(MongoNotPrimaryException.class);
        one.on("insert", command -> FakeServer.error(11602));
        assertThatThrownBy(() -> cluster.execute(Clients.insert().build()))
            .isInstanceOf(com.mongodb.MongoNodeIsRecoveringException.class);
        one.on("insert", command -> FakeServer.error(50));
        assertThatThrownBy(() -> cluster.execute(Clients.insert().build()))
            .isInstanceOf(com.mongodb.MongoExecutionTimeoutException.class);
      }
    }
  }

  @Test
  void a_broken_connection_of_a_write_is_labelled_retryable_and_read_timeouts_are_retried() {
    try (FakeServer server = FakeServer.mongos();
        Cluster cluster =
            Clients.start(
                Clients.settings(server)
                    .applyToSocketSettings(
                        socket -> socket.readTimeout(100, TimeUnit.MILLISECONDS)))) {
      server.on("insert", FakeServer.closing());
      assertThatThrownBy(() -> cluster.execute(Clients.insert().build()))
          .isInstanceOfSatisfying(
              com.mongodb.MongoSocketReadException.class,
              failure -> assertThat(failure.hasErrorLabel(RETRYABLE_WRITE)).isTrue());
      server.on("find", FakeServer.times(1, command -> null));
      cluster.execute(Clients.find().build());
      assertThat(server.count("find")).isEqualTo(2);
    }
  }

  @Test
  void server_faults_are_retried_elsewhere_when_wanted() {
    try (FakeServer one = FakeServer.mongos();
        FakeServer two = FakeServer.mongos();
        FakeServer three = FakeServer.mongos();
        Cluster cluster =
            Clients.known(
                Clients.start(
                    Clients.settings(one, two, three),
                    RoutingOptions.defaults()
                        .withRetryServerFaults(true)
                        .withHealth(io.fairlead.topology.health.HealthOptions.disabled())))) {
      for (FakeServer sick : List.of(one, two)) {
        sick.on("find", command -> FakeServer.error(8000))
            .on("insert", command -> FakeServer.error(133));
      }
      for (int i = 0; i < 30; i++) {
        assertThat(cluster.execute(Clients.find().build()).server()).isEqualTo(three.address());
        assertThat(cluster.execute(Clients.insert().build()).server()).isEqualTo(three.address());
      }
      three.on("find", command -> FakeServer.error(8000));
      int before = one.count("find") + two.count("find") + three.count("find");
      assertThatThrownBy(() -> cluster.execute(Clients.find().build()))
          .isInstanceOf(MongoCommandException.class);
      assertThat(one.count("find") + two.count("find") + three.count("find") - before).isEqualTo(3);
    }
  }
}
