// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A deployment inside this process: a standalone, a replica set, or shards with routers.
 *
 * <pre>{@code
 * try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start()) {
 *   MongoClient client = MongoClients.create(cluster.connectionString());
 *   …
 *   cluster.replicaSet().primary().kill();
 * }
 * }</pre>
 *
 * What {@link ClusterBuilder#start()} returns is usable: every set has a primary whose writes a
 * majority confirms, and every router reaches the shards. {@link #close()} stops everything that
 * was started and waits for it. Any thread may call.
 */
public final class EmbeddedCluster implements AutoCloseable {
  private final @Nullable EmbeddedMember standalone;
  private final @Nullable EmbeddedReplicaSet config;
  private final List<EmbeddedReplicaSet> sets;
  private final List<EmbeddedRouter> routers;

  EmbeddedCluster(
      @Nullable EmbeddedMember standalone,
      @Nullable EmbeddedReplicaSet config,
      List<EmbeddedReplicaSet> sets,
      List<EmbeddedRouter> routers) {
    this.standalone = standalone;
    this.config = config;
    this.sets = List.copyOf(sets);
    this.routers = List.copyOf(routers);
  }

  /** One server that is no member of a set. */
  public static ClusterBuilder standalone() {
    return new ClusterBuilder(ClusterBuilder.Kind.STANDALONE, 0, 1);
  }

  /** One replica set, {@code rs0}. */
  public static ClusterBuilder replicaSet(int members) {
    return new ClusterBuilder(ClusterBuilder.Kind.REPLICA_SET, 1, members);
  }

  /**
   * Shards, each a replica set of that many members and numbered from 0; a config set of as many;
   * one router unless told otherwise.
   */
  public static ClusterBuilder sharded(int shards, int members) {
    return new ClusterBuilder(ClusterBuilder.Kind.SHARDED, shards, members);
  }

  /** What a client connects to: all routers, all members of the set, or the standalone. */
  public String connectionString() {
    if (standalone != null) {
      return "mongodb://" + standalone.address() + "/";
    }
    if (config != null) {
      return "mongodb://"
          + routers.stream().map(EmbeddedRouter::address).collect(Collectors.joining(","))
          + "/";
    }
    return sets.getFirst().connectionString();
  }

  /** The server of a standalone. */
  public EmbeddedMember server() {
    if (standalone == null) {
      throw new IllegalStateException("this is not a standalone");
    }
    return standalone;
  }

  /** The only set of a cluster that is one replica set. */
  public EmbeddedReplicaSet replicaSet() {
    if (sets.size() != 1 || config != null) {
      throw new IllegalStateException("this is not one replica set");
    }
    return sets.getFirst();
  }

  /** The shards; empty unless this is a sharded cluster. */
  public List<EmbeddedReplicaSet> shards() {
    return config == null ? List.of() : sets;
  }

  /** The config replica set of a sharded cluster. */
  public EmbeddedReplicaSet configServers() {
    if (config == null) {
      throw new IllegalStateException("this is not a sharded cluster");
    }
    return config;
  }

  public List<EmbeddedRouter> routers() {
    return routers;
  }

  /** Every server of the cluster, config servers last; no routers. */
  public List<EmbeddedMember> members() {
    List<EmbeddedMember> all = new ArrayList<>();
    if (standalone != null) {
      all.add(standalone);
    }
    sets.forEach(set -> all.addAll(set.members()));
    if (config != null) {
      all.addAll(config.members());
    }
    return List.copyOf(all);
  }

  /**
   * Stops routers first, then servers, and waits. What fails to stop does not keep the rest from
   * it.
   */
  @Override
  public void close() {
    List<RuntimeException> failures = new ArrayList<>();
    routers.forEach(router -> quietly(router, failures));
    List<AutoCloseable> servers = new ArrayList<>(sets);
    if (config != null) {
      servers.add(config);
    }
    if (standalone != null) {
      servers.add(standalone);
    }
    List<RuntimeException> concurrent = new CopyOnWriteArrayList<>();
    List<Thread> closing = new ArrayList<>();
    for (AutoCloseable each : servers) {
      closing.add(Thread.ofVirtual().name("fairlead-close").start(() -> quietly(each, concurrent)));
    }
    for (Thread thread : closing) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    failures.addAll(concurrent);
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  private static void quietly(AutoCloseable each, List<RuntimeException> failures) {
    try {
      each.close();
    } catch (RuntimeException failure) {
      failures.add(failure);
    } catch (Exception failure) {
      failures.add(new IllegalStateException(failure));
    }
  }
}
