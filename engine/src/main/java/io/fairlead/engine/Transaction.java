// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine;

import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;

/**
 * A multi-document transaction between {@link Engine#begin} and its commit or abort. Reads of its
 * {@link WriteTransaction#snapshot()} see the state it began on and its own writes. Used by one
 * thread at a time; {@link #abort()} may come from any.
 */
public interface Transaction extends AutoCloseable {
  /**
   * Where the transaction's statements are run. A statement that throws ends the transaction: it
   * must be aborted.
   */
  WriteTransaction writes();

  /**
   * As {@link #writes()}, for a statement that has its own operation and its own wish about
   * validation; the rest of the context is that of the transaction's beginning.
   */
  WriteTransaction writes(WriteContext statement);

  /**
   * Makes its writes visible, all at once.
   *
   * @throws io.fairlead.engine.error.EngineException 112 WriteConflict, or 251 NoSuchTransaction
   *     when it has ended
   */
  void commit();

  /** Forgets its writes. Does nothing after the end. */
  void abort();

  /** Whether it has neither been committed nor aborted. */
  boolean isOpen();

  /** As {@link #abort()}. */
  @Override
  default void close() {
    abort();
  }
}
