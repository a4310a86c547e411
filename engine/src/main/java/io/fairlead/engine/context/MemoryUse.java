// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.context;

import io.fairlead.engine.error.EngineException;

/**
 * How much one stage of one operation holds, and its bound: MongoDB's 100 MiB. Nothing is spilled
 * to disk here, so what exceeds it is an error, whatever {@code allowDiskUse} says. Sizes are
 * estimates: the bytes of documents and values, and what it takes to keep them. Used by one thread.
 */
public final class MemoryUse {
  /** The most that a stage may hold. */
  public static final long BYTES_MAX = 100L * 1024 * 1024;

  /** Estimated overhead of one kept row or group. */
  public static final int ROW_BYTES = 64;

  private final int code;
  private final String message;
  private long bytes;

  /**
   * Nothing is held yet.
   *
   * @param code of the error at the bound
   * @param message of the error, to which the bound is added
   */
  public MemoryUse(int code, String message) {
    this.code = code;
    this.message = message;
  }

  /** Whether so much more can be held. */
  public boolean fits(long more) {
    return bytes + more <= BYTES_MAX;
  }

  /**
   * That much more is held; negative when something was let go.
   *
   * @throws EngineException when it is more than {@link #BYTES_MAX}
   */
  public void add(long more) {
    bytes += more;
    if (bytes > BYTES_MAX) {
      throw new EngineException(
          code, message + ": it holds " + bytes + " bytes, and the limit is " + BYTES_MAX);
    }
  }
}
