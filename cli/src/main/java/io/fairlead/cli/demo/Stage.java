// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.fairlead.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What a scenario plays on.
 *
 * @param cluster 2 shards of 3 members, a config set, 3 routers
 * @param admin an official client through the routers, for preparing and inspecting
 * @param quick a tenth of the operations
 * @param out takes each line for the terminal
 */
public record Stage(
    EmbeddedCluster cluster, MongoClient admin, boolean quick, Consumer<String> out) {

  /** An official client on the cluster, for the stage itself. */
  static MongoClient adminOf(EmbeddedCluster cluster) {
    return MongoClients.create(cluster.connectionString());
  }

  /** So many operations, or a tenth of them. */
  public int operations(int full) {
    return quick ? full / 10 : full;
  }

  /** Waits until something holds, asking every 20 ms; false when it did not within the time. */
  public static boolean await(Duration most, BooleanSupplier condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() >= deadline) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return true;
  }
}
