// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fairlead.specs.Specification;
import io.fairlead.specs.SpecificationServers;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.readpreference.InvalidReadPreferenceException;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.selection.SelectionTrace.Fate;
import io.fairlead.topology.selection.SelectionTrace.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

final class SelectionSpecificationTest {

  @TestFactory
  Stream<DynamicNode> chooses_suitable_servers_in_the_latency_window() {
    return Specification.named("server-selection").eachFileIn("server_selection", this::run);
  }

  @TestFactory
  Stream<DynamicNode> heeds_max_staleness() {
    return Specification.named("max-staleness").eachFileIn("", this::run);
  }

  @TestFactory
  Stream<DynamicNode> takes_the_less_loaded_of_two() {
    return Specification.named("server-selection").eachFileIn("in_window", this::runInWindow);
  }

  private void run(BsonDocument file) {
    Specification.onlyKnown(
        file,
        "topology_description",
        "operation",
        "read_preference",
        "suitable_servers",
        "in_latency_window",
        "deprioritized_servers",
        "heartbeatFrequencyMS",
        "error");
    TopologyDescription topology =
        SpecificationServers.topology(file.getDocument("topology_description"));
    if (file.containsKey("error")) {
      assertThat(file.getBoolean("error").getValue()).isTrue();
      assertThat(isRefused(topology, file)).isTrue();
      return;
    }
    SelectionTrace trace =
        ServerSelector.trace(topology, request(file), server -> 0, new Random(1));
    assertThat(trace.fates()).hasSameSizeAs(topology.list());
    assertThat(addresses(trace, Step.CHOSEN, Step.LESSER_OF_TWO, Step.WINDOW))
        .isEqualTo(addresses(file.getArray("suitable_servers")));
    assertThat(addresses(trace, Step.CHOSEN, Step.LESSER_OF_TWO))
        .isEqualTo(addresses(file.getArray("in_latency_window")));
  }

  private static boolean isRefused(TopologyDescription topology, BsonDocument file) {
    try {
      return ServerSelector.select(topology, request(file), server -> 0, new Random(1))
          instanceof Selection.Impossible;
    } catch (InvalidReadPreferenceException refusedWhenBuilt) {
      return true;
    }
  }

  private static SelectionRequest request(BsonDocument file) {
    boolean write =
        file.containsKey("operation") && file.getString("operation").getValue().equals("write");
    if (file.containsKey("operation") && !write) {
      assertThat(file.getString("operation").getValue()).isEqualTo("read");
    }
    ReadPreference preference = preference(file.getDocument("read_preference"));
    SelectionRequest request =
        SelectionRequest.of(write ? OperationKind.WRITE : OperationKind.READ, preference)
            .deprioritizing(addresses(file.getArray("deprioritized_servers", new BsonArray())));
    return file.containsKey("heartbeatFrequencyMS")
        ? request.withHeartbeat(SpecificationServers.millis(file.get("heartbeatFrequencyMS")))
        : request;
  }

  private static ReadPreference preference(BsonDocument document) {
    Specification.onlyKnown(document, "mode", "tag_sets", "maxStalenessSeconds");
    Mode mode =
        document.containsKey("mode")
            ? Mode.named(document.getString("mode").getValue()).orElseThrow()
            : Mode.PRIMARY;
    List<Map<String, String>> sets = new ArrayList<>();
    for (BsonValue set : document.getArray("tag_sets", new BsonArray())) {
      Map<String, String> tags = new HashMap<>();
      set.asDocument().forEach((name, tag) -> tags.put(name, tag.asString().getValue()));
      sets.add(tags);
    }
    Duration maxStaleness =
        document.containsKey("maxStalenessSeconds")
            ? Duration.ofSeconds(document.getNumber("maxStalenessSeconds").longValue())
            : null;
    return new ReadPreference(mode, sets, maxStaleness, null, null, null);
  }

  private static Set<HostAddress> addresses(BsonArray servers) {
    return servers.stream()
        .map(server -> HostAddress.parse(server.asDocument().getString("address").getValue()))
        .collect(Collectors.toSet());
  }

  private static Set<HostAddress> addresses(SelectionTrace trace, Step... steps) {
    Set<Step> wanted = Set.of(steps);
    return trace.fates().stream()
        .filter(fate -> wanted.contains(fate.step()))
        .map(Fate::server)
        .map(server -> server.address())
        .collect(Collectors.toSet());
  }

  private void runInWindow(BsonDocument file) {
    Specification.onlyKnown(
        file,
        "description",
        "topology_description",
        "mocked_topology_state",
        "iterations",
        "outcome");
    TopologyDescription topology =
        SpecificationServers.topology(file.getDocument("topology_description"));
    Map<HostAddress, Integer> load = new HashMap<>();
    for (BsonValue each : file.getArray("mocked_topology_state")) {
      BsonDocument state = each.asDocument();
      Specification.onlyKnown(state, "address", "operation_count");
      load.put(
          HostAddress.parse(state.getString("address").getValue()),
          state.getInt32("operation_count").getValue());
    }
    SelectionRequest request = SelectionRequest.read(ReadPreference.of(Mode.NEAREST));
    int iterations = file.getInt32("iterations").getValue();
    Map<HostAddress, Integer> chosen = new HashMap<>();
    Random random = new Random(42);
    for (int i = 0; i < iterations; i++) {
      Selection selection = ServerSelector.select(topology, request, load::get, random);
      assertThat(selection).isInstanceOf(Selection.Chosen.class);
      chosen.merge(((Selection.Chosen) selection).server().address(), 1, Integer::sum);
    }
    BsonDocument outcome = file.getDocument("outcome");
    Specification.onlyKnown(outcome, "tolerance", "expected_frequencies");
    double tolerance = outcome.getNumber("tolerance").doubleValue();
    Set<HostAddress> expectedServers = new HashSet<>();
    outcome
        .getDocument("expected_frequencies")
        .forEach(
            (address, frequency) -> {
              HostAddress server = HostAddress.parse(address);
              expectedServers.add(server);
              double expected = frequency.asNumber().doubleValue();
              double observed = (double) chosen.getOrDefault(server, 0) / iterations;
              boolean exact = expected == 0 || expected == 1;
              assertThat(observed).as(address).isCloseTo(expected, within(exact ? 0.0 : tolerance));
            });
    assertThat(expectedServers).containsAll(chosen.keySet());
  }
}
