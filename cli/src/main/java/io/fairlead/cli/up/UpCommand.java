// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.up;

import io.fairlead.embedded.ClusterBuilder;
import io.fairlead.embedded.EmbeddedCluster;
import io.fairlead.embedded.EmbeddedMember;
import io.fairlead.embedded.EmbeddedReplicaSet;
import io.fairlead.embedded.EmbeddedRouter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts an embedded cluster on loopback, prints the connection strings, and waits for Ctrl-C. */
@Command(
    name = "up",
    description =
        "Starts an embedded cluster on loopback and leaves it running until Ctrl-C. Its data is"
            + " gone when it stops, unless --data-dir keeps it.",
    mixinStandardHelpOptions = true)
public final class UpCommand implements Callable<Integer> {

  private static final int MOST = 20;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--shards",
      defaultValue = "2",
      description =
          "How many shards; 0: no routers, one plain replica set, or a standalone with --members 1"
              + " (default: ${DEFAULT-VALUE}).")
  private int shards;

  @Option(
      names = "--members",
      defaultValue = "3",
      description = "How many members each replica set has (default: ${DEFAULT-VALUE}).")
  private int members;

  @Option(names = "--routers", description = "How many routers (default: 1 with shards).")
  private @Nullable Integer routersWished;

  @Option(
      names = "--port",
      defaultValue = "27017",
      description =
          "The first port: the first router's, or the first member's without shards; the others"
              + " follow; 0: any free ones (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--data-dir",
      description =
          "Keeps the data in this directory and starts on what is there: acknowledged j:true and"
              + " w:majority writes survive the end of the process. Needs the same --shards,"
              + " --members and --port every time (default: in memory only).")
  private @Nullable Path dataDirectory;

  @Override
  public Integer call() throws InterruptedException {
    checkArguments();
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("fairlead-up-stop")
                .unstarted(
                    () -> {
                      stop.countDown();
                      awaitAtEnd(stopped);
                    }));
    long started = System.nanoTime();
    try (EmbeddedCluster cluster = start()) {
      print(cluster, Duration.ofNanos(System.nanoTime() - started));
      stop.await();
    } finally {
      stopped.countDown();
    }
    return 0;
  }

  private void checkArguments() {
    requireRange("--shards", shards, 0);
    requireRange("--members", members, 1);
    requireRange("--routers", routers(), 1);
    if (shards == 0 && routersWished != null) {
      throw new ParameterException(
          spec.commandLine(), "--routers needs shards to route to, and --shards is 0");
    }
    if (dataDirectory != null && port == 0 && (shards > 0 || members > 1)) {
      throw new ParameterException(
          spec.commandLine(),
          "--data-dir needs a fixed --port: members of a set know each other by address");
    }
    int ports = shards == 0 ? members : routers() + (shards + 1) * members;
    int highest = 65_535 - ports + 1;
    if (port < 0 || port > highest) {
      throw new ParameterException(
          spec.commandLine(),
          "--port must be 0 to "
              + highest
              + ", since "
              + ports
              + (ports == 1 ? " port is" : " ports in a row are")
              + " needed; was "
              + port);
    }
  }

  private int routers() {
    return routersWished == null ? 1 : routersWished;
  }

  private void requireRange(String option, int value, int least) {
    if (value < least || value > MOST) {
      throw new ParameterException(
          spec.commandLine(), option + " must be " + least + " to " + MOST + ", was " + value);
    }
  }

  private EmbeddedCluster start() {
    ClusterBuilder builder;
    if (shards > 0) {
      builder = EmbeddedCluster.sharded(shards, members).routers(routers());
    } else {
      builder = members == 1 ? EmbeddedCluster.standalone() : EmbeddedCluster.replicaSet(members);
    }
    builder.port(port);
    if (dataDirectory != null) {
      builder.dataDirectory(dataDirectory);
    }
    return builder.start();
  }

  private void print(EmbeddedCluster cluster, Duration took) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(cluster.connectionString());
    out.println();
    out.println("  is the whole deployment, ready after " + took.toMillis() + " ms. Its parts:");
    for (EmbeddedRouter router : cluster.routers()) {
      out.println("    router   " + router.connectionString());
    }
    if (shards > 0) {
      for (EmbeddedReplicaSet shard : cluster.shards()) {
        out.println("    shard    " + shard.connectionString());
      }
      out.println("    config   " + cluster.configServers().connectionString());
    } else if (members == 1) {
      out.println("    server   " + cluster.server().connectionString());
    } else {
      for (EmbeddedMember member : cluster.replicaSet().members()) {
        out.println("    member   " + member.connectionString());
      }
    }
    out.println();
    out.println(
        "  For development, tests and demonstrations; the data is in "
            + (dataDirectory == null ? "memory" : dataDirectory)
            + ". Ctrl-C stops it.");
    out.flush();
  }

  /** Lets the cluster close before the JVM ends, but not for ever. */
  private static void awaitAtEnd(CountDownLatch stopped) {
    try {
      if (!stopped.await(10, TimeUnit.SECONDS)) {
        System.err.println("fairlead: the cluster did not close within 10 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the JVM ends anyway
    }
  }
}
