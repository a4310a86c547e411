// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.engine.durability.Journal;
import io.fairlead.router.RouterSettings;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.replication.ReplicationSettings;
import io.fairlead.server.replication.protocol.MemberConfig;
import io.fairlead.server.replication.protocol.ReplicaSetConfig;
import io.fairlead.wire.listener.ListenerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster is to be. Used by one thread; {@link #start()} may be called again for another
 * cluster like it.
 */
public final class ClusterBuilder {
  private static final Duration USABLE_WITHIN = Duration.ofSeconds(30);
  private static final Duration PEER_TIMEOUT = Duration.ofSeconds(2);

  /** Loopback is quick, and who moves a member in a test wants to see it soon. */
  private static final Duration ROUTER_HEARTBEAT = Duration.ofSeconds(1);

  private static final long OPLOG_BYTES_MAX = 64L << 20;

  enum Kind {
    STANDALONE,
    REPLICA_SET,
    SHARDED
  }

  private final Kind kind;
  private final int sets;
  private final int members;
  private int routers = 1;
  private boolean inProcess;
  private @Nullable Integer firstPort;
  private final Map<Integer, UnaryOperator<MemberConfig>> changes = new HashMap<>();
  private UnaryOperator<ReplicaSetConfig.Settings> timing = UnaryOperator.identity();
  private long oplogBytesMax = OPLOG_BYTES_MAX;
  private @Nullable Path dataDirectory;

  ClusterBuilder(Kind kind, int sets, int members) {
    if (members < 1 || members > 50) {
      throw new IllegalArgumentException("a set has 1 to 50 members, not " + members);
    }
    if (kind == Kind.SHARDED && sets < 1) {
      throw new IllegalArgumentException("a sharded cluster has at least one shard, not " + sets);
    }
    this.kind = kind;
    this.sets = sets;
    this.members = members;
  }

  /** How many routers a sharded cluster has; 1 by default. */
  public ClusterBuilder routers(int count) {
    if (kind != Kind.SHARDED || count < 1) {
      throw new IllegalArgumentException("only a sharded cluster has routers, at least one");
    }
    routers = count;
    return this;
  }

  /** Servers and routers can be reached only inside this JVM, without sockets. */
  public ClusterBuilder inProcess() {
    inProcess = true;
    return this;
  }

  /**
   * Ports are counted up from there: routers first, or the members of the set, so that what clients
   * need comes first. By default free ports are taken. In process there are no ports, and clusters
   * that are given the same number, one after the other, have the same addresses.
   */
  public ClusterBuilder port(int first) {
    firstPort = first;
    return this;
  }

  /** The tags of a member, by its place in its set; the same in every shard. */
  public ClusterBuilder tags(int memberIndex, Map<String, String> tags) {
    return member(memberIndex, member -> member.withTags(tags));
  }

  /**
   * The priority of a member, by its place in its set; the same in every shard. The first member
   * leads at the start.
   */
  public ClusterBuilder priority(int memberIndex, double priority) {
    return member(memberIndex, member -> member.withPriority(priority));
  }

  /** Makes a member an arbiter: it votes and holds no data. */
  public ClusterBuilder arbiter(int memberIndex) {
    if (memberIndex == 0) {
      throw new IllegalArgumentException("the first member leads at the start, so it holds data");
    }
    return member(
        memberIndex,
        member ->
            new MemberConfig(
                member.id(), member.host(), true, false, 0, Map.of(), Duration.ZERO, 1));
  }

  /** Hides a member from clients; it follows and votes, and never leads. */
  public ClusterBuilder hidden(int memberIndex) {
    return member(
        memberIndex,
        member ->
            new MemberConfig(
                member.id(), member.host(), false, true, 0, member.tags(), member.delay(), 1));
  }

  private ClusterBuilder member(int memberIndex, UnaryOperator<MemberConfig> change) {
    if (memberIndex < 0 || memberIndex >= members) {
      throw new IllegalArgumentException(
          "there are members 0 to " + (members - 1) + ", not " + memberIndex);
    }
    changes.merge(
        memberIndex, change, (before, next) -> member -> next.apply(before.apply(member)));
    return this;
  }

  /**
   * MongoDB's own timing: heartbeats every 2 s, elections after 10 s. By default members notice a
   * lost primary within about 1 s.
   */
  public ClusterBuilder standardTiming() {
    timing = quick -> ReplicaSetConfig.Settings.standard(quick.replicaSetId());
    return this;
  }

  /** How often members say that they are there, and how long a silent primary is waited for. */
  public ClusterBuilder timing(Duration heartbeatInterval, Duration electionTimeout) {
    timing =
        quick ->
            new ReplicaSetConfig.Settings(
                heartbeatInterval,
                electionTimeout,
                quick.catchUpTimeout(),
                quick.chainingAllowed(),
                quick.modes(),
                quick.replicaSetId());
    return this;
  }

  /** The size of each log, beyond which its oldest entries are dropped; 64 MiB by default. */
  public ClusterBuilder oplogBytesMax(long bytes) {
    oplogBytesMax = bytes;
    return this;
  }

  /**
   * Keeps the data on disk, each server's in a directory of its own below that one, and starts on
   * what is there already. Then {@code j: true} and {@code w: "majority"} are acknowledged when
   * they are on disk. Members of a set know each other by address: fix {@link #port} when the data
   * is to be used again. A directory belongs to one deployment: one of another kind or size, or at
   * another address, is refused. By default data is in memory.
   */
  public ClusterBuilder dataDirectory(Path directory) {
    dataDirectory = directory;
    return this;
  }

  /**
   * Starts it and waits until it can be used.
   *
   * @throws IllegalStateException when it cannot be used within half a minute; nothing is left
   *     running then
   */
  public EmbeddedCluster start() {
    Addresses addresses = new Addresses(inProcess, firstPort);
    EmbeddedCluster cluster =
        switch (kind) {
          case STANDALONE -> standalone(addresses);
          case REPLICA_SET ->
              new EmbeddedCluster(
                  null,
                  null,
                  List.of(set("rs0", addresses, ServerSettings.ClusterRole.NONE)),
                  List.of());
          case SHARDED -> sharded(addresses);
        };
    try {
      if (dataDirectory != null) {
        DeploymentRecord.require(dataDirectory, description(cluster), names(cluster));
      }
      begin(cluster);
    } catch (RuntimeException failure) {
      try {
        cluster.close();
      } catch (RuntimeException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
      throw failure;
    }
    return cluster;
  }

  private String description(EmbeddedCluster cluster) {
    return switch (kind) {
      case STANDALONE -> "a standalone server";
      case REPLICA_SET ->
          "a replica set of "
              + members
              + ", the first at "
              + cluster.replicaSet().members().getFirst().address();
      case SHARDED ->
          "a sharded cluster of "
              + sets
              + " shards of "
              + members
              + ", the first at "
              + cluster.shards().getFirst().members().getFirst().address();
    };
  }

  private static Set<String> names(EmbeddedCluster cluster) {
    return cluster.members().stream().map(EmbeddedMember::name).collect(Collectors.toSet());
  }

  private void begin(EmbeddedCluster cluster) {
    switch (kind) {
      case STANDALONE -> cluster.server().start();
      case REPLICA_SET -> {
        cluster.replicaSet().start();
        cluster.replicaSet().awaitPrimary(USABLE_WITHIN);
      }
      case SHARDED -> {
        List<EmbeddedReplicaSet> all = new ArrayList<>(cluster.shards());
        all.add(cluster.configServers());
        all.forEach(EmbeddedReplicaSet::start);
        all.forEach(set -> set.awaitPrimary(USABLE_WITHIN));
        ConfigDatabase.prepare(cluster.configServers(), USABLE_WITHIN);
        cluster.routers().forEach(EmbeddedRouter::start);
        addShards(cluster);
      }
    }
  }

  private static void addShards(EmbeddedCluster cluster) {
    try (AdminConnection first = new AdminConnection(cluster.routers().getFirst().address())) {
      for (EmbeddedReplicaSet shard : cluster.shards()) {
        first.run(
            new BsonDocument("addShard", new BsonString(shard.setAndHosts()))
                .append("name", new BsonString(shard.name())));
      }
    }
    for (EmbeddedRouter router : cluster.routers()) {
      try (AdminConnection each = new AdminConnection(router.address())) {
        each.run(new BsonDocument("listShards", new BsonInt32(1)));
      }
    }
  }

  private EmbeddedCluster standalone(Addresses addresses) {
    String address = addresses.next("standalone");
    EmbeddedMember server =
        new EmbeddedMember(
            "standalone",
            address,
            at(ServerSettings.standalone(0), address, transport(ServerSettings.ClusterRole.NONE)),
            new Whims(),
            dataDirectory);
    return new EmbeddedCluster(server, null, List.of(), List.of());
  }

  private EmbeddedCluster sharded(Addresses addresses) {
    List<String> routerAddresses = new ArrayList<>();
    for (int i = 0; i < routers; i++) {
      routerAddresses.add(addresses.next("router-" + i));
    }
    List<EmbeddedReplicaSet> shards = new ArrayList<>();
    for (int i = 0; i < sets; i++) {
      shards.add(set("shard" + i, addresses, ServerSettings.ClusterRole.SHARD));
    }
    EmbeddedReplicaSet config = set("config", addresses, ServerSettings.ClusterRole.CONFIG);
    List<EmbeddedRouter> each = new ArrayList<>();
    for (int i = 0; i < routers; i++) {
      String address = routerAddresses.get(i);
      RouterSettings loopback =
          RouterSettings.loopback(Addresses.port(address), config.setAndHosts())
              .withHeartbeat(ROUTER_HEARTBEAT);
      RouterSettings settings =
          inProcess
              ? loopback.withListeners(
                  List.of(ListenerSettings.on(Addresses.host(address), Addresses.port(address))))
              : loopback;
      each.add(new EmbeddedRouter("router-" + i, address, settings));
    }
    return new EmbeddedCluster(null, config, shards, each);
  }

  private EmbeddedReplicaSet set(
      String name, Addresses addresses, ServerSettings.ClusterRole role) {
    List<MemberConfig> configs = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      MemberConfig plain = MemberConfig.of(i, addresses.next(name + "-" + i));
      UnaryOperator<MemberConfig> change =
          role == ServerSettings.ClusterRole.CONFIG ? null : changes.get(i);
      configs.add(change == null ? plain : change.apply(plain));
    }
    ReplicaSetConfig.Settings settings =
        timing.apply(ReplicaSetConfig.Settings.quick(new ObjectId()));
    ReplicaSetConfig config = new ReplicaSetConfig(name, 1, -1, configs, settings);
    Links links = new Links();
    List<EmbeddedMember> all = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      String address = configs.get(i).host();
      Whims whims = new Whims();
      ReplicationSettings replication =
          new ReplicationSettings(
              name,
              address,
              config,
              i == 0 && !othersHoldSomething(name),
              links.of(address, whims::isPaused),
              oplogBytesMax,
              PEER_TIMEOUT);
      all.add(
          new EmbeddedMember(
              name + "-" + i,
              address,
              at(ServerSettings.replicaSetMember(replication, 0), address, transport(role))
                  .withClusterRole(role),
              whims,
              dataDirectory));
    }
    return new EmbeddedReplicaSet(name, all, links);
  }

  /** Whether the set has begun before: its first member must not begin it anew on nothing then. */
  private boolean othersHoldSomething(String set) {
    Path directory = dataDirectory;
    return directory != null
        && IntStream.range(1, members)
            .anyMatch(i -> Journal.holdsSomething(directory.resolve(set + "-" + i)));
  }

  /**
   * Behind routers, members are also served in process: what routers and members say to each other
   * need not go through the network stack of the machine, while any client may still come over TCP.
   */
  private ServerSettings.Transport transport(ServerSettings.ClusterRole role) {
    if (inProcess) {
      return ServerSettings.Transport.IN_PROCESS;
    }
    return role == ServerSettings.ClusterRole.NONE
        ? ServerSettings.Transport.TCP
        : ServerSettings.Transport.BOTH;
  }

  private static ServerSettings at(
      ServerSettings settings, String address, ServerSettings.Transport transport) {
    return settings.at(Addresses.host(address), Addresses.port(address)).withTransport(transport);
  }
}
