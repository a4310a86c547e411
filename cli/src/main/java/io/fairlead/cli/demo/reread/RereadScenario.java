// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.reread;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.fairlead.cli.demo.Claim;
import io.fairlead.cli.demo.Scenario;
import io.fairlead.cli.demo.Stage;
import io.fairlead.cli.demo.traffic.Side;
import io.fairlead.cli.terminal.Table;
import io.fairlead.embedded.EmbeddedMember;
import io.fairlead.embedded.EmbeddedReplicaSet;
import io.fairlead.mapper.Mapper;
import io.fairlead.mapper.Reread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/**
 * One secondary lags by a minute and is the only near member, so an entity whose default is {@code
 * nearest} is read there in its older state; {@code reread} asks the primary.
 */
public final class RereadScenario implements Scenario {

  private static final String DATABASE = "reread";
  private static final Duration LAG = Duration.ofMinutes(1);
  private static final Duration FAR = Duration.ofMillis(40);
  private static final Duration MOST = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "reread";
  }

  @Override
  public String about() {
    return "the near secondary lags; what was read there is read again from the primary";
  }

  @Override
  public List<Claim> play(Stage stage, List<Table> tables) throws InterruptedException {
    EmbeddedReplicaSet shard = stage.cluster().shards().getFirst();
    EmbeddedMember primary = shard.awaitPrimary(MOST);
    EmbeddedMember lagging =
        shard.members().stream()
            .filter(member -> !member.equals(primary))
            .findFirst()
            .orElseThrow();
    stage.admin().getDatabase(DATABASE).drop();
    stage
        .admin()
        .getDatabase("admin")
        .runCommand(new Document("enableSharding", DATABASE).append("primaryShard", shard.name()));
    Table table =
        new Table(
            "an order, saved as ordered, then as shipped, then deleted",
            Table.columns(
                "client",
                10,
                "read near",
                12,
                "reread",
                12,
                "near, deleted",
                14,
                "reread, deleted",
                16),
            stage.out());
    tables.add(table);
    List<Claim> claims = new ArrayList<>();
    for (Side side : List.of(Side.OURS, Side.OFFICIAL)) {
      claims.addAll(play(side, stage, shard, lagging, table));
    }
    return claims;
  }

  private static List<Claim> play(
      Side side, Stage stage, EmbeddedReplicaSet shard, EmbeddedMember lagging, Table table)
      throws InterruptedException {
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(stage.cluster().connectionString()))
            .build();
    try (MongoClient client = side.connect(settings)) {
      MongoDatabase database = client.getDatabase(DATABASE);
      String id = "order-" + side.label();
      // every member has the older state before one of them begins to lag
      Mapper.over(database.withWriteConcern(new WriteConcern(shard.members().size())))
          .save(new Order(id, "ordered"));
      Mapper mapper = Mapper.over(database.withWriteConcern(WriteConcern.MAJORITY));
      leaveNearOnly(lagging, shard);
      boolean readThere = awaitReadsAt(lagging, mapper, id);
      mapper.save(new Order(id, "shipped"));
      Order near = mapper.get(Order.class, id).orElseThrow();
      Reread<Order> again = mapper.reread(near);
      mapper.delete(near);
      Order stillNear = mapper.get(Order.class, id).orElse(null);
      Reread<Order> afterDelete = mapper.reread(near);
      String seen = again.stored().map(Order::state).orElse("gone");
      table.row(
          side.label(),
          near.state(),
          seen,
          stillNear == null ? "gone" : stillNear.state(),
          afterDelete.isGone() ? "gone" : "stored");
      String who = side.label() + ": ";
      return List.of(
          new Claim(
              "B14",
              who + "the entity's default reads from the near, lagging member",
              near.state(),
              readThere && near.state().equals("ordered")),
          new Claim("B14", who + "reread brings the stored state", seen, seen.equals("shipped")),
          new Claim(
              "B14",
              who + "reread says that a deleted entity is gone",
              afterDelete.isGone() ? "gone" : "stored",
              afterDelete.isGone() && stillNear != null));
    } finally {
      lagging.lag(Duration.ZERO);
      shard.members().forEach(member -> member.delay(Duration.ZERO));
    }
  }

  private static void leaveNearOnly(EmbeddedMember lagging, EmbeddedReplicaSet shard) {
    lagging.lag(LAG);
    shard.members().stream()
        .filter(member -> !member.equals(lagging))
        .forEach(member -> member.delay(FAR));
  }

  /**
   * The routers learn of the pings; from then on thirty reads in a row are served by the near
   * member.
   */
  private static boolean awaitReadsAt(EmbeddedMember lagging, Mapper mapper, String id)
      throws InterruptedException {
    return Stage.await(
        MOST,
        () -> {
          long before = lagging.commandsServed("find");
          for (int i = 0; i < 30; i++) {
            mapper.get(Order.class, id);
          }
          return lagging.commandsServed("find") - before == 30;
        });
  }
}
