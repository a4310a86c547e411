// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import io.fairlead.engine.error.EngineException;
import java.time.Duration;
import java.time.InstantSource;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The right to change where a database or collection lives, held by one router at a time: a
 * document in config.locks. It runs out by itself, should its router die, so the clocks of routers
 * must agree within a few seconds.
 */
public final class Lease implements AutoCloseable {

  private static final String LOCKS = "locks";
  private static final Duration LENGTH = Duration.ofSeconds(30);
  private static final int LOCK_BUSY = 46;

  private final ConfigStore config;
  private final InstantSource clock;
  private final String name;
  private final ObjectId owner;

  private Lease(ConfigStore config, InstantSource clock, String name, ObjectId owner) {
    this.config = config;
    this.clock = clock;
    this.name = name;
    this.owner = owner;
  }

  /** Takes the lease if nobody has it; null when somebody does. */
  public static @Nullable Lease tryAcquire(ConfigStore config, InstantSource clock, String name) {
    ObjectId owner = new ObjectId();
    long now = clock.millis();
    BsonDocument expired =
        new BsonDocument("_id", new BsonString(name))
            .append("until", new BsonDocument("$lt", new BsonDateTime(now)));
    BsonDocument mine =
        new BsonDocument("owner", new BsonObjectId(owner))
            .append("until", new BsonDateTime(now + LENGTH.toMillis()));
    try {
      config.update(LOCKS, expired, new BsonDocument("$set", mine), true);
      return new Lease(config, clock, name, owner);
    } catch (EngineException held) {
      if (ConfigStore.isDuplicate(held)) {
        return null; // the upsert met the document of whoever has it
      }
      throw held;
    }
  }

  /**
   * Waits for the lease.
   *
   * @throws EngineException 46 LockBusy when it was not free in time
   */
  public static Lease acquire(
      ConfigStore config, InstantSource clock, String name, Duration patience)
      throws InterruptedException {
    long deadline = clock.millis() + patience.toMillis();
    while (true) {
      Lease lease = tryAcquire(config, clock, name);
      if (lease != null) {
        return lease;
      }
      if (clock.millis() >= deadline) {
        throw new EngineException(
            LOCK_BUSY,
            "another router has been changing "
                + name
                + " for "
                + patience.toSeconds()
                + " s; try again later");
      }
      Thread.sleep(50);
    }
  }

  /**
   * Makes sure that it has not run out, right before a change takes effect, and prolongs it.
   *
   * @throws EngineException 46 when it has
   */
  public void confirm() {
    BsonDocument mine =
        new BsonDocument("_id", new BsonString(name)).append("owner", new BsonObjectId(owner));
    BsonDocument longer =
        new BsonDocument("until", new BsonDateTime(clock.millis() + LENGTH.toMillis()));
    if (!config.update(LOCKS, mine, new BsonDocument("$set", longer), false)) {
      throw new EngineException(
          LOCK_BUSY,
          "the change of " + name + " took too long and another router has taken it over");
    }
  }

  @Override
  public void close() {
    config.delete(
        LOCKS,
        new BsonDocument("_id", new BsonString(name)).append("owner", new BsonObjectId(owner)));
  }
}
