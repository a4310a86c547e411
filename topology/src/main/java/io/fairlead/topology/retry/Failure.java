// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How one attempt of an operation failed. */
public sealed interface Failure {
  String SYSTEM_OVERLOADED = "SystemOverloadedError";
  String RETRYABLE = "RetryableError";
  String RETRYABLE_WRITE = "RetryableWriteError";
  String NO_WRITES_PERFORMED = "NoWritesPerformed";

  Set<String> labels();

  /** In a few words, for logs and traces. */
  String summary();

  default boolean has(String label) {
    return labels().contains(label);
  }

  default boolean isOverload() {
    return has(SYSTEM_OVERLOADED);
  }

  /**
   * The connection broke, could not be made, or its pool was cleared while the operation waited for
   * it.
   */
  record Network(String summary, Set<String> labels) implements Failure {}

  /**
   * No reply within the socket's time limit. The server may be slow rather than sick, and the
   * operation may have been performed; for retries it is a network error.
   */
  record ReplyTimeout(String summary, Set<String> labels) implements Failure {}

  /**
   * The time that the application gave the whole operation is over, while a reply was awaited.
   * Never retried.
   */
  record OperationTimeout(String summary) implements Failure {
    @Override
    public Set<String> labels() {
      return Set.of();
    }
  }

  /**
   * The server answered {@code ok: 0}, or (when {@code writeConcern}) well with a write concern
   * error.
   *
   * @param baseBackoff the pause that an overloaded server asks for in place of the default; null
   *     if it asks for none
   */
  record Reply(
      int code,
      String summary,
      Set<String> labels,
      boolean writeConcern,
      @Nullable Duration baseBackoff)
      implements Failure {
    public Reply(int code, String summary, Set<String> labels) {
      this(code, summary, labels, false, null);
    }
  }
}
