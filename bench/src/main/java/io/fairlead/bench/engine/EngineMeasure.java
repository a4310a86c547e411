// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Row;
import io.fairlead.driver.FairleadClients;
import io.fairlead.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Our standalone against mongo-java-server, each in a JVM of its own, through the official driver
 * over loopback with eight threads. Then ours inside this JVM, and the engine without a server.
 */
public final class EngineMeasure {
  private static final int THREADS = 8;
  private static final int ROUNDS = 5;
  private static final double HEAP_MIB_MAX = 55;

  private final Report report;
  private final boolean quick;
  private final List<Workload> workloads = chosen();
  private final Duration turn;

  private EngineMeasure(Report report, boolean quick) {
    this.report = report;
    this.quick = quick;
    this.turn = quick ? Duration.ofMillis(100) : Duration.ofSeconds(1);
  }

  /** Measures and reports. */
  public static void into(Report report, boolean quick)
      throws IOException, InterruptedException, RunnerException {
    EngineMeasure measure = new EngineMeasure(report, quick);
    measure.served();
    measure.inProcess();
    if (System.getProperty("bench.workloads") == null) {
      EngineRates.into(report, quick);
    }
    report.note(
        "engine: peer is mongo-java-server with its memory backend. It accepts secondary indexes"
            + " and ignores them. For the range with sort and limit the better peer is PoppyDB,"
            + " which is in no registry: 46 times mongo-java-server's rate, measured elsewhere"
            + " with both on one machine. CPU is that of the server's process, for one operation.");
  }

  /** All, or those named by the system property, for whoever looks at one of them. */
  private static List<Workload> chosen() {
    String names = System.getProperty("bench.workloads");
    if (names == null) {
      return List.of(Workload.values());
    }
    List<Workload> chosen = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      chosen.add(Workload.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    return chosen;
  }

  private void served() throws IOException, InterruptedException {
    try (Side ours = new Side("ours", THREADS);
        Side peer = new Side("peer", THREADS)) {
      report.add(
          Row.of("heap alive, 100,000 documents, MiB", ours.liveMiB(), peer.liveMiB(), "MiB")
              .asking("<= 55 MiB, two indexes", ours.liveMiB() <= HEAP_MIB_MAX));
      for (Workload workload : workloads) {
        new Duel(workload, ours, peer, turn).into(report, quick);
      }
    }
  }

  private void inProcess() throws InterruptedException {
    try (EmbeddedCluster cluster = EmbeddedCluster.standalone().inProcess().start();
        MongoClient client = FairleadClients.create(cluster.connectionString())) {
      MongoDatabase database = client.getDatabase("bench");
      Rows.load(database);
      Rows.loadGroups(database);
      ClosedLoop loop = new ClosedLoop(database, THREADS);
      for (Workload workload : workloads) {
        WarmUp warmUp = new WarmUp();
        while (!quick && !warmUp.isOver()) {
          warmUp.add(loop.run(workload, turn, -warmUp.turns()).perSecond());
        }
        Paired rate = new Paired();
        for (int round = 1; round <= (quick ? 1 : ROUNDS); round++) {
          double perSecond = loop.run(workload, turn, round).perSecond();
          rate.add(perSecond, perSecond);
        }
        String title = workload.title() + ", in process, our driver";
        if (!quick) {
          report.progress(title + ": warm after " + warmUp.turns() + " turns");
        }
        report.add(Row.of(title, rate.ours(), null, "/s"));
      }
    }
  }
}
