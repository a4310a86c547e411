// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.status;

import io.fairlead.topology.HostAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many reads each member has served to this router. Any thread may call. */
public final class ReadCounts {

  private final Map<HostAddress, LongAdder> counts = new ConcurrentHashMap<>();

  public void count(HostAddress server) {
    LongAdder count = counts.get(server);
    if (count == null) {
      count = counts.computeIfAbsent(server, any -> new LongAdder());
    }
    count.increment();
  }

  public long of(HostAddress server) {
    LongAdder count = counts.get(server);
    return count == null ? 0 : count.sum();
  }
}
