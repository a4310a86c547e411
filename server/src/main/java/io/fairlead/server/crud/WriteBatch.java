// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.error.EngineException;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.replication.AlreadyExecutedException;
import io.fairlead.server.replication.WriteOrigin;
import io.fairlead.server.retryable.StatementOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Runs the statements of one write command: several in one commit, each on its own as far as errors
 * go. Ordered, it stops at the first error; unordered, it goes on. A statement of a retryable write
 * that an earlier attempt executed is answered from its record.
 */
final class WriteBatch {
  /** The most statements of one command, as {@code hello} announces. */
  static final int STATEMENTS_MAX = 100_000;

  /**
   * How many statements share a commit: enough to spare work, few enough not to keep other writers
   * waiting.
   */
  private static final int PER_COMMIT = 500;

  /** How often a race with another attempt of the same statements is run again. */
  private static final int RACES_MAX = 10;

  private final CommandContext context;
  private final List<? extends Statement> statements;
  private final boolean ordered;
  private final WriteOrigin origin;
  private final WriteOrigin.@Nullable RetryableWrite retryable;
  private final int[] statementIds;
  private final TreeMap<Integer, Statement.Result> results = new TreeMap<>();
  private final TreeMap<Integer, EngineException> errors = new TreeMap<>();
  private final List<Integer> retried = new ArrayList<>();

  private WriteBatch(CommandContext context, List<? extends Statement> statements) {
    this.context = context;
    this.statements = statements;
    BsonValue order = context.get("ordered");
    this.ordered = order == null || Arguments.bool("ordered", order);
    this.origin = WriteOrigins.of(context, WriteOrigin.Image.NONE);
    this.retryable = origin.session();
    this.statementIds = statementIds(context.body(), statements.size());
  }

  /**
   * What became of a command's statements, by their position in it.
   *
   * @param results of those that succeeded
   * @param errors of those that failed
   * @param retried numbers of those that were answered from their record
   */
  record Outcome(
      TreeMap<Integer, Statement.Result> results,
      TreeMap<Integer, EngineException> errors,
      List<Integer> retried) {}

  /**
   * Runs all. Failures that are the statement's own are in the outcome; what stops the command is
   * thrown.
   */
  static Outcome run(CommandContext context, List<? extends Statement> statements) {
    if (statements.isEmpty() || statements.size() > STATEMENTS_MAX) {
      throw Failures.of(
          16,
          "Write batch sizes must be between 1 and "
              + STATEMENTS_MAX
              + ". Got "
              + statements.size()
              + " operations.");
    }
    WriteBatch batch = new WriteBatch(context, statements);
    batch.runAll();
    return new Outcome(batch.results, batch.errors, batch.retried);
  }

  private void runAll() {
    for (int from = 0;
        from < statements.size() && !((ordered || context.inTransaction()) && !errors.isEmpty());
        from += PER_COMMIT) {
      runChunk(from, Math.min(from + PER_COMMIT, statements.size()));
    }
  }

  private void runChunk(int from, int to) {
    for (int attempt = 1; ; attempt++) {
      List<Integer> pending = replayExecuted(from, to);
      if (pending.isEmpty()) {
        return;
      }
      try {
        Chunk chunk = context.write(origin, transaction -> runIn(transaction, pending));
        results.putAll(chunk.results);
        errors.putAll(chunk.errors);
        return;
      } catch (AlreadyExecutedException race) {
        if (attempt == RACES_MAX) {
          throw Failures.of(112, "another attempt of this retryable write is running");
        }
      }
    }
  }

  /** Answers from their records what earlier attempts did; the positions that remain to be done. */
  private List<Integer> replayExecuted(int from, int to) {
    List<Integer> pending = new ArrayList<>();
    for (int index = from; index < to; index++) {
      Optional<StatementOutcome> executed =
          retryable == null
              ? Optional.empty()
              : context.coordinator().outcome(retryable, statementIds[index]);
      if (executed.isEmpty()) {
        pending.add(index);
      } else if (!results.containsKey(index)) {
        results.put(index, statements.get(index).replay(executed.get()));
        retried.add(statementIds[index]);
        context.wrote(context.coordinator().lastApplied());
      }
    }
    return pending;
  }

  /** May run more than once before it is committed, so it keeps what it finds to itself. */
  private Chunk runIn(
      io.fairlead.engine.write.WriteTransaction transaction, List<Integer> pending) {
    Chunk chunk = new Chunk();
    for (int index : pending) {
      context.operation().check();
      if (retryable != null) {
        transaction.statement(statementIds[index]);
      }
      try {
        chunk.results.put(index, statements.get(index).apply(transaction));
      } catch (EngineException failure) {
        if (stopsCommand(failure.code())) {
          throw failure;
        }
        chunk.errors.put(index, failure);
        if (context.inTransaction()) {
          context.failTransaction();
          break;
        }
        if (ordered) {
          break;
        }
      }
    }
    return chunk;
  }

  private static final class Chunk {
    final TreeMap<Integer, Statement.Result> results = new TreeMap<>();
    final TreeMap<Integer, EngineException> errors = new TreeMap<>();
  }

  /**
   * Failures that say something about the server or the whole command rather than about one
   * statement.
   */
  private static boolean stopsCommand(int code) {
    return switch (code) {
      case 50, 91, 112, 189, 225, 262, 10107, 11600, 11601, 11602, 13388, 13435, 13436 -> true;
      default -> false;
    };
  }

  private static int[] statementIds(BsonDocument body, int count) {
    int[] ids = new int[count];
    BsonValue list = body.get("stmtIds");
    BsonValue first = body.get("stmtId");
    if (list != null && first != null) {
      throw Failures.of(72, "Only one of 'stmtId' and 'stmtIds' may be given");
    }
    if (list != null && Arguments.array("stmtIds", list).size() != count) {
      throw Failures.of(72, "Number of statement ids must match the number of batch entries");
    }
    int start =
        first == null ? 0 : Arguments.intBetween("stmtId", first, 0, Integer.MAX_VALUE - count);
    for (int i = 0; i < count; i++) {
      ids[i] =
          list == null
              ? start + i
              : Arguments.intBetween("stmtIds", list.asArray().get(i), 0, Integer.MAX_VALUE);
    }
    return ids;
  }
}
