// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import org.bson.BsonDocument;

/**
 * What one command does. Runs on its connection's thread; one instance serves all connections at
 * once.
 */
@FunctionalInterface
public interface Command {
  /**
   * Runs the command and answers its reply without {@code ok} and without the fields that every
   * reply carries: the dispatcher adds those. Failures are thrown as {@link
   * io.fairlead.engine.error.EngineException}.
   *
   * @throws InterruptedException when the server closes or the operation is killed
   */
  BsonDocument run(CommandContext context) throws InterruptedException;
}
