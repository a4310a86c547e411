// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.time.Duration;

/** One server with its data and a client: the official driver over loopback. */
final class Side implements AutoCloseable {
  private static final double MIB = 1024.0 * 1024;

  private final ServerProcess server;
  private final MongoClient client;
  private final ClosedLoop loop;
  private final double liveMiB;

  /** Starts a server of that kind and loads it. */
  Side(String kind, int threads) throws IOException {
    server = ServerProcess.start(kind);
    client = MongoClients.create(server.connectionString());
    MongoDatabase database = client.getDatabase("bench");
    Rows.load(database);
    liveMiB = server.liveHeapBytes() / MIB;
    Rows.loadGroups(database);
    loop = new ClosedLoop(database, threads);
  }

  /**
   * A side's figures of one turn.
   *
   * @param cpuMicros of the server's process, for one operation
   */
  record Turn(double perSecond, double cpuMicros) {}

  Turn turn(Workload workload, Duration time, long seed) throws InterruptedException {
    Duration before = server.cpu();
    ClosedLoop.Rate rate = loop.run(workload, time, seed);
    double micros = server.cpu().minus(before).toNanos() / 1e3;
    return new Turn(rate.perSecond(), micros / rate.operations());
  }

  /** What its heap held when only the documents of {@link Rows#LOADED} were in it. */
  double liveMiB() {
    return liveMiB;
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
