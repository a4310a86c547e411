// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.selection;

import com.mongodb.ServerAddress;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerConnectionState;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.Membership;
import io.fairlead.topology.RoundTripTime;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerLimits;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.selection.Selection;
import io.fairlead.topology.selection.SelectionRequest;
import io.fairlead.topology.selection.SelectionTrace;
import io.fairlead.topology.selection.ServerSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One choice among equal mongoses, and one among members of a replica set by two tag sets, the
 * second of which is met.
 */
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SelectionBenchmark {

  /** Equal mongoses, all within the window. */
  @State(Scope.Thread)
  public static class Mongoses {
    @Param({"3", "50", "1000"})
    public int servers;

    TopologyDescription topology = TopologyDescription.of(TopologyType.SHARDED, List.of());
    final SelectionRequest request = SelectionRequest.write();
    final SplittableRandom random = new SplittableRandom(1);

    @Setup
    public void build() {
      List<ServerDescription> all = new ArrayList<>();
      for (int i = 0; i < servers; i++) {
        all.add(server(i, ServerType.MONGOS, Map.of()));
      }
      topology = TopologyDescription.of(TopologyType.SHARDED, all);
    }
  }

  /** A primary and secondaries, half of them in each of two centres. */
  @State(Scope.Thread)
  public static class Members {
    @Param({"3", "50"})
    public int servers;

    TopologyDescription topology =
        TopologyDescription.of(TopologyType.REPLICA_SET_NO_PRIMARY, List.of());
    ClusterDescription peerTopology =
        new ClusterDescription(ClusterConnectionMode.MULTIPLE, ClusterType.REPLICA_SET, List.of());
    final SelectionRequest request =
        SelectionRequest.read(
            ReadPreference.of(Mode.SECONDARY)
                .withTagSets(List.of(Map.of("dc", "osl", "disk", "ssd"), Map.of("dc", "ams"))));
    final com.mongodb.ReadPreference peerPreference =
        com.mongodb.ReadPreference.secondary(
            List.of(
                new TagSet(List.of(new Tag("dc", "osl"), new Tag("disk", "ssd"))),
                new TagSet(new Tag("dc", "ams"))));
    final SplittableRandom random = new SplittableRandom(1);

    @Setup
    public void build() {
      List<ServerDescription> all = new ArrayList<>();
      List<com.mongodb.connection.ServerDescription> peers = new ArrayList<>();
      for (int i = 0; i < servers; i++) {
        String centre = i % 2 == 0 ? "ams" : "fra";
        all.add(
            server(
                i, i == 0 ? ServerType.RS_PRIMARY : ServerType.RS_SECONDARY, Map.of("dc", centre)));
        peers.add(peer(i, centre));
      }
      topology = TopologyDescription.of(TopologyType.REPLICA_SET_WITH_PRIMARY, all);
      peerTopology =
          new ClusterDescription(ClusterConnectionMode.MULTIPLE, ClusterType.REPLICA_SET, peers);
    }

    private static com.mongodb.connection.ServerDescription peer(int i, String centre) {
      return com.mongodb.connection.ServerDescription.builder()
          .address(new ServerAddress("host" + i))
          .type(
              i == 0
                  ? com.mongodb.connection.ServerType.REPLICA_SET_PRIMARY
                  : com.mongodb.connection.ServerType.REPLICA_SET_SECONDARY)
          .state(ServerConnectionState.CONNECTED)
          .ok(true)
          .roundTripTime(1_000_000, TimeUnit.NANOSECONDS)
          .tagSet(new TagSet(new Tag("dc", centre)))
          .build();
    }
  }

  private static ServerDescription server(int i, ServerType type, Map<String, String> tags) {
    return new ServerDescription(
        new HostAddress("host" + i, 27017),
        type,
        RoundTripTime.of(Duration.ofNanos(1_000_000 + i)),
        tags,
        Membership.NONE,
        new ServerLimits(0, 25, 16 << 20, 48_000_000, 100_000),
        null,
        null,
        30,
        null,
        null);
  }

  @Benchmark
  public Selection mongoses(Mongoses state) {
    return ServerSelector.select(state.topology, state.request, server -> 0, state.random);
  }

  @Benchmark
  public SelectionTrace mongosesTraced(Mongoses state) {
    return ServerSelector.trace(state.topology, state.request, server -> 0, state.random);
  }

  @Benchmark
  public Selection members(Members state) {
    return ServerSelector.select(state.topology, state.request, server -> 0, state.random);
  }

  @Benchmark
  public List<com.mongodb.connection.ServerDescription> membersByPeer(Members state) {
    return state.peerPreference.choose(state.peerTopology);
  }
}
