// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

import io.fairlead.topology.HostAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an operation has been through. Immutable; an operation that has not failed is {@link
 * #FRESH}.
 *
 * @param retries how many retries have been granted
 * @param tried the servers of the failed attempts, in order, one entry an attempt
 * @param deprioritized those that selection is to avoid
 * @param overloaded whether any failure was an overload error
 */
public record RetryState(
    int retries, List<HostAddress> tried, Set<HostAddress> deprioritized, boolean overloaded) {
  public static final RetryState FRESH = new RetryState(0, List.of(), Set.of(), false);

  RetryState failedAt(HostAddress server, boolean overload) {
    List<HostAddress> all =
        java.util.stream.Stream.concat(tried.stream(), java.util.stream.Stream.of(server)).toList();
    return new RetryState(retries, all, deprioritized, overloaded || overload);
  }

  RetryState granted(Set<HostAddress> avoided) {
    return new RetryState(retries + 1, tried, avoided, overloaded);
  }

  Set<HostAddress> deprioritizedAnd(HostAddress server) {
    Set<HostAddress> all = new LinkedHashSet<>(deprioritized);
    all.add(server);
    return all;
  }
}
