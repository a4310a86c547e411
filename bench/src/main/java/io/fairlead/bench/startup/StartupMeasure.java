// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.startup;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Row;
import io.fairlead.driver.FairleadClients;
import io.fairlead.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bson.Document;

/**
 * Starts a replica set of three members again and again in one JVM, each time up to the first
 * acknowledged majority write by a new client. The first rounds warm the JVM up; the first of all
 * is told as well.
 */
public final class StartupMeasure {
  private static final double TARGET_MILLIS = 500;

  private StartupMeasure() {}

  /** Measures and reports. */
  public static void into(Report report, boolean quick) {
    int warmUp = quick ? 1 : 8;
    int rounds = quick ? 1 : 11;
    double first = roundMillis();
    for (int i = 1; i < warmUp; i++) {
      roundMillis();
    }
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      millis.add(roundMillis());
    }
    Collections.sort(millis);
    double median = millis.get(millis.size() / 2);
    report.add(
        Row.of("3 members to the first majority write, warm, median", median, null, "ms")
            .asking("< 500 ms", median < TARGET_MILLIS));
    report.add(Row.of("  slowest of " + rounds, millis.getLast(), null, "ms"));
    report.add(Row.of("  first in this JVM", first, null, "ms"));
  }

  private static double roundMillis() {
    long start = System.nanoTime();
    try (EmbeddedCluster cluster = EmbeddedCluster.replicaSet(3).start();
        MongoClient client = FairleadClients.create(cluster.connectionString())) {
      client
          .getDatabase("bench")
          .getCollection("startup")
          .withWriteConcern(WriteConcern.MAJORITY)
          .insertOne(new Document("started", true));
      return (System.nanoTime() - start) / 1e6;
    }
  }
}
