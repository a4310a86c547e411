// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.status;

import io.fairlead.cluster.RoutingView;
import io.fairlead.router.shard.Shards;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerType;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in one line when a member loses its reads, and why, and when it has them again. Used by one
 * thread.
 */
final class ReadLosses {

  private static final Logger LOG = LoggerFactory.getLogger(ReadLosses.class);

  private final Map<HostAddress, String> lost = new HashMap<>();
  private final Map<HostAddress, String> seenReading = new HashMap<>();

  void look(Shards shards) {
    for (Shards.Shard shard : shards.all()) {
      RoutingView view = shard.cluster().routing();
      for (RoutingView.Server server : view.servers()) {
        look(shard.id(), server, view);
      }
    }
  }

  private void look(String shard, RoutingView.Server server, RoutingView view) {
    String why = whyNot(server, view);
    HostAddress address = server.address();
    if (why.isEmpty()) {
      if (lost.remove(address) != null) {
        LOG.info("[{}] {} is read from again", shard, address);
      }
      seenReading.put(address, shard);
    } else if (seenReading.containsKey(address) && !lost.containsKey(address)) {
      lost.put(address, why);
      LOG.info("[{}] {} loses its reads: {}", shard, address, why);
    }
  }

  private static String whyNot(RoutingView.Server server, RoutingView view) {
    if (server.type() != ServerType.RS_PRIMARY && server.type() != ServerType.RS_SECONDARY) {
      return "it is " + server.type() + " now";
    }
    RoutingView.Ejection ejection = server.ejection();
    if (ejection != null) {
      return "ejected, " + ejection.why();
    }
    if (!server.inWindow()) {
      String ping =
          server.ping() == null ? "unknown" : server.ping().toNanos() / 1_000_000.0 + " ms";
      return "its ping of " + ping + " is no longer near (" + view.window() + ")";
    }
    return "";
  }
}
