// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.shard;

import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.catalog.ConfigStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * The shards that the config set lists, each with a cluster of its own that watches its members.
 * Any thread may call.
 */
public final class Shards implements AutoCloseable {

  /** Stands for the config replica set wherever a shard's name is expected. */
  public static final String CONFIG = "config";

  private static final int SHARD_NOT_FOUND = 70;
  private static final int NON_PRIMARY_ATTEMPTS = 5;
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ConfigStore config;
  private final Function<String, Cluster> connect;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Map<String, Shard> shards = Map.of();
  private boolean closed;

  /**
   * One shard.
   *
   * @param host {@code set/host:port,host:port}
   */
  public record Shard(String id, String host, Cluster cluster) {}

  /**
   * The shards that a config set lists, none before the first {@link #refresh}.
   *
   * @param connect opens the cluster of a shard, given its {@code set/host:port,…}
   */
  public Shards(ConfigStore config, Function<String, Cluster> connect) {
    this.config = config;
    this.connect = connect;
  }

  /** Reads the list of shards again. */
  public void refresh() {
    List<BsonDocument> listed =
        config.find("shards", new BsonDocument(), new BsonDocument("_id", new BsonInt32(1)));
    List<Cluster> gone = new ArrayList<>();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      Map<String, Shard> next = new LinkedHashMap<>();
      for (BsonDocument document : listed) {
        String id = document.getString("_id").getValue();
        String host = document.getString("host").getValue();
        Shard known = shards.get(id);
        next.put(
            id,
            known != null && known.host().equals(host)
                ? known
                : new Shard(id, host, connect.apply(host)));
      }
      for (Shard old : shards.values()) {
        if (!next.containsValue(old)) {
          gone.add(old.cluster());
        }
      }
      shards = next;
    } finally {
      lock.unlock();
    }
    gone.forEach(Cluster::close);
  }

  public Collection<Shard> all() {
    return shards.values();
  }

  public List<String> ids() {
    return List.copyOf(shards.keySet());
  }

  /**
   * A shard by its name.
   *
   * @throws EngineException 70 when there is none
   */
  public Shard shard(String id) {
    if (id.equals(CONFIG)) {
      return new Shard(CONFIG, "", config.cluster());
    }
    Shard known = shards.get(id);
    if (known == null) {
      refresh();
      known = shards.get(id);
    }
    if (known == null) {
      throw new EngineException(SHARD_NOT_FOUND, "Shard " + id + " not found");
    }
    return known;
  }

  /**
   * Runs a command on a shard. One that a member refused because it is not primary has not run, so
   * it is sent again to the primary that is found next.
   *
   * @throws ReplyException when it failed
   */
  public CommandResult run(String id, Operation operation) {
    return run(shard(id).cluster(), id, operation);
  }

  /** The same on any cluster, such as the config set. */
  public static CommandResult run(Cluster cluster, String id, Operation operation) {
    long start = System.nanoTime();
    Duration limit = operation.selectionTimeout();
    Operation next = operation;
    for (int attempt = 1; ; attempt++) {
      try {
        return cluster.execute(next);
      } catch (MongoTimeoutException none) {
        throw limit != null && !left(limit, start).isPositive()
            ? ReplyException.timeIsUp(none, id)
            : ReplyException.of(none, id);
      } catch (MongoException error) {
        if (!ReplyException.refusedByNonPrimary(error)
            || attempt >= NON_PRIMARY_ATTEMPTS
            || operation.pinnedTo() != null) {
          throw ReplyException.of(error, id);
        }
        if (limit != null) {
          Duration rest = left(limit, start);
          next = operation.toBuilder().selectionTimeout(rest.isPositive() ? rest : MOMENT).build();
        }
      } catch (RuntimeException error) {
        throw ReplyException.of(error, id);
      }
    }
  }

  private static Duration left(Duration limit, long startNanos) {
    return limit.minusNanos(System.nanoTime() - startNanos);
  }

  /** What is done for each of several shards. */
  @FunctionalInterface
  public interface PerShard<T> {
    T on(String shard);
  }

  /**
   * Does something for several shards at once, and waits for all.
   *
   * @return what came out, in the order of the shards
   * @throws ReplyException the first shard's error, when any failed
   */
  public static <T> List<T> scatter(Collection<String> ids, PerShard<T> work)
      throws InterruptedException {
    if (ids.size() == 1) {
      return List.of(work.on(ids.iterator().next()));
    }
    List<FutureTask<T>> tasks = new ArrayList<>();
    for (String id : ids) {
      FutureTask<T> task = new FutureTask<>(() -> work.on(id));
      tasks.add(task);
      Thread.ofVirtual().name("router-scatter-" + id).start(task);
    }
    return gather(tasks);
  }

  private static <T> List<T> gather(List<FutureTask<T>> tasks) throws InterruptedException {
    List<T> results = new ArrayList<>();
    RuntimeException first = null;
    try {
      for (FutureTask<T> task : tasks) {
        try {
          results.add(task.get());
        } catch (ExecutionException failed) {
          RuntimeException error =
              failed.getCause() instanceof RuntimeException known
                  ? known
                  : new IllegalStateException(failed.getCause());
          first = first == null || isMoreTelling(error, first) ? error : first;
        }
      }
    } finally {
      tasks.forEach(task -> task.cancel(true));
    }
    if (first != null) {
      throw first;
    }
    return results;
  }

  /** What only asks for a refresh must not hide a real error. */
  private static boolean isMoreTelling(RuntimeException error, RuntimeException than) {
    return than instanceof ReplyException stale
        && stale.isStale()
        && !(error instanceof ReplyException other && other.isStale());
  }

  @Override
  public void close() {
    Map<String, Shard> all;
    lock.lock();
    try {
      closed = true;
      all = shards;
      shards = Map.of();
    } finally {
      lock.unlock();
    }
    all.values().forEach(shard -> shard.cluster().close());
  }
}
