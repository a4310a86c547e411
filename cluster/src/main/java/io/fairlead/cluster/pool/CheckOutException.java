// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.pool;

import org.jspecify.annotations.Nullable;

/** No connection could be lent; the kind says why. */
public abstract sealed class CheckOutException extends Exception {
  private static final long serialVersionUID = 1;

  private CheckOutException(String message, @Nullable Throwable cause) {
    // thrown once for every caller that waits on a failing server: no stack trace of its own, the
    // cause has one
    super(message, cause, false, false);
  }

  /** The pool is paused: its server is not known to be well. */
  public static final class PoolCleared extends CheckOutException {
    private static final long serialVersionUID = 1;

    PoolCleared(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The pool is closed. */
  public static final class PoolClosed extends CheckOutException {
    private static final long serialVersionUID = 1;

    PoolClosed(String message) {
      super(message, null);
    }
  }

  /** None became free in time. */
  public static final class TimedOut extends CheckOutException {
    private static final long serialVersionUID = 1;

    TimedOut(String message) {
      super(message, null);
    }
  }

  /** A connection could not be opened. */
  public static final class OpeningFailed extends CheckOutException {
    private static final long serialVersionUID = 1;
    private final long generation;

    OpeningFailed(Throwable cause, long generation) {
      super(String.valueOf(cause.getMessage()), cause);
      this.generation = generation;
    }

    /** The pool's generation when the opening began. */
    public long generation() {
      return generation;
    }
  }
}
