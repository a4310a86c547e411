// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.connection.ClusterDescription;
import com.mongodb.selector.ServerSelector;
import io.fairlead.cluster.deployment.Deployment;
import io.fairlead.cluster.deployment.Server;
import io.fairlead.cluster.event.Descriptions;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.readpreference.EffectiveReadPreference;
import io.fairlead.topology.selection.ApplicationSelector;
import io.fairlead.topology.selection.Selection;
import io.fairlead.topology.selection.SelectionRequest;
import io.fairlead.topology.selection.SelectionTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Selection, with what it needs of this client: load, health, the rules in force and the
 * application's selector.
 */
public final class ServerChooser {
  private final Deployment deployment;
  private final HealthWatch health;
  private final @Nullable ServerSelector clientSelector;
  private final Descriptions descriptions;
  private final Duration heartbeat;
  private final RandomGenerator random;
  private final ToIntFunction<HostAddress> load;

  public ServerChooser(
      Deployment deployment,
      HealthWatch health,
      @Nullable ServerSelector clientSelector,
      Descriptions descriptions,
      Duration heartbeat,
      RandomGenerator random) {
    this.deployment = deployment;
    this.health = health;
    this.clientSelector = clientSelector;
    this.descriptions = descriptions;
    this.heartbeat = heartbeat;
    this.random = random;
    this.load = this::loadOf;
  }

  /** Chooses from the topology as it is. */
  Selection choose(TopologyDescription topology, SelectionRequest request) {
    return io.fairlead.topology.selection.ServerSelector.select(topology, request, load, random);
  }

  /** The same, told step by step. */
  public SelectionTrace explain(Routing routing, EffectiveReadPreference preference) {
    TopologyDescription topology = deployment.description();
    return io.fairlead.topology.selection.ServerSelector.trace(
        topology, request(routing, preference, null, Set.of(), health.avoid(false)), load, random);
  }

  SelectionRequest request(
      Routing routing,
      EffectiveReadPreference preference,
      @Nullable ApplicationSelector own,
      Set<HostAddress> deprioritized,
      Set<HostAddress> ejected) {
    return new SelectionRequest(
        preference.kind(),
        preference.preference(),
        deprioritized,
        ejected,
        selectorOf(own),
        routing.window(),
        routing.maxPing(),
        heartbeat);
  }

  private @Nullable ApplicationSelector selectorOf(@Nullable ApplicationSelector own) {
    ServerSelector ofClient = clientSelector;
    if (ofClient == null) {
      return own;
    }
    return suitable -> {
      List<ServerDescription> left = own == null ? suitable : own.select(suitable);
      return left.isEmpty() ? left : selectPublicly(ofClient, left);
    };
  }

  /** The client's selector speaks the public driver's types. */
  private List<ServerDescription> selectPublicly(
      ServerSelector selector, List<ServerDescription> suitable) {
    List<com.mongodb.connection.ServerDescription> shown = new ArrayList<>(suitable.size());
    suitable.forEach(server -> shown.add(Descriptions.of(server)));
    List<com.mongodb.connection.ServerDescription> wanted =
        selector.select(descriptions.of(deployment.description(), shown));
    List<ServerDescription> chosen = new ArrayList<>(wanted.size());
    for (ServerDescription server : suitable) {
      var address = Descriptions.addressOf(server.address());
      if (wanted.stream().anyMatch(each -> each.getAddress().equals(address))) {
        chosen.add(server);
      }
    }
    return chosen;
  }

  /** The topology in the public driver's words. */
  ClusterDescription publicly(TopologyDescription topology) {
    return descriptions.of(topology);
  }

  private int loadOf(HostAddress address) {
    Server server = deployment.server(address);
    return (server == null ? 0 : server.inProgress()) + health.allowance(address);
  }
}
