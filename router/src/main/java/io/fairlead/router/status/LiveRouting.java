// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.status;

import com.mongodb.MongoException;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.router.catalog.ConfigStore;
import io.fairlead.router.shard.Shards;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routing options in force: the router's own, under those of the config set. {@link #refresh}
 * is called by one thread, the others may be by any.
 */
public final class LiveRouting {

  private static final Logger LOG = LoggerFactory.getLogger(LiveRouting.class);

  private final ConfigStore config;
  private final RoutingOptions own;
  private volatile RoutingOptions inForce;
  private @Nullable BsonDocument applied;

  public LiveRouting(ConfigStore config, RoutingOptions own) {
    this.config = config;
    this.own = own;
    this.inForce = own;
  }

  public RoutingOptions options() {
    return inForce;
  }

  /**
   * Reads the setting, and changes every shard's routing if it has changed. A malformed one is
   * logged once and the options before it stay.
   */
  public void refresh(Shards shards) {
    BsonDocument document;
    try {
      document = config.findById("settings", new BsonString(RoutingSetting.ID));
    } catch (MongoException unreachable) {
      LOG.debug("the routing setting cannot be read now: {}", unreachable.getMessage());
      return;
    }
    BsonDocument setting = document == null ? new BsonDocument() : document;
    if (setting.equals(applied)) {
      return;
    }
    boolean first = applied == null;
    applied = setting;
    try {
      inForce = RoutingSetting.applied(setting, own);
    } catch (IllegalArgumentException malformed) {
      LOG.warn("the routing setting in config.settings is not used: {}", malformed.getMessage());
      return;
    }
    if (!first || !setting.isEmpty()) {
      LOG.info(
          "reads are routed by {}",
          setting.isEmpty() ? "the router's own settings" : setting.toJson());
    }
    shards.all().forEach(shard -> configure(shard.cluster()));
  }

  /** Brings a new cluster to the options in force. */
  public void configure(Cluster cluster) {
    cluster.configureRouting(inForce);
  }
}
