// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/** What a server has done since it started, for {@code serverStatus}. */
public final class Counters {
  public final LongAdder inserted = new LongAdder();
  public final LongAdder queries = new LongAdder();
  public final LongAdder updates = new LongAdder();
  public final LongAdder deletes = new LongAdder();
  public final LongAdder getMores = new LongAdder();
  public final LongAdder commands = new LongAdder();
  public final LongAdder connectionsAccepted = new LongAdder();
  public final LongAdder userAssertions = new LongAdder();
  public final LongAdder internalErrors = new LongAdder();

  private final ConcurrentHashMap<String, LongAdder> perCommand = new ConcurrentHashMap<>();

  void count(String command) {
    commands.increment();
    LongAdder counter = perCommand.get(command);
    if (counter == null) {
      counter = perCommand.computeIfAbsent(command, name -> new LongAdder());
    }
    counter.increment();
  }

  /** How often each command has run here, by name. */
  public Map<String, Long> byCommand() {
    Map<String, Long> counts = new TreeMap<>();
    perCommand.forEach((name, times) -> counts.put(name, times.sum()));
    return counts;
  }

  /** {@code opcounters}. */
  public BsonDocument operations() {
    return new BsonDocument("insert", count(inserted))
        .append("query", count(queries))
        .append("update", count(updates))
        .append("delete", count(deletes))
        .append("getmore", count(getMores))
        .append("command", count(commands));
  }

  public static BsonInt64 count(LongAdder counter) {
    return new BsonInt64(counter.sum());
  }
}
