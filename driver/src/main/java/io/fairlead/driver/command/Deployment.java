// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.command;

import com.mongodb.client.ClientSession;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * What the driver needs of a deployment: to run one command, and a session for those that belong
 * together.
 */
public interface Deployment {
  /**
   * Runs one command on a server that suits it.
   *
   * @throws com.mongodb.MongoException as the public driver throws them
   */
  CommandResult execute(Operation operation);

  /**
   * The session behind an application's; null for null.
   *
   * @throws IllegalStateException if it is closed, or of another client
   */
  @Nullable Session session(@Nullable ClientSession session);

  /** Whether what runs in that session now is a statement of a transaction. */
  boolean inTransaction(@Nullable Session session);

  /** A session of the client's own, for one cursor; whoever takes it closes it. */
  Session implicitSession();
}
