// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.near;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.fairlead.cli.demo.Stage;
import io.fairlead.cli.terminal.Table;
import io.fairlead.embedded.EmbeddedReplicaSet;
import io.fairlead.embedded.EmbeddedRouter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.bson.Document;

/**
 * The ping of every member of one shard as every router publishes it by the command {@code
 * routingStatus}.
 */
final class Pings {

  private final Stage stage;
  private final EmbeddedReplicaSet shard;

  Pings(Stage stage, EmbeddedReplicaSet shard) {
    this.stage = stage;
    this.shard = shard;
  }

  /** Whether every router sees every member at its delay, give or take. */
  boolean areNear(List<Duration> delays, double marginMillis) {
    for (EmbeddedRouter router : stage.cluster().routers()) {
      List<Double> seen = of(router);
      for (int i = 0; i < delays.size(); i++) {
        if (Math.abs(seen.get(i) - delays.get(i).toMillis()) > marginMillis) {
          return false;
        }
      }
    }
    return true;
  }

  Table table(Consumer<String> out) {
    Table table =
        new Table(
            "pings of " + shard.name() + " in ms",
            Table.columns("router", 24, "+0 ms", 8, "+10 ms", 8, "+40 ms", 8),
            out);
    for (EmbeddedRouter router : stage.cluster().routers()) {
      List<Double> seen = of(router);
      table.row(router.address(), seen.get(0), seen.get(1), seen.get(2));
    }
    return table;
  }

  String summary() {
    List<String> pings = new ArrayList<>();
    for (double ping : of(stage.cluster().routers().getFirst())) {
      pings.add(String.format(Locale.ROOT, "%.1f", ping));
    }
    return String.join(", ", pings) + " ms";
  }

  /** In the order of the members; a member without a ping yet counts as infinitely far. */
  private List<Double> of(EmbeddedRouter router) {
    try (MongoClient client = MongoClients.create(router.connectionString())) {
      Document status = client.getDatabase("admin").runCommand(new Document("routingStatus", 1));
      Document mine =
          status.getList("shards", Document.class).stream()
              .filter(each -> shard.name().equals(each.getString("name")))
              .findFirst()
              .orElseThrow();
      return shard.members().stream().map(member -> pingOf(mine, member.address())).toList();
    }
  }

  private static double pingOf(Document shard, String address) {
    return shard.getList("members", Document.class).stream()
        .filter(member -> address.equals(member.getString("host")))
        .map(member -> member.get("pingMS", Number.class))
        .filter(java.util.Objects::nonNull)
        .mapToDouble(Number::doubleValue)
        .findFirst()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
