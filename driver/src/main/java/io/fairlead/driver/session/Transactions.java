// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The transactions and snapshots of one client's sessions. Every operation of the client passes
 * through {@link #execute}, and becomes a statement of its session's transaction, or a read of its
 * session's snapshot, where there is one. Any thread may call.
 */
public final class Transactions {
  private final Function<Operation, CommandResult> cluster;
  private final ConcurrentHashMap<Session, SessionScope> bySession = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param cluster runs an operation as it is
   */
  public Transactions(Function<Operation, CommandResult> cluster) {
    this.cluster = cluster;
  }

  /** Runs an operation, in its session's transaction if one is active. */
  public CommandResult execute(Operation operation) {
    Session session = operation.session();
    SessionScope scope = session == null ? null : bySession.get(session);
    return scope == null ? cluster.apply(operation) : scope.execute(operation, cluster);
  }

  /** Whether the session has a transaction that takes statements. */
  public boolean isActive(Session session) {
    return bySession.get(session) instanceof Transaction transaction && transaction.isActive();
  }

  /** Runs an operation as it is: the end of a transaction. */
  CommandResult executeOutside(Operation operation) {
    return cluster.apply(operation);
  }

  void begin(Session session, SessionScope scope) {
    bySession.put(session, scope);
  }

  void forget(Session session) {
    bySession.remove(session);
  }
}
