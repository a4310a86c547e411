// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

/**
 * What may be retried.
 *
 * @param retryReads as in the connection string, default true
 * @param retryWrites as in the connection string, default true
 * @param maxAdaptiveRetries how often at most an operation is tried again once the server has said
 *     that it is overloaded, default 2, zero or more
 * @param enableOverloadRetargeting whether an overloaded member of a replica set is avoided by the
 *     retry, default false
 * @param retryServerFaults Fairlead's own, default false in the driver: also retry what health
 *     counts as a server's fault, elsewhere, where a second application is harmless
 */
public record RetryOptions(
    boolean retryReads,
    boolean retryWrites,
    int maxAdaptiveRetries,
    boolean enableOverloadRetargeting,
    boolean retryServerFaults) {
  public static final RetryOptions DEFAULT = new RetryOptions(true, true, 2, false, false);

  public RetryOptions {
    if (maxAdaptiveRetries < 0) {
      throw new IllegalArgumentException(
          "maxAdaptiveRetries must be 0 or more, was " + maxAdaptiveRetries);
    }
  }

  public RetryOptions withRetryServerFaults(boolean changed) {
    return new RetryOptions(
        retryReads, retryWrites, maxAdaptiveRetries, enableOverloadRetargeting, changed);
  }

  public RetryOptions withOverloadRetargeting(boolean changed) {
    return new RetryOptions(
        retryReads, retryWrites, maxAdaptiveRetries, changed, retryServerFaults);
  }
}
