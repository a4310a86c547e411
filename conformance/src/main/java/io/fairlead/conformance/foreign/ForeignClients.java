// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.foreign;

import io.fairlead.embedded.EmbeddedCluster;
import io.fairlead.embedded.EmbeddedReplicaSet;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The program behind {@code conformance/run --foreign}: every foreign client that runs here,
 * against an embedded replica set and through the router of an embedded sharded cluster.
 */
public final class ForeignClients {
  private static final String MONGOSH = "2.12.0";
  private static final String NODE_DRIVER = "7.8.0";

  /**
   * Short: after as many step-downs as there are members, one of them must be able to lead again.
   */
  private static final Duration OUT_OF_OFFICE = Duration.ofSeconds(5);

  private static final Duration ELECTION_MAX = Duration.ofSeconds(30);

  private static final Deployment.StepDown NEVER =
      () -> {
        throw new IllegalStateException("nobody was to ask for a step-down");
      };

  /**
   * The clients that run here.
   *
   * @param everyday the same few things by each, a step-down among them
   * @param language by some, what a server has to know
   */
  private record Found(List<ForeignClient> everyday, List<ForeignClient> language) {
    Found() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private final Path scripts;
  private final Tools tools;
  private final Steps steps;

  private ForeignClients(Path root, Steps steps) {
    this.scripts = root.resolve("conformance/foreign");
    this.tools = new Tools(root.resolve("target/foreign/npm"));
    this.steps = steps;
  }

  /**
   * Runs them.
   *
   * @param arguments the project's folder; {@code --require} makes a client that is not run a
   *     failure
   */
  public static void main(String[] arguments) throws InterruptedException {
    boolean require = List.of(arguments).contains("--require");
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    Steps steps = new Steps(out);
    new ForeignClients(Path.of(arguments[0]).toAbsolutePath(), steps).run();
    steps.close();
    System.exit(steps.failures() > 0 || (require && steps.skips() > 0) ? 1 : 0);
  }

  private void run() throws InterruptedException {
    Found found = find();
    try (EmbeddedCluster oneMember = EmbeddedCluster.replicaSet(1).start()) {
      runAll(found.language(), new Deployment("one member", oneMember.connectionString(), NEVER));
    }
    try (EmbeddedCluster replicaSet = EmbeddedCluster.replicaSet(3).start()) {
      runAll(
          found.everyday(),
          new Deployment(
              "replica set",
              replicaSet.connectionString(),
              () -> stepDown(replicaSet.replicaSet())));
    }
    try (EmbeddedCluster sharded = EmbeddedCluster.sharded(2, 3).routers(2).start()) {
      // commands that name a cursor mean one of the same router
      String router = sharded.routers().getFirst().connectionString();
      runAll(found.language(), new Deployment("a router", router, NEVER));
      runAll(
          found.everyday(),
          new Deployment(
              "routers",
              sharded.connectionString(),
              () -> sharded.shards().forEach(ForeignClients::stepDown)));
    }
  }

  private void runAll(List<ForeignClient> clients, Deployment deployment)
      throws InterruptedException {
    for (ForeignClient client : clients) {
      steps.begin(client.name(), deployment.name());
      client.run(deployment, steps);
    }
  }

  private static void stepDown(EmbeddedReplicaSet set) {
    set.awaitPrimary(ELECTION_MAX).stepDown(OUT_OF_OFFICE);
    set.awaitPrimary(ELECTION_MAX);
  }

  private Found find() throws InterruptedException {
    Found found = new Found();
    found.everyday().add(new OfficialJavaDriver());
    String modules = tools.npmFolder().resolve("node_modules").toString();
    switch (tools.npm("mongodb", NODE_DRIVER)) {
      case Tools.Found.Here here -> {
        Map<String, String> environment = Map.of("NODE_PATH", modules);
        String name = "Node driver " + NODE_DRIVER;
        found.everyday().add(script(name, environment, "node", "client.js"));
        found.language().add(script(name + ", language", environment, "node", "language.js"));
      }
      case Tools.Found.Missing missing -> steps.skipped("Node driver", missing.why());
    }
    switch (tools.npm("mongosh", MONGOSH)) {
      case Tools.Found.Here here -> {
        Map<String, String> environment = Map.of("HOME", tools.npmFolder().toString());
        String name = "mongosh " + MONGOSH;
        found.everyday().add(shell(name, environment, modules, "shell.js"));
        found.language().add(shell(name + ", language", environment, modules, "language-shell.js"));
      }
      case Tools.Found.Missing missing -> steps.skipped("mongosh", missing.why());
    }
    switch (tools.pymongo(tools.npmFolder().resolveSibling("apt.log"))) {
      case Tools.Found.Here here -> {
        String python = tools.python().orElseThrow();
        found.everyday().add(script("PyMongo", Map.of(), python, "client.py"));
        found.language().add(script("PyMongo, language", Map.of(), python, "language.py"));
      }
      case Tools.Found.Missing missing -> steps.skipped("PyMongo", missing.why());
    }
    return found;
  }

  private ScriptClient shell(
      String name, Map<String, String> environment, String modules, String file) {
    String mongosh = modules + "/.bin/mongosh";
    return script(name, environment, mongosh, "--quiet", "--norc", "URI", "--file", file);
  }

  private ScriptClient script(String name, Map<String, String> environment, String... command) {
    return new ScriptClient(name, List.of(command), environment, scripts);
  }
}
