// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.replication.AlreadyExecutedException;
import io.fairlead.server.replication.WriteOrigin;
import io.fairlead.server.retryable.StatementOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
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
  private final Statement.@Nullable Result[] results;
  private final TreeMap<Integer, EngineException> errors = new TreeMap<>();
  private final List<Integer> retried = new ArrayList<>(0);

  /** Positions of the statements that were answered from their record. */
  private final BitSet replayed = new BitSet();

  private WriteBatch(CommandContext context, List<? extends Statement> statements) {
    this.context = context;
    this.statements = statements;
    this.results = new Statement.Result[statements.size()];
    BsonValue order = context.get("ordered");
    this.ordered = order == null || Arguments.bool("ordered", order);
    this.origin = WriteOrigins.of(context, WriteOrigin.Image.NONE);
    this.retryable = origin.session();
    this.statementIds = statementIds(context.body(), statements.size());
  }

  /**
   * What became of a command's statements, by their position in it.
   *
   * @param results of those that succeeded, null for the others
   * @param errors of those that failed
   * @param retried numbers of those that were answered from their record
   */
  record Outcome(
      List<Statement.@Nullable Result> results,
      SortedMap<Integer, EngineException> errors,
      List<Integer> retried) {
    /** How many statements succeeded. */
    long succeeded() {
      long succeeded = 0;
      for (Statement.Result result : results) {
        if (result != null) {
          succeeded++;
        }
      }
      return succeeded;
    }
  }

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
    return new Outcome(Arrays.asList(batch.results), batch.errors, batch.retried);
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
      try {
        if (replayExecuted(from, to) < to - from) {
          context.write(origin, transaction -> runIn(transaction, from, to));
        }
        return;
      } catch (AlreadyExecutedException race) {
        if (attempt == RACES_MAX) {
          throw Failures.of(112, "another attempt of this retryable write is running");
        }
      }
    }
  }

  /** Answers from their records what earlier attempts did; how many statements that are. */
  private int replayExecuted(int from, int to) {
    if (retryable == null) {
      return 0;
    }
    int executed = 0;
    for (int index = from; index < to; index++) {
      Optional<StatementOutcome> outcome =
          context.coordinator().outcome(retryable, statementIds[index]);
      if (outcome.isPresent()) {
        executed++;
        if (!replayed.get(index)) {
          replayed.set(index);
          results[index] = statements.get(index).replay(outcome.get());
          retried.add(statementIds[index]);
          context.wrote(context.coordinator().lastApplied());
        }
      }
    }
    return executed;
  }

  /** May run more than once before it is committed, and then begins anew. */
  private boolean runIn(WriteTransaction transaction, int from, int to) {
    forget(from, to);
    for (int index = from; index < to; index++) {
      if (replayed.get(index)) {
        continue;
      }
      context.operation().check();
      if (retryable != null) {
        transaction.statement(statementIds[index]);
      }
      try {
        results[index] = statements.get(index).apply(transaction);
      } catch (EngineException failure) {
        if (stopsCommand(failure.code())) {
          throw failure;
        }
        errors.put(index, failure);
        if (context.inTransaction()) {
          context.failTransaction();
          break;
        }
        if (ordered) {
          break;
        }
      }
    }
    return true;
  }

  private void forget(int from, int to) {
    if (!errors.isEmpty()) {
      errors.subMap(from, to).clear();
    }
    for (int index = from; index < to; index++) {
      if (!replayed.get(index)) {
        results[index] = null;
      }
    }
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
