// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which labels a server adds to a failed reply by its own rules, following MongoDB's. A fail point
 * that names labels replaces them altogether.
 */
final class ErrorLabels {
  /** The codes that a retryable write may be retried on. */
  private static final Set<Integer> RETRYABLE_WRITE =
      Set.of(6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);

  private static final String TRANSIENT = "TransientTransactionError";

  private ErrorLabels() {}

  /** Whether the transaction is over by that, and may succeed when it is run again as a whole. */
  private static boolean isOver(int code) {
    return switch (code) {
      case 24, 112, 239, 246, 251, 267 -> true;
      default -> false;
    };
  }

  /** A lost end of a transaction is not known to have failed; only that end is tried again. */
  private static boolean isTransient(int code, boolean statement, boolean ends) {
    return statement ? isOver(code) || RETRYABLE_WRITE.contains(code) : ends && isOver(code);
  }

  /**
   * @param code of the error, or of the write concern error
   * @param given labels that came with the failure itself
   * @param retryableWrite whether the command has {@code lsid} and {@code txnNumber}, and is no
   *     statement of a transaction
   * @param statement whether the command is a statement of a transaction, other than its end
   * @param ends whether the command ends a transaction
   * @param internalClient a member or router, which labels for its own client
   * @param wroteNothing whether it is known that no statement of the command was applied
   */
  static List<String> of(
      @Nullable Integer code,
      Set<String> given,
      boolean retryableWrite,
      boolean statement,
      boolean ends,
      boolean internalClient,
      boolean wroteNothing) {
    List<String> labels = new ArrayList<>(given);
    if (code != null && isTransient(code, statement, ends) && !labels.contains(TRANSIENT)) {
      labels.add(TRANSIENT);
    }
    boolean retryable =
        code != null && RETRYABLE_WRITE.contains(code) && retryableWrite && !internalClient;
    if (retryable && !labels.contains("RetryableWriteError")) {
      labels.add("RetryableWriteError");
    }
    if (retryable && wroteNothing && !labels.contains("NoWritesPerformed")) {
      labels.add("NoWritesPerformed");
    }
    return labels;
  }

  /**
   * Whether the reply tells the topology version, because the code says that the member's state
   * changed.
   */
  static boolean isStateChange(int code) {
    return switch (code) {
      case 91, 189, 10107, 11600, 11602, 13435, 13436 -> true;
      default -> false;
    };
  }
}
