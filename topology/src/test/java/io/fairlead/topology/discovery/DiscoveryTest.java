// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import static io.fairlead.topology.Topologies.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.discovery.DiscoverySettings.Connection;
import io.fairlead.topology.discovery.TopologyEvent.CheckFailed;
import io.fairlead.topology.discovery.TopologyEvent.ErrorReply;
import io.fairlead.topology.discovery.TopologyEvent.HelloReceived;
import io.fairlead.topology.discovery.TopologyEvent.NetworkError;
import io.fairlead.topology.discovery.TopologyEvent.RoundTripMeasured;
import io.fairlead.topology.discovery.TopologyEvent.SeedsChanged;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** What is done about an event, and what the specification's files leave unsaid. */
final class DiscoveryTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final HostAddress A = address("a");
  private static final HostAddress B = address("b");
  private static final String PRIMARY =
      "{ok: 1, isWritablePrimary: true, setName: 'rs', hosts: ['a:27017', 'b:27017'], me:"
          + " 'a:27017', maxWireVersion: 25, topologyVersion: {processId: {$oid:"
          + " '000000000000000000000001'}, counter: 3}}";
  private static final String SECONDARY =
      "{ok: 1, isWritablePrimary: false, secondary: true, setName: 'rs', hosts: ['a:27017',"
          + " 'b:27017'], me: 'b:27017', maxWireVersion: 25, tags: {dc: 'ams'}, lastWrite:"
          + " {lastWriteDate: {$date: '2026-01-01T11:59:58Z'}}}";

  @Test
  void seeds_are_monitored_and_members_that_become_known_too() {
    Transition start = Discovery.start(seeds("a"));
    assertThat(start.actions()).containsExactly(new Action.StartMonitor(A));
    Transition step = start.next().on(hello(A, PRIMARY), NOON);
    assertThat(step.actions()).containsExactly(new Action.ReadyPool(A), new Action.StartMonitor(B));
    assertThat(step.next().description().type()).isEqualTo(TopologyType.REPLICA_SET_WITH_PRIMARY);
  }

  @Test
  void a_secondary_cannot_remove_members_it_does_not_list() {
    Discovery both = replicaSet();
    Transition step =
        both.on(
            hello(
                B,
                "{ok: 1, secondary: true, setName: 'rs', hosts: ['b:27017'], me: 'b:27017',"
                    + " maxWireVersion: 25}"),
            NOON);
    assertThat(step.next().description().servers()).containsOnlyKeys(A, B);
  }

  @Test
  void tags_and_the_last_write_are_remembered() {
    assertThat(replicaSet().description().server(B))
        .hasValueSatisfying(
            server -> {
              assertThat(server.tags()).containsEntry("dc", "ams");
              assertThat(server.lastWriteDate()).isEqualTo(NOON.minusSeconds(2));
            });
  }

  @Test
  void a_broken_connection_clears_the_pool_and_cancels_the_check() {
    Transition step = replicaSet().on(broken(A, 0, true, false), NOON);
    assertThat(step.actions())
        .containsExactly(
            new Action.ClearPool(A, null, 1, false, "socket closed during insert"),
            new Action.CancelCheck(A));
    assertThat(step.next().description().type()).isEqualTo(TopologyType.REPLICA_SET_NO_PRIMARY);
    assertThat(step.next().generation(A)).isEqualTo(1);
    assertThat(step.next().on(broken(A, 0, true, false), NOON).actions())
        .as("an older generation")
        .isEmpty();
  }

  @Test
  void a_slow_operation_does_not_make_its_server_unknown() {
    Transition step = replicaSet().on(broken(A, 0, true, true), NOON);
    assertThat(step.actions()).isEmpty();
    assertThat(step.next().description().primary()).isPresent();
  }

  @Test
  void an_overloaded_server_that_accepts_no_connection_keeps_its_pool() {
    NetworkError refused =
        new NetworkError(
            A, 0, false, false, "reset", Set.of("SystemOverloadedError", "RetryableError"), null);
    assertThat(replicaSet().on(refused, NOON).actions()).isEmpty();
  }

  @Test
  void not_primary_asks_for_a_check_and_keeps_the_pool() {
    Transition step =
        replicaSet().on(error(A, "{ok: 0, code: 10107, errmsg: 'not primary'}"), NOON);
    assertThat(step.actions()).containsExactly(new Action.RequestCheck(A));
    assertThat(step.next().description().server(A))
        .hasValueSatisfying(
            server -> assertThat(server.error()).isEqualTo("answered error 10107 (not primary)"));
  }

  @Test
  void shutting_down_clears_the_pool_too_even_as_a_write_concern_error() {
    Transition step =
        replicaSet()
            .on(
                error(A, "{ok: 1, n: 1, writeConcernError: {code: 91, errmsg: 'going down'}}"),
                NOON);
    assertThat(step.actions())
        .containsExactly(
            new Action.ClearPool(A, null, 1, false, "answered error 91 (going down)"),
            new Action.RequestCheck(A));
  }

  @Test
  void errors_of_the_application_change_nothing() {
    assertThat(
            replicaSet().on(error(A, "{ok: 0, code: 11000, errmsg: 'duplicate'}"), NOON).actions())
        .isEmpty();
    assertThat(
            replicaSet()
                .on(error(A, "{ok: 1, writeErrors: [{index: 0, code: 10107, errmsg: 'x'}]}"), NOON)
                .actions())
        .isEmpty();
  }

  @Test
  void an_old_error_is_told_by_its_topology_version_whatever_number_type_that_has() {
    for (String counter : List.of("2", "{$numberLong: '3'}", "3.0")) {
      String reply =
          "{ok: 0, code: 10107, errmsg: 'x', topologyVersion: {processId: {$oid:"
              + " '000000000000000000000001'}, counter: "
              + counter
              + "}}";
      assertThat(replicaSet().on(error(A, reply), NOON).actions()).as(counter).isEmpty();
    }
    String newer =
        "{ok: 0, code: 10107, errmsg: 'x', topologyVersion: {processId: {$oid:"
            + " '000000000000000000000001'}, counter: 4.0}}";
    assertThat(replicaSet().on(error(A, newer), NOON).actions())
        .containsExactly(new Action.RequestCheck(A));
  }

  @Test
  void the_old_primary_is_checked_at_once_when_a_new_one_is_found() {
    String elected =
        "{ok: 1, isWritablePrimary: true, setName: 'rs', hosts: ['a:27017', 'b:27017'], me:"
            + " 'b:27017', maxWireVersion: 25, electionId: {$oid: '000000000000000000000009'},"
            + " setVersion: 1}";
    Transition step = replicaSet().on(hello(B, elected), NOON);
    assertThat(step.actions()).containsExactly(new Action.ReadyPool(B), new Action.RequestCheck(A));
    assertThat(step.next().description().server(A))
        .hasValueSatisfying(server -> assertThat(server.type()).isEqualTo(ServerType.UNKNOWN));
  }

  @Test
  void a_check_without_an_answer_clears_the_pool_and_wakes_whoever_waits_on_a_dead_line() {
    Transition step = replicaSet().on(new CheckFailed(A, "no answer within 10 s", true), NOON);
    assertThat(step.actions())
        .containsExactly(new Action.ClearPool(A, null, 1, true, "no answer within 10 s"));
  }

  @Test
  void hello_with_ok_0_is_a_failed_check() {
    Transition step = replicaSet().on(hello(A, "{ok: 0, code: 18, errmsg: 'no'}"), NOON);
    assertThat(step.next().description().server(A))
        .hasValueSatisfying(
            server ->
                assertThat(server.error()).isEqualTo("hello was answered with error 18 (no)"));
  }

  @Test
  void a_streamed_hello_keeps_the_ping_and_the_other_connection_measures_it() {
    Discovery streamed =
        replicaSet().on(new HelloReceived(A, BsonDocument.parse(PRIMARY), null), NOON).next();
    assertThat(ping(streamed, A)).isEqualTo(Duration.ofMillis(4));
    Discovery measured = streamed.on(new RoundTripMeasured(A, Duration.ofMillis(9)), NOON).next();
    assertThat(ping(measured, A)).isEqualTo(Duration.ofMillis(5));
    Discovery failed = measured.on(broken(A, 0, true, false), NOON).next();
    assertThat(
            failed
                .on(new RoundTripMeasured(A, Duration.ofMillis(9)), NOON)
                .next()
                .description()
                .server(A))
        .hasValueSatisfying(server -> assertThat(server.roundTripTime()).isEmpty());
  }

  @Test
  void an_answer_of_a_server_that_was_removed_is_ignored() {
    HostAddress gone = address("gone");
    Transition step = replicaSet().on(hello(gone, PRIMARY), NOON);
    assertThat(step.actions()).isEmpty();
    assertThat(step.next().description().servers()).doesNotContainKey(gone);
  }

  @Test
  void a_direct_connection_takes_whatever_answers_but_not_another_replica_set() {
    DiscoverySettings any = new DiscoverySettings(Set.of(B), null, Connection.DIRECT);
    Transition step = Discovery.start(any).next().on(hello(B, SECONDARY), NOON);
    assertThat(step.next().description().type()).isEqualTo(TopologyType.SINGLE);
    assertThat(step.actions()).containsExactly(new Action.ReadyPool(B));
    DiscoverySettings other = new DiscoverySettings(Set.of(B), "other", Connection.DIRECT);
    Transition refused = Discovery.start(other).next().on(hello(B, SECONDARY), NOON);
    assertThat(refused.actions()).isEmpty();
    assertThat(refused.next().description().server(B))
        .hasValueSatisfying(
            server ->
                assertThat(server.error())
                    .isEqualTo("is of replica set rs, not of other as asked for"));
  }

  @Test
  void behind_a_load_balancer_only_the_failing_services_connections_are_cleared() {
    ObjectId service = new ObjectId();
    Transition start =
        Discovery.start(new DiscoverySettings(Set.of(A), null, Connection.LOAD_BALANCED));
    assertThat(start.actions()).containsExactly(new Action.ReadyPool(A));
    Transition step =
        start
            .next()
            .on(new NetworkError(A, 0, true, false, "socket closed", Set.of(), service), NOON);
    assertThat(step.actions())
        .containsExactly(new Action.ClearPool(A, service, 1, false, "socket closed"));
    assertThat(step.next().generation(A, service)).isEqualTo(1);
    assertThat(step.next().generation(A)).isZero();
    assertThat(step.next().description().type()).isEqualTo(TopologyType.LOAD_BALANCED);
  }

  @Test
  void mongoses_named_by_dns_come_and_go_until_a_replica_set_is_found() {
    Discovery sharded =
        Discovery.start(seeds("a", "b"))
            .next()
            .on(hello(A, "{ok: 1, msg: 'isdbgrid', maxWireVersion: 25}"), NOON)
            .next();
    Transition step = sharded.on(new SeedsChanged(Set.of(B, address("c"))), NOON);
    assertThat(step.actions())
        .containsExactly(
            new Action.StopMonitor(A, "no longer in the DNS seed list"),
            new Action.StartMonitor(address("c")));
    assertThat(replicaSet().on(new SeedsChanged(Set.of(address("c"))), NOON).actions()).isEmpty();
    assertThat(sharded.on(new SeedsChanged(Set.of()), NOON).actions()).isEmpty();
  }

  @Test
  void an_authentication_that_fails_while_connecting_clears_the_pool() {
    ErrorReply refused =
        new ErrorReply(
            A, 0, false, BsonDocument.parse("{ok: 0, code: 18, errmsg: 'wrong password'}"), null);
    Transition step = replicaSet().on(refused, NOON);
    assertThat(step.actions())
        .containsExactly(
            new Action.ClearPool(
                A, null, 1, false, "the handshake was answered with error 18 (wrong password)"),
            new Action.CancelCheck(A));
  }

  private static Discovery replicaSet() {
    return Discovery.start(seeds("a", "b"))
        .next()
        .on(hello(A, PRIMARY), NOON)
        .next()
        .on(hello(B, SECONDARY), NOON)
        .next();
  }

  private static DiscoverySettings seeds(String... hosts) {
    Set<HostAddress> seeds = new LinkedHashSet<>();
    for (String host : hosts) {
      seeds.add(address(host));
    }
    return new DiscoverySettings(seeds, null, Connection.DISCOVER);
  }

  private static HelloReceived hello(HostAddress address, String hello) {
    return new HelloReceived(address, BsonDocument.parse(hello), Duration.ofMillis(4));
  }

  private static NetworkError broken(
      HostAddress address, long generation, boolean completed, boolean timedOut) {
    return new NetworkError(
        address, generation, completed, timedOut, "socket closed during insert", Set.of(), null);
  }

  private static ErrorReply error(HostAddress address, String reply) {
    return new ErrorReply(address, 0, true, BsonDocument.parse(reply), null);
  }

  private static Duration ping(Discovery discovery, HostAddress address) {
    return discovery
        .description()
        .server(address)
        .flatMap(server -> server.roundTripTime())
        .orElseThrow();
  }
}
