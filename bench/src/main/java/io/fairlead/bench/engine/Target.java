// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a workload at eight threads.
 *
 * @param rate ours divided by the better peer's, at least
 * @param cpu our server's CPU time for an operation divided by mongo-java-server's, at most; null
 *     where nothing is asked
 * @param otherPeer how many times as fast as mongo-java-server the other peer, PoppyDB 6.3.6, was
 *     when both were measured on one machine; 1 where it was slower. It is in no registry, so it
 *     cannot be measured here.
 */
record Target(double rate, @Nullable Double cpu, double otherPeer) {
  private static final Map<Workload, Target> ALL = all();

  private static Map<Workload, Target> all() {
    Map<Workload, Target> all = new EnumMap<>(Workload.class);
    Target single = new Target(1.1, 0.85, 1);
    all.put(Workload.INSERT_ONE, single);
    all.put(Workload.FIND_BY_ID, single);
    all.put(Workload.UPDATE_BY_ID, single);
    all.put(Workload.FIND_AND_MODIFY, single);
    all.put(Workload.INSERT_THOUSAND, new Target(3, null, 1));
    all.put(Workload.INSERT_THOUSAND_INDEXED, new Target(1.2, null, 1));
    all.put(Workload.RANGE_SORT_LIMIT, new Target(3, null, 46));
    all.put(Workload.GROUP, new Target(3, null, 1));
    all.put(Workload.COUNT_RANGE, new Target(3, null, 1));
    return all;
  }

  static @Nullable Target of(Workload workload) {
    return ALL.get(workload);
  }
}
