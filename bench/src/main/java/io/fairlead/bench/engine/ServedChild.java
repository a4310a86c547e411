// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.fairlead.server.Server;
import io.fairlead.server.ServerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;

/**
 * One server in a JVM of its own: says its port, answers every line {@code heap} with the bytes
 * that are alive, and ends with its input. Arguments: {@code ours} or {@code peer}.
 */
public final class ServedChild {
  private static final int COLLECTIONS = 3;

  private ServedChild() {}

  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    if (args.length == 1 && args[0].equals("ours")) {
      try (Server server = Server.start(ServerSettings.standalone(0))) {
        serve(server.port(), out);
      }
    } else if (args.length == 1 && args[0].equals("peer")) {
      MongoServer server = new MongoServer(new MemoryBackend());
      try {
        serve(server.bind().getPort(), out);
      } finally {
        server.shutdownNow();
      }
    } else {
      throw new IllegalArgumentException("ours or peer");
    }
  }

  private static void serve(int port, PrintStream out) throws IOException {
    out.println(port);
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals("heap")) {
        out.println(live());
        out.flush();
      }
    }
  }

  /** What is left after full collections. */
  private static long live() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      memory.gc();
      used = Math.min(used, memory.getHeapMemoryUsage().getUsed());
    }
    return used;
  }
}
