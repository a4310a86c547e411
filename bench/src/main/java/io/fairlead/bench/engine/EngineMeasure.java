// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Row;
import io.fairlead.driver.FairleadClients;
import io.fairlead.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Our standalone against mongo-java-server, each in a JVM of its own, through the official driver
 * over loopback with eight threads; turn by turn in every round, and who begins changes from round
 * to round. Then ours inside this JVM, and the engine without a server.
 */
public final class EngineMeasure {
  private static final int THREADS = 8;
  private static final int ROUNDS = 5;

  /** Passes over everything before the first round: both servers and the client compile. */
  private static final int WARM_UPS = 5;

  private static final double MIB = 1024.0 * 1024;
  private static final double HEAP_MIB_MAX = 55;
  private static final List<Workload> IN_PROCESS =
      List.of(Workload.FIND_BY_ID, Workload.INSERT_ONE, Workload.UPDATE_BY_ID);

  private final Report report;
  private final boolean quick;
  private final List<Workload> workloads;
  private final Map<Workload, Paired> rates = new EnumMap<>(Workload.class);
  private final Map<Workload, Paired> cpus = new EnumMap<>(Workload.class);

  private EngineMeasure(Report report, boolean quick) {
    this.report = report;
    this.quick = quick;
    this.workloads = chosen();
    for (Workload workload : workloads) {
      rates.put(workload, new Paired());
      cpus.put(workload, new Paired());
    }
  }

  /** Measures and reports. */
  public static void into(Report report, boolean quick)
      throws IOException, InterruptedException, RunnerException {
    EngineMeasure measure = new EngineMeasure(report, quick);
    measure.served();
    if (System.getProperty("bench.workloads") == null) {
      measure.inProcess();
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

  /** One server with a client. */
  private static final class Side implements AutoCloseable {
    final ServerProcess server;
    final MongoClient client;
    final ClosedLoop loop;
    final double liveMiB;

    Side(String kind) throws IOException {
      server = ServerProcess.start(kind);
      client = MongoClients.create(server.connectionString());
      MongoDatabase database = client.getDatabase("bench");
      Rows.load(database);
      liveMiB = server.liveHeapBytes() / MIB;
      Rows.loadGroups(database);
      loop = new ClosedLoop(database, THREADS);
    }

    @Override
    public void close() {
      client.close();
      server.close();
    }
  }

  /** A side's figures of one turn. */
  private record Turn(double perSecond, double cpuMicros) {}

  private void served() throws IOException, InterruptedException {
    try (Side ours = new Side("ours");
        Side peer = new Side("peer")) {
      report.add(
          Row.of("heap alive, 100,000 documents, MiB", ours.liveMiB, peer.liveMiB, "MiB")
              .asking("<= 55 MiB, two indexes", ours.liveMiB <= HEAP_MIB_MAX));
      Duration time = quick ? Duration.ofMillis(100) : Duration.ofSeconds(1);
      for (int pass = 1; pass <= (quick ? 0 : WARM_UPS); pass++) {
        for (Workload workload : workloads) {
          turn(workload, ours, time, -pass);
          turn(workload, peer, time, -pass);
        }
      }
      for (int round = 1; round <= (quick ? 1 : ROUNDS); round++) {
        for (Workload workload : workloads) {
          measure(workload, ours, peer, time, round);
        }
      }
    }
    workloads.forEach(this::report);
  }

  /** One round of one workload: a turn for each side. */
  private void measure(Workload workload, Side ours, Side peer, Duration time, int round)
      throws InterruptedException {
    boolean oursFirst = round % 2 == 1;
    Turn first = turn(workload, oursFirst ? ours : peer, time, round);
    Turn second = turn(workload, oursFirst ? peer : ours, time, round);
    Turn mine = oursFirst ? first : second;
    Turn theirs = oursFirst ? second : first;
    Objects.requireNonNull(rates.get(workload)).add(mine.perSecond(), theirs.perSecond());
    Objects.requireNonNull(cpus.get(workload)).add(mine.cpuMicros(), theirs.cpuMicros());
  }

  private static Turn turn(Workload workload, Side side, Duration time, long seed)
      throws InterruptedException {
    Duration before = side.server.cpu();
    ClosedLoop.Rate rate = side.loop.run(workload, time, seed);
    double micros = side.server.cpu().minus(before).toNanos() / 1e3;
    return new Turn(rate.perSecond(), micros / rate.operations());
  }

  private void report(Workload workload) {
    Paired rate = Objects.requireNonNull(rates.get(workload));
    Paired cpu = Objects.requireNonNull(cpus.get(workload));
    Target target = Target.of(workload);
    double other = target == null ? 1 : target.otherPeer();
    Row row =
        Row.paired(workload.title(), rate.ours(), rate.peer() * other, rate.ratio() / other, "/s");
    report.add(
        target == null
            ? row
            : row.asking(times(">=", target.rate()), rate.ratio() / other >= target.rate()));
    Row time = Row.paired("  server CPU", cpu.ours(), cpu.peer(), cpu.ratio(), "us");
    Double most = target == null ? null : target.cpu();
    report.add(most == null ? time : time.asking(times("<=", most), cpu.ratio() <= most));
  }

  private static String times(String sign, double factor) {
    return String.format(Locale.ROOT, "%s %s x", sign, factor);
  }

  private void inProcess() throws InterruptedException {
    Duration time = quick ? Duration.ofMillis(100) : Duration.ofSeconds(1);
    try (EmbeddedCluster cluster = EmbeddedCluster.standalone().inProcess().start();
        MongoClient client = FairleadClients.create(cluster.connectionString())) {
      MongoDatabase database = client.getDatabase("bench");
      Rows.load(database);
      ClosedLoop loop = new ClosedLoop(database, THREADS);
      for (Workload workload : IN_PROCESS) {
        loop.run(workload, time, 0);
        Paired rate = new Paired();
        for (int round = 1; round <= (quick ? 1 : ROUNDS); round++) {
          double perSecond = loop.run(workload, time, round).perSecond();
          rate.add(perSecond, perSecond);
        }
        report.add(Row.of(workload.title() + ", in process, our driver", rate.ours(), null, "/s"));
      }
    }
  }
}
