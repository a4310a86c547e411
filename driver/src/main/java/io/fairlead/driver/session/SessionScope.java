// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import java.util.function.Function;

/** What a session makes of the operations that run in it. */
sealed interface SessionScope permits Transaction, SnapshotReads {
  /**
   * Runs an operation of the session.
   *
   * @param cluster runs an operation as it is
   */
  CommandResult execute(Operation operation, Function<Operation, CommandResult> cluster);
}
