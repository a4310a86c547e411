// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.run;

import com.mongodb.client.MongoClients;
import io.fairlead.conformance.unified.entity.ClientFactory;
import io.fairlead.driver.FairleadClients;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The program behind {@code conformance/run --suite …}: runs suites of the specifications'
 * repository with one client against embedded deployments.
 */
public final class SpecificationSuites {
  /** The suites that run when none is named. */
  static final List<String> ALL =
      List.of(
          "unified-test-format",
          "crud",
          "index-management",
          "collection-management",
          "run-command",
          "gridfs",
          "read-write-concern",
          "versioned-api",
          "command-logging-and-monitoring",
          "sessions",
          "retryable-reads",
          "retryable-writes",
          "transactions",
          "transactions-convenient-api",
          "causal-consistency",
          "mongodb-handshake");

  /**
   * Of transactions, which routers do not have yet, so that nearly all of their tests would fail.
   */
  private static final Set<String> NOT_THROUGH_ROUTERS =
      Set.of("transactions", "transactions-convenient-api");

  private static final String USAGE =
      "conformance/run [--suite NAME]... [--specs DIR] [--client official|fairlead]"
          + " [--topology single|replicaset|sharded]... [--only REGEX] [--json FILE]";

  private SpecificationSuites() {}

  /** What was asked for on the command line. */
  private static final class Wish {
    boolean named;
    private final List<String> suites = new ArrayList<>();
    private final Set<TopologyKind> topologies = EnumSet.noneOf(TopologyKind.class);
    private @Nullable Path specs;
    private String client = "official";
    private @Nullable Path json;
    private @Nullable Pattern only;
  }

  /**
   * Runs; exits 0 only when nothing failed, and of every suite that is there something passed.
   *
   * @param arguments the project's folder, then as {@code USAGE} says
   */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    int exit;
    try {
      Wish wish = parse(new ArrayDeque<>(List.of(arguments)));
      exit = run(wish, out);
    } catch (IllegalArgumentException wrong) {
      out.println("conformance/run: " + wrong.getMessage());
      out.println("usage: " + USAGE);
      exit = 2;
    }
    System.exit(exit);
  }

  private static int run(Wish wish, PrintStream out) throws InterruptedException, IOException {
    Path specs = wish.specs;
    if (specs == null || !Files.isDirectory(specs)) {
      throw new IllegalArgumentException(
          "there are no specifications in "
              + specs
              + "; clone https://github.com/mongodb/specifications there, or name a folder with"
              + " --specs or FAIRLEAD_SPECS");
    }
    long start = System.nanoTime();
    Report report = new Report(wish.client, out);
    try (SuiteRunner runner = new SuiteRunner(wish.client, factory(wish.client), wish.only)) {
      for (String suite : wish.suites) {
        if (wish.named && Suite.find(specs, suite).files().isEmpty()) {
          throw new IllegalArgumentException("there is no suite '" + suite + "' in " + specs);
        }
        report.begin(suite);
        runner.run(specs, suite, topologies(wish, suite), report::add);
        report.end(suite);
      }
    }
    report.total(Duration.ofNanos(System.nanoTime() - start));
    if (wish.json != null) {
      Files.writeString(wish.json, report.json());
    }
    boolean empty = wish.only == null ? report.hasEmptySuite() : report.passed() == 0;
    return report.failures() > 0 || empty ? 1 : 0;
  }

  /** Those that were named, else all that the suite can do anything with. */
  private static Set<TopologyKind> topologies(Wish wish, String suite) {
    if (!wish.topologies.isEmpty()) {
      return wish.topologies;
    }
    return NOT_THROUGH_ROUTERS.contains(suite)
        ? EnumSet.of(TopologyKind.SINGLE, TopologyKind.REPLICA_SET)
        : EnumSet.allOf(TopologyKind.class);
  }

  private static Wish parse(Deque<String> arguments) {
    Path root = Path.of(arguments.pop());
    Wish wish = new Wish();
    while (!arguments.isEmpty()) {
      String name = arguments.pop();
      switch (name) {
        case "--suite" -> {
          wish.suites.add(value(name, arguments));
          wish.named = true;
        }
        case "--specs" -> wish.specs = Path.of(value(name, arguments));
        case "--client" -> wish.client = value(name, arguments);
        case "--json" -> wish.json = Path.of(value(name, arguments));
        case "--only" -> wish.only = Pattern.compile(value(name, arguments));
        case "--topology" -> wish.topologies.add(topology(value(name, arguments)));
        default -> throw new IllegalArgumentException("'" + name + "' is not known");
      }
    }
    if (wish.suites.isEmpty()) {
      wish.suites.addAll(ALL);
    }
    if (wish.specs == null) {
      String environment = System.getenv().getOrDefault("FAIRLEAD_SPECS", "");
      wish.specs = root.resolve(environment.isBlank() ? "specs" : environment);
    }
    return wish;
  }

  private static String value(String name, Deque<String> arguments) {
    String value = arguments.poll();
    if (value == null) {
      throw new IllegalArgumentException(name + " wants a value");
    }
    return value;
  }

  private static TopologyKind topology(String name) {
    for (TopologyKind kind : TopologyKind.values()) {
      if (kind.formatName().equals(name)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("there is no topology '" + name + "'");
  }

  private static ClientFactory factory(String client) {
    return switch (client) {
      case "official" -> MongoClients::create;
      case "fairlead" -> FairleadClients::create;
      default -> throw new IllegalArgumentException("there is no client '" + client + "'");
    };
  }
}
