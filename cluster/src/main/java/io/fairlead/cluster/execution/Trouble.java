// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import io.fairlead.cluster.pool.CheckOutException;
import io.fairlead.cluster.pool.PooledConnection;
import java.io.IOException;
import org.bson.RawBsonDocument;

/** How one attempt went wrong. */
sealed interface Trouble {
  /**
   * What a broken exchange means: nobody's failure when the calling thread was interrupted, as that
   * closes what it waits on.
   */
  static Trouble of(PooledConnection connection, IOException cause, boolean sending) {
    if (Thread.currentThread().isInterrupted()) {
      return new Interrupted(connection, cause);
    }
    return sending ? new NotSent(connection, cause) : new NotAnswered(connection, cause);
  }

  /** No connection could be had. */
  record NoConnection(CheckOutException cause) implements Trouble {}

  /** The command could not be sent whole. */
  record NotSent(PooledConnection connection, IOException cause) implements Trouble {}

  /** No reply, or none that answers the command. */
  record NotAnswered(PooledConnection connection, IOException cause) implements Trouble {}

  /** The calling thread was interrupted before it had the reply. */
  record Interrupted(PooledConnection connection, IOException cause) implements Trouble {}

  /** A reply with {@code ok: 0}. */
  record ErrorReply(PooledConnection connection, RawBsonDocument reply) implements Trouble {}

  /** A reply with {@code ok: 1} and a write concern error. */
  record WriteConcernReply(PooledConnection connection, RawBsonDocument reply) implements Trouble {}
}
