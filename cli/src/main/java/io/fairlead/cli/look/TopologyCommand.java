// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.look;

import com.mongodb.MongoCommandException;
import io.fairlead.cli.terminal.Pings;
import io.fairlead.cli.terminal.Table;
import io.fairlead.cluster.Cluster;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.RoutingOptions;
import io.fairlead.cluster.RoutingView;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.Words;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Shows the topology as this client sees it and, where the servers are routers of ours, as they see
 * their shards.
 */
@Command(
    name = "topology",
    description =
        "Shows the servers of a deployment with their pings, states and tags, and what is near.",
    mixinStandardHelpOptions = true)
public final class TopologyCommand implements Callable<Integer> {

  private static final int COMMAND_NOT_FOUND = 59;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private Deployment deployment = new Deployment();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = deployment.open(RoutingOptions.defaults())) {
      TopologyDescription topology = cluster.topology();
      printServers(topology, cluster.routing(), out);
      if (topology.list().stream().anyMatch(server -> server.type() == ServerType.MONGOS)) {
        printRouterView(cluster, out);
      }
      out.flush();
      return topology.list().stream().anyMatch(server -> server.error() == null) ? 0 : 1;
    }
  }

  private static void printServers(
      TopologyDescription topology, RoutingView routing, PrintWriter out) {
    Map<?, RoutingView.Server> views =
        routing.servers().stream()
            .collect(Collectors.toMap(RoutingView.Server::address, Function.identity()));
    Table table =
        new Table(
            topology.type() + (topology.setName() == null ? "" : " " + topology.setName()),
            Table.columns(
                "server", 24, "type", 12, "ping", 10, "near", 5, "tags", 20, "remark", 30),
            out::println);
    for (ServerDescription server : topology.list()) {
      RoutingView.@Nullable Server view = views.get(server.address());
      table.row(
          server.address().toString(),
          server.type().toString(),
          Pings.text(server.roundTripTime().orElse(null)),
          view != null && view.inWindow() ? "yes" : "no",
          Words.tags(server.tags()),
          remark(server, view));
    }
  }

  private static String remark(ServerDescription server, RoutingView.@Nullable Server view) {
    if (view != null && view.ejection() != null) {
      return "ejected: " + view.ejection().why();
    }
    return server.error() == null ? "" : String.valueOf(server.error());
  }

  /**
   * The routers' own command; a mongos that is not ours does not know it, which is no failure of
   * the look.
   */
  private static void printRouterView(Cluster cluster, PrintWriter out) {
    BsonDocument status;
    try {
      status =
          cluster
              .execute(
                  Operation.builder("admin", new BsonDocument("routingStatus", new BsonInt32(1)))
                      .build())
              .reply();
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == COMMAND_NOT_FOUND) {
        out.println("  (the routers don't publish what they see of their shards)");
        return;
      }
      throw e;
    }
    Table table =
        new Table(
            "shards, as one router sees them",
            Table.columns(
                "shard", 10, "member", 24, "state", 12, "ping", 10, "near", 5, "reads", 8, "remark",
                30),
            out::println);
    for (BsonValue shard : status.getArray("shards")) {
      for (BsonValue member : shard.asDocument().getArray("members")) {
        printMember(table, shard.asDocument(), member.asDocument());
      }
    }
  }

  private static void printMember(Table table, BsonDocument shard, BsonDocument member) {
    table.row(
        shard.getString("name").getValue(),
        member.getString("host").getValue(),
        member.getString("state").getValue(),
        member.containsKey("pingMS")
            ? String.format(
                java.util.Locale.ROOT, "%.2f ms", member.getNumber("pingMS").doubleValue())
            : "-",
        member.getBoolean("inWindow").getValue() ? "yes" : "no",
        member.getNumber("reads").longValue(),
        member.containsKey("because") ? member.getString("because").getValue() : "");
  }
}
