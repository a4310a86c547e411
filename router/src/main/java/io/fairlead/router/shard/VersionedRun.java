// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.shard;

import io.fairlead.router.catalog.Catalog;
import io.fairlead.router.catalog.ConfigStore;
import io.fairlead.router.catalog.Lease;
import io.fairlead.router.catalog.Placement;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work by what the router knows of a collection, and again with fresh knowledge whenever a
 * shard refuses its version. When even fresh knowledge is refused, a change is under way elsewhere,
 * or was cut short: then, once nobody holds the lease, the shards are told what the config set
 * says.
 */
public final class VersionedRun {

  private static final Logger LOG = LoggerFactory.getLogger(VersionedRun.class);
  private static final int ATTEMPTS = 40;
  private static final int ATTEMPTS_BEFORE_REPAIR = 4;
  private static final long PAUSE_MILLIS_MAX = 250;

  private final Catalog catalog;
  private final ConfigStore config;
  private final Shards shards;
  private final ShardTeller teller;
  private final InstantSource clock;

  public VersionedRun(
      Catalog catalog, ConfigStore config, Shards shards, ShardTeller teller, InstantSource clock) {
    this.catalog = catalog;
    this.config = config;
    this.shards = shards;
    this.teller = teller;
    this.clock = clock;
  }

  /** What is done by a placement. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {
    T by(Placement placement) throws InterruptedException;
  }

  /**
   * Runs work that may be started again from its beginning, or keeps account itself of what it has
   * done.
   */
  public <T extends @Nullable Object> T run(String database, String collection, Work<T> work)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      Placement placement = catalog.placement(database, collection);
      try {
        return work.by(placement);
      } catch (ReplyException error) {
        if (!error.isStale() || attempt >= ATTEMPTS) {
          throw error;
        }
        LOG.debug("{}.{} is routed anew: {}", database, collection, error.getMessage());
        catalog.forget(database, collection);
        if (attempt >= ATTEMPTS_BEFORE_REPAIR) {
          repair(database, collection);
        }
        Thread.sleep(Math.min(PAUSE_MILLIS_MAX, 1L << Math.min(attempt, 8)));
      }
    }
  }

  private void repair(String database, String collection) {
    String namespace = database + "." + collection;
    Lease lease = Lease.tryAcquire(config, clock, namespace);
    if (lease == null) {
      return; // a change is under way
    }
    try (lease) {
      catalog.forget(database, collection);
      Placement truth = catalog.placement(database, collection);
      LOG.info("shards are told anew where {} is", namespace);
      switch (truth) {
        case Placement.Sharded(var entry, var table) -> {
          teller.database(entry.primary(), entry);
          shards.ids().forEach(shard -> teller.collection(shard, table));
        }
        case Placement.Unsharded(var entry) -> {
          teller.database(entry.primary(), entry);
          teller.unsharded(entry.primary(), namespace);
        }
        case Placement.Nowhere() -> {}
      }
    }
  }
}
