// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo;

import com.mongodb.client.MongoClient;
import io.fairlead.cli.demo.failover.FailoverScenario;
import io.fairlead.cli.demo.near.NearScenario;
import io.fairlead.cli.demo.reread.RereadScenario;
import io.fairlead.cli.demo.sickrouter.SickRouterScenario;
import io.fairlead.cli.terminal.Table;
import io.fairlead.embedded.EmbeddedCluster;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Plays the scenarios on an embedded cluster; the exit status is 0 only if every claim of every
 * scenario held.
 */
@Command(
    name = "demo",
    description = {
      "Starts an embedded sharded cluster and proves four things on it, through our driver and the"
          + " official one.",
      "Scenarios: sick-router, near, failover, reread."
    },
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {

  private static final List<Scenario> SCENARIOS =
      List.of(
          new SickRouterScenario(),
          new NearScenario(),
          new FailoverScenario(),
          new RereadScenario());

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Play this scenario only.")
  private @Nullable String name;

  @Option(
      names = "--json",
      description =
          "Print the results as one JSON document on standard output; what happens meanwhile goes"
              + " to standard error.")
  private boolean json;

  @Option(
      names = "--quick",
      description = "A tenth of the operations, and one round instead of three.")
  private boolean quick;

  @Override
  public Integer call() throws InterruptedException {
    List<Scenario> chosen = chosen();
    PrintWriter terminal = spec.commandLine().getOut();
    PrintWriter progress = json ? spec.commandLine().getErr() : terminal;
    Consumer<String> out =
        line -> {
          progress.println(line);
          progress.flush();
        };
    List<Finding> findings = new ArrayList<>();
    long started = System.nanoTime();
    try (EmbeddedCluster cluster = startCluster();
        MongoClient admin = Stage.adminOf(cluster)) {
      out.accept(
          "an embedded cluster of 2 shards x 3 members, a config set and 3 routers, started in "
              + millisSince(started)
              + " ms");
      Stage stage = new Stage(cluster, admin, quick, out);
      for (Scenario scenario : chosen) {
        findings.add(play(scenario, stage));
      }
    }
    return conclude(findings, terminal);
  }

  /** The members of each shard stand in three data centres, by their tags. */
  private static EmbeddedCluster startCluster() {
    return EmbeddedCluster.sharded(2, 3)
        .routers(3)
        .tags(0, Map.of("dc", "ams"))
        .tags(1, Map.of("dc", "fra"))
        .tags(2, Map.of("dc", "nyc"))
        .start();
  }

  private List<Scenario> chosen() {
    if (name == null) {
      return SCENARIOS;
    }
    List<Scenario> named = SCENARIOS.stream().filter(each -> each.name().equals(name)).toList();
    if (named.isEmpty()) {
      String known = SCENARIOS.stream().map(Scenario::name).collect(Collectors.joining(", "));
      throw new ParameterException(
          spec.commandLine(), "there is no scenario '" + name + "'; there are " + known);
    }
    return named;
  }

  private static Finding play(Scenario scenario, Stage stage) throws InterruptedException {
    long started = System.nanoTime();
    stage.out().accept("");
    stage.out().accept("== " + scenario.name() + ": " + scenario.about());
    List<Table> tables = new ArrayList<>();
    List<Claim> claims = scenario.play(stage, tables);
    Finding finding =
        new Finding(scenario.name(), tables, claims, Duration.ofNanos(System.nanoTime() - started));
    for (Claim claim : claims) {
      stage
          .out()
          .accept(
              "  %-5s %-4s %s: %s"
                  .formatted(
                      claim.held() ? "held" : "BROKE",
                      claim.promise(),
                      claim.what(),
                      claim.measured()));
    }
    stage.out().accept(line(finding));
    return finding;
  }

  private static String line(Finding finding) {
    long held = finding.claims().stream().filter(Claim::held).count();
    return "%s: %s, %d of %d claims, %.1f s"
        .formatted(
            finding.scenario(),
            finding.held() ? "held" : "DID NOT HOLD",
            held,
            finding.claims().size(),
            finding.took().toMillis() / 1000.0);
  }

  private int conclude(List<Finding> findings, PrintWriter terminal) {
    boolean held = findings.stream().allMatch(Finding::held);
    if (json) {
      terminal.println(toDocument(findings, held).toJson(JSON));
    } else {
      terminal.println();
      findings.forEach(finding -> terminal.println(line(finding)));
      long broken = findings.stream().filter(finding -> !finding.held()).count();
      terminal.println(findings.size() - broken + " passed, " + broken + " failed");
    }
    terminal.flush();
    return held ? 0 : 1;
  }

  private static final JsonWriterSettings JSON =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).indent(true).build();

  private BsonDocument toDocument(List<Finding> findings, boolean held) {
    BsonArray scenarios = new BsonArray();
    findings.forEach(finding -> scenarios.add(finding.toDocument()));
    return new BsonDocument("held", BsonBoolean.valueOf(held))
        .append("quick", BsonBoolean.valueOf(quick))
        .append("java", new BsonString(System.getProperty("java.version")))
        .append("scenarios", scenarios);
  }

  private static long millisSince(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
  }
}
