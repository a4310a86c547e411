// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.traffic;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts, per server, the commands that an application's operations cost: first attempts, retries,
 * errors. Both drivers send the event on the thread that called, which is how an attempt is known
 * to be a retry.
 */
public final class Attempts implements CommandListener {

  private static final Set<String> READS = Set.of("find", "aggregate", "count", "distinct");
  private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findAndModify");

  /** Of one server. */
  public record Count(long first, long retries, long errors, long reads, long writes) {
    /** All commands sent. */
    public long sent() {
      return first + retries;
    }
  }

  private static final class Adders {
    final LongAdder first = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder errors = new LongAdder();
    final LongAdder reads = new LongAdder();
    final LongAdder writes = new LongAdder();
  }

  private final Map<String, Adders> servers = new ConcurrentHashMap<>();
  private final ThreadLocal<int[]> attemptsOfOperation = ThreadLocal.withInitial(() -> new int[1]);

  /** To be called before each operation, on its thread. */
  public void operationBegins() {
    attemptsOfOperation.get()[0] = 0;
  }

  /** Forgets all that was counted. */
  public void reset() {
    servers.clear();
  }

  /** What was sent to one server, {@code host:port}. */
  public Count of(String server) {
    Adders adders = servers.get(server);
    return adders == null
        ? new Count(0, 0, 0, 0, 0)
        : new Count(
            adders.first.sum(),
            adders.retries.sum(),
            adders.errors.sum(),
            adders.reads.sum(),
            adders.writes.sum());
  }

  /** The commands sent to all servers. */
  public long sent() {
    return servers.keySet().stream().mapToLong(server -> of(server).sent()).sum();
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    boolean read = READS.contains(event.getCommandName());
    if (!read && !WRITES.contains(event.getCommandName())) {
      return;
    }
    Adders adders = servers.computeIfAbsent(serverOf(event), server -> new Adders());
    (attemptsOfOperation.get()[0]++ == 0 ? adders.first : adders.retries).increment();
    (read ? adders.reads : adders.writes).increment();
  }

  @Override
  public void commandFailed(CommandFailedEvent event) {
    if (READS.contains(event.getCommandName()) || WRITES.contains(event.getCommandName())) {
      servers.computeIfAbsent(serverOf(event), server -> new Adders()).errors.increment();
    }
  }

  private static String serverOf(com.mongodb.event.CommandEvent event) {
    return event.getConnectionDescription().getServerAddress().toString();
  }
}
