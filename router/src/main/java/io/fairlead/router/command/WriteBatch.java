// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.router.bytes.Splice;
import io.fairlead.router.catalog.RoutingTable;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.router.shard.Shards;
import io.fairlead.wire.message.DocumentSequence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one write to a sharded collection on their way to the shards, each with the
 * statement id that it has in the client's batch, so that a write sent again is recognised wherever
 * its statements go.
 *
 * <p>It keeps account of what is done, so that it can go on with a newer table after a shard has
 * refused an old one: nothing is sent twice to the same shard. Ordered batches go out in runs of
 * neighbours with one shard, unordered ones to all shards at once.
 */
final class WriteBatch {

  private final Asking asking;
  private final Request request;
  private final WriteCommand.Kind kind;
  private final WriteResults results = new WriteResults();
  private @Nullable List<RawBsonDocument> statements;
  private final Map<Integer, Set<String>> doneOn = new HashMap<>();
  private final Set<Integer> done = new HashSet<>();
  private boolean ordered;
  private long @Nullable [] statementIds;

  WriteBatch(Asking asking, Request request, WriteCommand.Kind kind) {
    this.asking = asking;
    this.request = request;
    this.kind = kind;
  }

  private record Part(String shard, List<Integer> indexes) {}

  BsonDocument runOn(RoutingTable table) throws InterruptedException {
    List<RawBsonDocument> all = prepare(table);
    WriteTargets targets =
        new WriteTargets(table, LetVariables.bind(request.context(), request.document("let")));
    if (ordered) {
      runInOrder(all, table, targets);
    } else {
      runAllAtOnce(all, table, targets);
    }
    return Asking.ok(request, results.reply(kind));
  }

  private List<RawBsonDocument> prepare(RoutingTable table) {
    List<RawBsonDocument> known = statements;
    if (known != null) {
      return known;
    }
    List<RawBsonDocument> given = request.documents(kind.field);
    ordered = !request.has("ordered") || request.flag("ordered");
    statementIds = request.isRetryableWrite() ? request.statementIds(given.size()) : null;
    if (kind == WriteCommand.Kind.INSERT && table.key().fields().contains("_id")) {
      given = given.stream().map(WriteBatch::withId).toList();
    }
    statements = given;
    return given;
  }

  private static RawBsonDocument withId(RawBsonDocument document) {
    return document.containsKey("_id")
        ? document
        : Splice.prepended(document, new BsonDocument("_id", new BsonObjectId(new ObjectId())));
  }

  private @Nullable Collection<String> targetsOf(
      int index, RawBsonDocument statement, WriteTargets targets) {
    try {
      Collection<String> found =
          switch (kind) {
            case INSERT -> targets.ofInsert(statement);
            case UPDATE -> targets.ofUpdate(statement);
            case DELETE -> targets.ofDelete(statement);
          };
      Set<String> left = new TreeSet<>(found);
      left.removeAll(doneOn.getOrDefault(index, Set.of()));
      return left;
    } catch (EngineException refused) {
      results.fail(index, refused.code(), refused.codeName(), refused.message());
      done.add(index);
      return null;
    }
  }

  private void runInOrder(List<RawBsonDocument> all, RoutingTable table, WriteTargets targets)
      throws InterruptedException {
    int index = 0;
    while (index < all.size() && !results.hasErrors()) {
      if (done.contains(index)) {
        index++;
        continue;
      }
      Collection<String> shards = targetsOf(index, all.get(index), targets);
      if (shards == null) {
        return;
      }
      if (shards.size() != 1) {
        List<Integer> alone = List.of(index);
        send(shards.stream().map(shard -> new Part(shard, alone)).toList(), table, all);
        done.add(index);
        index++;
        continue;
      }
      String shard = shards.iterator().next();
      List<Integer> run = new ArrayList<>(List.of(index));
      int next = index + 1;
      while (next < all.size() && isOnlyOn(shard, next, all, targets)) {
        run.add(next++);
      }
      send(List.of(new Part(shard, run)), table, all);
      done.addAll(run);
      index = next;
    }
  }

