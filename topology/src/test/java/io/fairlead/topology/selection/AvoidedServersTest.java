// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import static io.fairlead.topology.Topologies.mongoses;
import static io.fairlead.topology.Topologies.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.selection.Selection.Chosen;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A retry goes elsewhere (A1 to A6), and ejection chooses only within a tier. */
final class AvoidedServersTest {
  private final Random random = new Random(7);

  @Test
  void a_retried_read_or_write_goes_to_the_other_mongos() {
    TopologyDescription topology = mongoses(2);
    for (SelectionRequest request :
        new SelectionRequest[] {read(Mode.NEAREST), SelectionRequest.write()}) {
      for (int i = 0; i < 10; i++) {
        assertThat(
                chosen(topology, request.deprioritizing(Set.of(address("m0")))).server().address())
            .isEqualTo(address("m1"));
      }
    }
  }

  @Test
  void a_retry_is_spread_at_random_among_those_that_are_left() {
    Map<HostAddress, Integer> counts =
        distribution(mongoses(4), SelectionRequest.write().deprioritizing(Set.of(address("m2"))));
    assertThat(counts).doesNotContainKey(address("m2"));
    assertThat(counts.values())
        .hasSize(3)
        .allSatisfy(count -> assertThat(count).isBetween(570, 770));
  }

  @Test
  void a_lone_mongos_is_chosen_although_it_was_tried() {
    TopologyDescription topology = mongoses(1);
    assertThat(
            chosen(topology, SelectionRequest.write().deprioritizing(Set.of(address("m0"))))
                .server()
                .address())
        .isEqualTo(address("m0"));
  }

  @Test
  void when_all_were_tried_all_are_eligible_again() {
    Map<HostAddress, Integer> counts =
        distribution(
            mongoses(2),
            SelectionRequest.write().deprioritizing(Set.of(address("m0"), address("m1"))));
    assertThat(counts.values())
        .hasSize(2)
        .allSatisfy(count -> assertThat(count).isBetween(900, 1100));
  }

  @Test
  void an_absent_and_an_empty_set_of_tried_servers_behave_alike() {
    TopologyDescription topology = mongoses(3);
    SelectionRequest absent = SelectionRequest.write().deprioritizing(null);
    SelectionRequest empty = SelectionRequest.write().deprioritizing(Set.of());
    assertThat(absent).isEqualTo(empty);
    Random one = new Random(3);
    Random other = new Random(3);
    for (int i = 0; i < 50; i++) {
      assertThat(ServerSelector.select(topology, absent, server -> 0, one))
          .isEqualTo(ServerSelector.select(topology, empty, server -> 0, other));
    }
  }

  @Test
  void first_attempts_use_all_of_equal_servers() {
    assertThat(distribution(mongoses(3), SelectionRequest.write()).values())
        .hasSize(3)
        .allSatisfy(count -> assertThat(count).isBetween(570, 770));
  }

  @Test
  void a_tried_secondary_gives_way_to_the_primary_where_the_mode_allows() {
    TopologyDescription topology = replicaSet().primary("p", 1).secondary("s", 1).build();
    Set<HostAddress> tried = Set.of(address("s"));
    assertThat(address(topology, read(Mode.SECONDARY_PREFERRED).deprioritizing(tried)))
        .isEqualTo(address("p"));
    assertThat(address(topology, read(Mode.SECONDARY).deprioritizing(tried)))
        .isEqualTo(address("s"));
    assertThat(address(topology, read(Mode.PRIMARY_PREFERRED).deprioritizing(Set.of(address("p")))))
        .isEqualTo(address("s"));
  }

  @Test
  void an_ejected_mongos_is_left_out_while_another_is_there() {
    Map<HostAddress, Integer> counts =
        distribution(mongoses(3), SelectionRequest.write().ejecting(Set.of(address("m1"))));
    assertThat(counts).containsOnlyKeys(address("m0"), address("m2"));
  }

  @Test
  void ejections_are_ignored_when_all_would_be() {
    Set<HostAddress> all = Set.of(address("m0"), address("m1"));
    Chosen chosen = chosen(mongoses(2), SelectionRequest.write().ejecting(all));
    assertThat(chosen.despiteEjection()).isTrue();
    SelectionTrace trace =
        ServerSelector.trace(
            mongoses(2), SelectionRequest.write().ejecting(all), server -> 0, random);
    assertThat(trace.notes())
        .containsExactly("everybody suitable is ejected, so ejections are ignored");
  }

  @Test
  void the_ejected_come_back_before_the_tried() {
    SelectionRequest request =
        SelectionRequest.write()
            .deprioritizing(Set.of(address("m0")))
            .ejecting(Set.of(address("m1")));
    for (int i = 0; i < 20; i++) {
      Chosen chosen = chosen(mongoses(2), request);
      assertThat(chosen.server().address()).isEqualTo(address("m1"));
      assertThat(chosen.despiteEjection()).isTrue();
    }
  }

  @Test
  void ejection_never_moves_a_primary_preferred_read_off_a_selectable_primary() {
    TopologyDescription topology = replicaSet().primary("p", 1).secondary("s", 1).build();
    SelectionRequest request = read(Mode.PRIMARY_PREFERRED).ejecting(Set.of(address("p")));
    assertThat(address(topology, request)).isEqualTo(address("p"));
  }

  @Test
  void ejection_never_moves_a_secondary_preferred_read_onto_the_primary() {
    TopologyDescription topology =
        replicaSet().primary("p", 1).secondary("s", 1).secondary("t", 1).build();
    SelectionRequest one = read(Mode.SECONDARY_PREFERRED).ejecting(Set.of(address("s")));
    SelectionRequest both =
        read(Mode.SECONDARY_PREFERRED).ejecting(Set.of(address("s"), address("t")));
    assertThat(distribution(topology, one)).containsOnlyKeys(address("t"));
    assertThat(distribution(topology, both)).containsOnlyKeys(address("s"), address("t"));
  }

  @Test
  void ejection_never_keeps_a_write_from_the_primary() {
    TopologyDescription topology = replicaSet().primary("p", 1).secondary("s", 1).build();
    assertThat(address(topology, SelectionRequest.write().ejecting(Set.of(address("p")))))
        .isEqualTo(address("p"));
  }

  @Test
  void a_fast_failing_server_does_not_attract_traffic_while_its_failures_count_as_load() {
    TopologyDescription topology = mongoses(3);
    int[] counts = new int[1];
    for (int i = 0; i < 2000; i++) {
      Selection selection =
          ServerSelector.select(
              topology,
              SelectionRequest.write(),
              server -> server.equals(address("m0")) ? 3 : 2,
              random);
      if (((Chosen) selection).server().address().equals(address("m0"))) {
        counts[0]++;
      }
    }
    assertThat(counts[0]).isZero();
  }

  private static SelectionRequest read(Mode mode) {
    return SelectionRequest.read(ReadPreference.of(mode));
  }

  private Chosen chosen(TopologyDescription topology, SelectionRequest request) {
    return (Chosen) ServerSelector.select(topology, request, server -> 0, random);
  }

  private HostAddress address(TopologyDescription topology, SelectionRequest request) {
    return chosen(topology, request).server().address();
  }

  private Map<HostAddress, Integer> distribution(
      TopologyDescription topology, SelectionRequest request) {
    Map<HostAddress, Integer> counts = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      counts.merge(address(topology, request), 1, Integer::sum);
    }
    return counts;
  }

  private static HostAddress address(String host) {
    return io.fairlead.topology.Topologies.address(host);
  }
}
