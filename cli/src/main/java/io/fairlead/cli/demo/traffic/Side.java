// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.traffic;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.cluster.RoutingView;
import io.fairlead.driver.FairleadClients;
import java.util.Optional;

/** Which client stands on one side of the comparison. */
public enum Side {
  OURS("ours"),
  OURS_RETRYING("ours, retryServerFaults"),
  OFFICIAL("official");

  private final String label;

  Side(String label) {
    this.label = label;
  }

  /** As tables show it. */
  public String label() {
    return label;
  }

  /** Whether this is our driver. */
  public boolean isOurs() {
    return this != OFFICIAL;
  }

  /** A fresh client; both sides take the same settings. */
  public MongoClient connect(MongoClientSettings settings) {
    return switch (this) {
      case OURS -> FairleadClients.create(settings);
      case OURS_RETRYING ->
          FairleadClients.create(settings, RoutingOptions.defaults().withRetryServerFaults(true));
      case OFFICIAL -> MongoClients.create(settings);
    };
  }

  /** What routing did; only our driver tells. */
  public Optional<RoutingView> routing(MongoClient client) {
    return isOurs() ? Optional.of(FairleadClients.routing(client)) : Optional.empty();
  }
}