  /**
   * Whether a neighbour may join the run. One that would be refused begins a run of its own, so
   * that its error comes in its turn.
   */
  private boolean isOnlyOn(
      String shard, int index, List<RawBsonDocument> all, WriteTargets targets) {
    if (done.contains(index) || doneOn.containsKey(index)) {
      return false;
    }
    try {
      Collection<String> found =
          switch (kind) {
            case INSERT -> targets.ofInsert(all.get(index));
            case UPDATE -> targets.ofUpdate(all.get(index));
            case DELETE -> targets.ofDelete(all.get(index));
          };
      return found.size() == 1 && found.contains(shard);
    } catch (EngineException refused) {
      return false;
    }
  }

  private void runAllAtOnce(List<RawBsonDocument> all, RoutingTable table, WriteTargets targets)
      throws InterruptedException {
    Map<String, List<Integer>> byShard = new LinkedHashMap<>();
    for (int index = 0; index < all.size(); index++) {
      if (done.contains(index)) {
        continue;
      }
      Collection<String> shards = targetsOf(index, all.get(index), targets);
      if (shards != null) {
        for (String shard : shards) {
          byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(index);
        }
      }
    }
    send(
        byShard.entrySet().stream()
            .map(entry -> new Part(entry.getKey(), entry.getValue()))
            .toList(),
        table,
        all);
  }

  /**
   * Sends parts to their shards at once; notes what each has done before it complains of one that
   * has not.
   */
  private void send(List<Part> parts, RoutingTable table, List<RawBsonDocument> all)
      throws InterruptedException {
    if (parts.isEmpty()) {
      return;
    }
    Map<String, Part> byShard = new LinkedHashMap<>();
    parts.forEach(part -> byShard.put(part.shard(), part));
    List<Object> outcomes =
        Shards.scatter(byShard.keySet(), shard -> sendOne(byShard.get(shard), table, all));
    ReplyException worst = null;
    int i = 0;
    for (Part part : byShard.values()) {
      Object outcome = outcomes.get(i++);
      if (outcome instanceof ReplyException failed) {
        worst = worst == null || worst.isStale() ? failed : worst;
        if (!failed.isStale() && !request.isRetryableWrite()) {
          failAll(part, failed);
          worst = worst == failed ? null : worst;
        }
      } else {
        results.add((RawBsonDocument) outcome, part.indexes(), part.shard());
        note(part);
      }
    }
    if (worst != null) {
      throw worst;
    }
  }

  private void failAll(Part part, ReplyException failed) {
    List<Integer> failing = ordered ? part.indexes().subList(0, 1) : part.indexes();
    for (int index : failing) {
      String name =
          failed.reply().get("codeName") instanceof org.bson.BsonString text ? text.getValue() : "";
      results.fail(index, failed.code(), name, String.valueOf(failed.getMessage()));
    }
    note(part);
  }

  private void note(Part part) {
    for (int index : part.indexes()) {
      doneOn.computeIfAbsent(index, any -> new HashSet<>()).add(part.shard());
    }
  }

  /** The shard's reply, or the ReplyException with which it failed. */
  private Object sendOne(@Nullable Part part, RoutingTable table, List<RawBsonDocument> all) {
    if (part == null) {
      throw new IllegalStateException("a shard without a part was asked");
    }
    BsonDocument extra = Asking.stamp(table, part.shard());
    long[] ids = statementIds;
    if (ids != null) {
      BsonArray own = new BsonArray(part.indexes().size());
      part.indexes().forEach(index -> own.add(new BsonInt32((int) ids[index])));
      extra.append("stmtIds", own);
    }
    RawBsonDocument command = request.forwarded(extra, kind.field, "stmtId", "stmtIds");
    List<RawBsonDocument> documents = part.indexes().stream().map(all::get).toList();
    try {
      return asking
          .write(
              request, part.shard(), command, List.of(new DocumentSequence(kind.field, documents)))
          .reply();
    } catch (ReplyException failed) {
      return failed;
    }
  }
}
