// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.look;

import io.fairlead.cli.terminal.Pings;
import io.fairlead.cli.terminal.Table;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.Words;
import io.fairlead.topology.readpreference.InvalidReadPreferenceException;
import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.selection.Selection;
import io.fairlead.topology.selection.SelectionTrace;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Shows how one read or write would be routed: every server, the step at which it falls out, and
 * why.
 */
@Command(
    name = "select",
    description =
        "Shows which server one read (or write) would go to, and why not to each other one.",
    mixinStandardHelpOptions = true)
public final class SelectCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private Deployment deployment = new Deployment();

  @Option(
      names = "--mode",
      defaultValue = "primary",
      description =
          "primary, primaryPreferred, secondary, secondaryPreferred or nearest (default:"
              + " ${DEFAULT-VALUE}).")
  private String mode = "primary";

  @Option(names = "--write", description = "Select for a write.")
  private boolean write;

  @Option(
      names = "--tag",
      paramLabel = "TAGS",
      converter = TagSets.class,
      description =
          "One tag set, such as dc:ams,rack:1; repeat for the next to try; '' matches every"
              + " member.")
  private List<Map<String, String>> tagSets = new ArrayList<>();

  @Option(
      names = "--window",
      converter = Windows.class,
      description = "The latency window: 15ms, 20%% or 20%%,2ms (the second is the floor).")
  private @Nullable LatencyWindow window;

  @Option(
      names = "--max-ping",
      paramLabel = "TIME",
      converter = Times.class,
      description = "No server with a larger average round trip, such as 30ms.")
  private @Nullable Duration maxPing;

  @Option(
      names = "--max-staleness",
      paramLabel = "TIME",
      converter = Times.class,
      description = "How far a secondary may lag, 90s or more.")
  private @Nullable Duration maxStaleness;

  @Override
  public Integer call() {
    ReadPreference preference = preference();
    OperationKind kind = write ? OperationKind.WRITE : OperationKind.READ;
    try (Cluster cluster = deployment.open(RoutingOptions.defaults())) {
      SelectionTrace trace = cluster.explain(kind, preference);
      print(trace);
      return trace.selection() instanceof Selection.Chosen ? 0 : 1;
    }
  }

  private ReadPreference preference() {
    try {
      return new ReadPreference(mode(), tagSets, maxStaleness, null, window, maxPing);
    } catch (InvalidReadPreferenceException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Mode mode() {
    for (Mode each : Mode.values()) {
      if (each.wireName().equalsIgnoreCase(mode)) {
        return each;
      }
    }
    String known =
        Arrays.stream(Mode.values()).map(Mode::wireName).collect(Collectors.joining(", "));
    throw new ParameterException(
        spec.commandLine(), "--mode must be one of " + known + "; was '" + mode + "'");
  }

  private void print(SelectionTrace trace) {
    PrintWriter out = spec.commandLine().getOut();
    Table table =
        new Table(
            "for " + trace.wanted(),
            Table.columns(
                "server", 24, "type", 12, "ping", 10, "tags", 20, "fell out at", 22, "because", 40),
            out::println);
    for (SelectionTrace.Fate fate : trace.fates()) {
      ServerDescription server = fate.server();
      table.row(
          server.address().toString(),
          server.type().toString(),
          Pings.text(server.roundTripTime().orElse(null)),
          Words.tags(server.tags()),
          fate.isCandidate() ? "-" : fate.step().toString(),
          fate.why());
    }
    trace.notes().forEach(note -> out.println("  note: " + note));
    out.println(sentence(trace));
    out.flush();
  }

  private static String sentence(SelectionTrace trace) {
    return switch (trace.selection()) {
      case Selection.Chosen chosen ->
          "it would go to " + chosen.server().address() + ": " + chosen.because();
      case Selection.NotYet notYet -> "no server now: " + notYet.missing();
      case Selection.Impossible impossible -> "never: " + impossible.why();
    };
  }
}
