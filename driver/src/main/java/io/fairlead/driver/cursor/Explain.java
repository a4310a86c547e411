// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.ExplainVerbosity;
import io.fairlead.cluster.CommandResult;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.RawFields;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Asks how a command would be run. It goes where the command itself would go. */
final class Explain {
  private Explain() {}

  /**
   * @param command the command, with its options
   * @param verbosity how much is told; null: what the server chooses
   */
  static <E> E run(
      Target target,
      RawBsonDocument command,
      OperationKind kind,
      Class<E> resultClass,
      @Nullable ExplainVerbosity verbosity) {
    RawBsonDocument body =
        CommandBody.of("explain", command, target.scope().codecs())
            .string("verbosity", verbosity == null ? null : name(verbosity))
            .end();
    CommandResult result =
        target
            .scope()
            .deployment()
            .execute(
                target
                    .scope()
                    .operation(target.database(), body, kind)
                    .retry(Retryability.READ_ONCE)
                    .session(target.openSession())
                    .build());
    return RawFields.decode(result.reply(), target.scope().codecs().get(resultClass));
  }

  private static String name(ExplainVerbosity verbosity) {
    return switch (verbosity) {
      case QUERY_PLANNER -> "queryPlanner";
      case EXECUTION_STATS -> "executionStats";
      case ALL_PLANS_EXECUTIONS -> "allPlansExecution";
    };
  }
}
