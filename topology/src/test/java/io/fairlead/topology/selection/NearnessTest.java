// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import static io.fairlead.topology.Topologies.address;
import static io.fairlead.topology.Topologies.mongoses;
import static io.fairlead.topology.Topologies.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.Topologies;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.selection.SelectionTrace.Fate;
import io.fairlead.topology.selection.SelectionTrace.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Reads go to the near ones: window, max ping, tags, and members that are never read from (C2, C4
 * to C6, C9).
 */
final class NearnessTest {
  private static final ReadPreference NEAREST = ReadPreference.of(Mode.NEAREST);

  private final TopologyDescription threeDistances =
      replicaSet().primary("near", 2).secondary("middle", 12).secondary("far", 42).build();

  @Test
  void the_default_window_is_15_ms_above_the_fastest() {
    assertThat(candidates(threeDistances, SelectionRequest.read(NEAREST)))
        .containsExactlyInAnyOrder("near", "middle");
  }

  @Test
  void a_narrower_window_leaves_the_fastest() {
    LatencyWindow window = new LatencyWindow.Absolute(Duration.ofMillis(5));
    assertThat(candidates(threeDistances, SelectionRequest.read(NEAREST).within(window)))
        .containsExactly("near");
  }

  @Test
  void a_proportional_window_grows_with_the_fastest() {
    TopologyDescription distant =
        replicaSet().primary("a", 100).secondary("b", 119).secondary("c", 121).build();
    LatencyWindow window = new LatencyWindow.Proportional(20);
    assertThat(candidates(distant, SelectionRequest.read(NEAREST).within(window)))
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void noise_among_very_near_servers_pins_nothing() {
    TopologyDescription near =
        replicaSet().primary("a", 0.2).secondary("b", 0.9).secondary("c", 1.3).build();
    LatencyWindow window = new LatencyWindow.Proportional(20);
    assertThat(candidates(near, SelectionRequest.read(NEAREST).within(window)))
        .containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void a_read_may_bring_its_own_window() {
    ReadPreference own =
        NEAREST.withLatencyWindow(new LatencyWindow.Absolute(Duration.ofMillis(50)));
    assertThat(candidates(threeDistances, SelectionRequest.read(own))).hasSize(3);
  }

  @Test
  void max_ping_is_a_limit_whoever_is_fastest() {
    SelectionRequest request =
        SelectionRequest.read(ReadPreference.of(Mode.SECONDARY).withMaxPing(Duration.ofMillis(20)));
    assertThat(candidates(threeDistances, request)).containsExactly("middle");
    SelectionRequest strict =
        SelectionRequest.read(ReadPreference.of(Mode.SECONDARY).withMaxPing(Duration.ofMillis(10)));
    assertThat(missing(threeDistances, strict))
        .contains(
            "middle:27017 RSSecondary, ping 12 ms [ping 12 ms is more than the 10 ms of maxPing]");
  }

  @Test
  void a_secondary_preferred_read_falls_back_to_the_primary_when_the_secondaries_are_too_far() {
    SelectionRequest request =
        SelectionRequest.read(
            ReadPreference.of(Mode.SECONDARY_PREFERRED).withMaxPing(Duration.ofMillis(10)));
    assertThat(candidates(threeDistances, request)).containsExactly("near");
  }

  @Test
  void a_clients_max_ping_leaves_writes_and_primary_reads_alone() {
    TopologyDescription farPrimary = replicaSet().primary("p", 80).secondary("s", 1).build();
    Duration limit = Duration.ofMillis(10);
    assertThat(candidates(farPrimary, SelectionRequest.write().withMaxPing(limit)))
        .containsExactly("p");
    assertThat(
            candidates(
                farPrimary, SelectionRequest.read(ReadPreference.PRIMARY).withMaxPing(limit)))
        .containsExactly("p");
    assertThat(candidates(farPrimary, SelectionRequest.read(NEAREST).withMaxPing(limit)))
        .containsExactly("s");
  }

  @Test
  void before_mongoses_the_reads_own_window_and_max_ping_travel_and_the_clients_choose() {
    TopologyDescription topology =
        Topologies.of(TopologyType.SHARDED)
            .server(ServerType.MONGOS, "m0", 1)
            .server(ServerType.MONGOS, "m1", 8)
            .build();
    ReadPreference own =
        NEAREST
            .withMaxPing(Duration.ofMillis(2))
            .withLatencyWindow(new LatencyWindow.Absolute(Duration.ZERO));
    assertThat(candidates(topology, SelectionRequest.read(own)))
        .containsExactlyInAnyOrder("m0", "m1");
    assertThat(candidates(topology, SelectionRequest.read(own).withMaxPing(Duration.ofMillis(2))))
        .containsExactly("m0");
  }

  @Test
  void tag_sets_are_tried_in_order_and_combine_with_nearness() {
    TopologyDescription topology =
        replicaSet()
            .primary("p", 1)
            .secondary("ams1", 2, Map.of("dc", "ams"))
            .secondary("ams2", 30, Map.of("dc", "ams"))
            .secondary("fra", 3, Map.of("dc", "fra"))
            .build();
    ReadPreference ams =
        ReadPreference.of(Mode.SECONDARY)
            .withTagSets(List.of(Map.of("dc", "ams"), Map.of("dc", "fra")));
    ReadPreference oslo =
        ReadPreference.of(Mode.SECONDARY)
            .withTagSets(List.of(Map.of("dc", "osl"), Map.of("dc", "fra")));
    ReadPreference any =
        ReadPreference.of(Mode.SECONDARY).withTagSets(List.of(Map.of("dc", "osl"), Map.of()));
    assertThat(candidates(topology, SelectionRequest.read(ams))).containsExactly("ams1");
    assertThat(candidates(topology, SelectionRequest.read(oslo))).containsExactly("fra");
    assertThat(candidates(topology, SelectionRequest.read(any)))
        .containsExactlyInAnyOrder("ams1", "fra");
  }

  @Test
  void a_preferred_primary_is_taken_whatever_its_tags() {
    TopologyDescription topology =
        replicaSet().primary("p", 1).secondary("s", 2, Map.of("dc", "fra")).build();
    List<Map<String, String>> ams = List.of(Map.of("dc", "ams"));
    assertThat(
            candidates(
                topology,
                SelectionRequest.read(ReadPreference.of(Mode.PRIMARY_PREFERRED).withTagSets(ams))))
        .containsExactly("p");
    assertThat(
            candidates(
                topology,
                SelectionRequest.read(
                    ReadPreference.of(Mode.SECONDARY_PREFERRED).withTagSets(ams))))
        .containsExactly("p");
  }

  @Test
  void who_finds_nobody_says_what_was_looked_for_and_what_was_seen() {
    TopologyDescription topology =
        Topologies.of(TopologyType.REPLICA_SET_WITH_PRIMARY)
            .primary("db1", 1)
            .secondary("db2", 1.5, Map.of("dc", "fra"))
            .unknown("db3", "connect refused")
            .build();
    ReadPreference ams =
        ReadPreference.of(Mode.SECONDARY).withTagSets(List.of(Map.of("dc", "ams")));
    assertThat(missing(topology, SelectionRequest.read(ams)))
        .isEqualTo(
            "no server for ReadPreference secondary {dc: \"ams\"} in ReplicaSetWithPrimary: "
                + "db1:27017 RSPrimary, ping 1 ms [not a secondary]; "
                + "db2:27017 RSSecondary, tags {dc: \"fra\"}, ping 1.5 ms "
                + "[tags {dc: \"fra\"} don't match {dc: \"ams\"}]; "
                + "db3:27017 Unknown (connect refused)");
  }

  @Test
  void hidden_members_arbiters_and_members_in_other_states_are_never_read_from() {
    TopologyDescription topology =
        replicaSet()
            .server(ServerType.RS_ARBITER, "arbiter", 1)
            .server(ServerType.RS_OTHER, "hidden", 1)
            .server(ServerType.RS_GHOST, "ghost", 1)
            .server(ServerType.POSSIBLE_PRIMARY, "maybe", 1)
            .build();
    for (Mode mode : Mode.values()) {
      assertThat(missing(topology, SelectionRequest.read(ReadPreference.of(mode))))
          .contains("arbiter");
    }
    assertThat(missing(topology, SelectionRequest.read(NEAREST)))
        .contains(
            "an arbiter holds no documents", "hidden or recovering members are not read from");
  }

  @Test
  void the_applications_selector_sees_only_suitable_servers_and_is_asked_before_the_window() {
    TopologyDescription topology =
        replicaSet()
            .primary("p", 1)
            .secondary("near", 1)
            .secondary("far", 90)
            .server(ServerType.RS_ARBITER, "arbiter", 1)
            .unknown("gone", "connect refused")
            .build();
    SelectionRequest request =
        SelectionRequest.read(NEAREST)
            .through(
                suitable -> {
                  assertThat(suitable.stream().map(server -> server.address().host()))
                      .containsExactlyInAnyOrder("p", "near", "far");
                  return suitable.stream()
                      .filter(server -> server.address().host().equals("far"))
                      .toList();
                });
    assertThat(candidates(topology, request)).containsExactly("far");
  }

  @Test
  void a_selector_that_wants_only_a_tried_server_still_gets_it() {
    SelectionRequest request =
        SelectionRequest.write()
            .through(
                suitable ->
                    suitable.stream().filter(s -> s.address().equals(address("m0"))).toList())
            .deprioritizing(Set.of(address("m0")));
    assertThat(candidates(mongoses(3), request)).containsExactly("m0");
  }

  @Test
  void a_trace_names_the_step_and_the_reason_for_each_server() {
    TopologyDescription topology =
        replicaSet()
            .primary("p", 1)
            .secondary("tried", 1, Map.of("dc", "ams"))
            .secondary("sick", 1, Map.of("dc", "ams"))
            .secondary("elsewhere", 1, Map.of("dc", "fra"))
            .secondary("distant", 70, Map.of("dc", "ams"))
            .secondary("unwanted", 1, Map.of("dc", "ams"))
            .secondary("slow", 40, Map.of("dc", "ams"))
            .secondary("good", 1, Map.of("dc", "ams"))
            .server(ServerType.RS_ARBITER, "arbiter", 1)
            .build();
    SelectionRequest request =
        SelectionRequest.read(
                ReadPreference.of(Mode.SECONDARY)
                    .withTagSets(List.of(Map.of("dc", "ams")))
                    .withMaxPing(Duration.ofMillis(60)))
            .deprioritizing(Set.of(address("tried")))
            .ejecting(Set.of(address("sick")))
            .through(
                suitable ->
                    suitable.stream().filter(s -> !s.address().host().equals("unwanted")).toList());
    SelectionTrace trace = ServerSelector.trace(topology, request, server -> 0, new Random(1));
    Map<String, Fate> fates =
        trace.fates().stream()
            .collect(Collectors.toMap(fate -> fate.server().address().host(), fate -> fate));
    assertFate(fates.get("p"), Step.SUITABLE, "not a secondary");
    assertFate(fates.get("tried"), Step.AVOIDED, "tried by this operation already");
    assertFate(fates.get("sick"), Step.AVOIDED, "ejected by health");
    assertFate(fates.get("elsewhere"), Step.TAGS, "tags {dc: \"fra\"} don't match {dc: \"ams\"}");
    assertFate(fates.get("distant"), Step.MAX_PING, "ping 70 ms is more than the 60 ms of maxPing");
    assertFate(fates.get("unwanted"), Step.SELECTOR, "not wanted by the application's selector");
    assertFate(
        fates.get("slow"),
        Step.WINDOW,
        "ping 40 ms is not within 15 ms of the fastest (up to 16 ms)");
    assertFate(fates.get("good"), Step.CHOSEN, "the only one near enough");
    assertFate(fates.get("arbiter"), Step.SUITABLE, "an arbiter holds no documents");
  }

  private static void assertFate(
      @org.jspecify.annotations.Nullable Fate fate, Step step, String why) {
    assertThat(fate).isNotNull().extracting(Fate::step, Fate::why).containsExactly(step, why);
  }

  private static String missing(TopologyDescription topology, SelectionRequest request) {
    Selection selection = ServerSelector.select(topology, request, server -> 0, new Random(1));
    assertThat(selection).isInstanceOf(Selection.NotYet.class);
    return ((Selection.NotYet) selection).missing();
  }

  private static List<String> candidates(TopologyDescription topology, SelectionRequest request) {
    SelectionTrace trace = ServerSelector.trace(topology, request, server -> 0, new Random(1));
    Random random = new Random(1);
    Set<HostAddress> chosen =
        java.util.stream.IntStream.range(0, 100)
            .mapToObj(i -> ServerSelector.select(topology, request, server -> 0, random))
            .map(selection -> ((Selection.Chosen) selection).server().address())
            .collect(Collectors.toSet());
    List<HostAddress> told = trace.candidates().stream().map(server -> server.address()).toList();
    assertThat(chosen).as("what is chosen and what the trace tells").isEqualTo(Set.copyOf(told));
    return told.stream().map(HostAddress::host).toList();
  }
}
