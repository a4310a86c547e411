// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.bulk.BulkWriteResult;
import io.fairlead.cluster.CommandResult;
import io.fairlead.driver.write.Batch.Indexed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs many statements: those of one kind that may share a command do, in as many batches as the
 * server's limits ask for. An ordered bulk stops at the first statement that fails; an unordered
 * one tries all and reports every failure.
 */
final class BulkWrite {
  private final WriteRequest request;
  private final BulkOutcome outcome;

  private BulkWrite(WriteRequest request) {
    this.request = request;
    this.outcome = new BulkOutcome(request.ordered());
  }

  /**
   * @param statements at least one
   * @throws com.mongodb.MongoBulkWriteException if a statement fails or the write concern is not
   *     reached; it tells what was done
   */
  static BulkWriteResult run(WriteRequest request, List<Statement> statements) {
    request.requireSendable(statements);
    BulkWrite bulk = new BulkWrite(request);
    for (List<Indexed> run : runs(request.ordered(), statements)) {
      if (!bulk.send(run)) {
        break;
      }
    }
    return request.acknowledged() ? bulk.outcome.result() : BulkWriteResult.unacknowledged();
  }

  /** Sends the statements of one kind; false when the bulk has to stop. */
  private boolean send(List<Indexed> run) {
    int from = 0;
    while (from < run.size()) {
      Batch batch = new Batch(run, from);
      CommandResult answer = request.scope().deployment().execute(request.operation(batch));
      if (request.acknowledged()) {
        outcome.add(batch, WriteReply.read(answer.reply()), answer.server());
        if (outcome.mustStop()) {
          return false;
        }
      }
      from += batch.taken();
    }
    return true;
  }

  /** Ordered: neighbours of one kind. Unordered: all of one kind, wherever they stand. */
  private static List<List<Indexed>> runs(boolean ordered, List<Statement> statements) {
    List<List<Indexed>> runs = new ArrayList<>();
    Map<Statement.Kind, List<Indexed>> open = new EnumMap<>(Statement.Kind.class);
    for (int i = 0; i < statements.size(); i++) {
      Statement statement = statements.get(i);
      List<Indexed> run = open.get(statement.kind());
      if (run == null) {
        if (ordered) {
          open.clear();
        }
        run = new ArrayList<>();
        open.put(statement.kind(), run);
        runs.add(run);
      }
      run.add(new Indexed(i, statement));
    }
    return runs;
  }
}
