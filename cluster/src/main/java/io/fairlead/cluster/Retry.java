// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

/** Whether an operation may be sent again after a failure. The client's {@code retryReads} and {@code retryWrites} can forbid it too. */
public enum Retry {
  /** Never: getMore, multi-document updates, {@code w: 0}, commands whose effect is not known to be harmless when repeated. */
  NONE,
  /** As a retryable read. */
  READ,
  /** As a retryable write: sent with {@code lsid} and {@code txnNumber} where the deployment supports that. */
  WRITE
}
