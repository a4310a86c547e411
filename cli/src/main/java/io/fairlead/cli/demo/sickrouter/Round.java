// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.sickrouter;

import io.fairlead.cli.demo.traffic.Attempts;
import io.fairlead.cli.demo.traffic.Load;
import io.fairlead.cli.demo.traffic.Side;
import java.util.List;

/** What one side saw in one run under one sickness. */
record Round(Side side, Load.Run run, List<Router> routers) {

  /** One router in it. */
  record Router(Attempts.Count count, boolean sick, long ejections) {
    /** First attempts, retries, errors and ejections, for a table. */
    String summary() {
      return "%d/%d/%d/%d".formatted(count.first(), count.retries(), count.errors(), ejections);
    }
  }

  /** Reads sent to routers that were sick. */
  long sickReads() {
    return routers.stream().filter(Router::sick).mapToLong(router -> router.count().reads()).sum();
  }

  /** Writes sent to routers that were sick. */
  long sickWrites() {
    return routers.stream().filter(Router::sick).mapToLong(router -> router.count().writes()).sum();
  }

  /** The share of all commands that went to routers that were sick, in percent. */
  double sickPercent() {
    long sent = routers.stream().mapToLong(router -> router.count().sent()).sum();
    return sent == 0 ? 0 : 100.0 * (sickReads() + sickWrites()) / sent;
  }
}
