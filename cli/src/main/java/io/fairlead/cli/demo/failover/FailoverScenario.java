// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.failover;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.fairlead.cli.demo.Claim;
import io.fairlead.cli.demo.Scenario;
import io.fairlead.cli.demo.Stage;
import io.fairlead.cli.demo.traffic.Side;
import io.fairlead.cli.terminal.Table;
import io.fairlead.embedded.EmbeddedMember;
import io.fairlead.embedded.EmbeddedReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * The primary of one shard is killed under four writers with {@code w: majority}, once for each
 * driver.
 */
public final class FailoverScenario implements Scenario {

  private static final String DATABASE = "failover";
  private static final int WRITERS = 4;
  private static final Duration MOST = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public String about() {
    return "the primary of a shard is killed while 4 writers write with w: majority";
  }

  @Override
  public List<Claim> play(Stage stage, List<Table> tables) throws InterruptedException {
    EmbeddedReplicaSet shard = stage.cluster().shards().get(1);
    stage.admin().getDatabase(DATABASE).drop();
    stage
        .admin()
        .getDatabase("admin")
        .runCommand(new Document("enableSharding", DATABASE).append("primaryShard", shard.name()));
    Table table =
        new Table(
            "killed: the primary of " + shard.name(),
            Table.columns(
                "client",
                10,
                "acknowledged",
                12,
                "lost",
                6,
                "twice",
                6,
                "duplicate key",
                13,
                "failed",
                7,
                "gap ms",
                8,
                "new primary",
                24),
            stage.out());
    tables.add(table);
    List<Claim> claims = new ArrayList<>();
    for (Side side : List.of(Side.OURS, Side.OFFICIAL)) {
      claims.addAll(play(side, stage, shard, table));
    }
    return claims;
  }

  private static List<Claim> play(Side side, Stage stage, EmbeddedReplicaSet shard, Table table)
      throws InterruptedException {
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(stage.cluster().connectionString()))
            .writeConcern(WriteConcern.MAJORITY)
            .build();
    EmbeddedMember victim = shard.awaitPrimary(MOST);
    try (MongoClient client = side.connect(settings)) {
      MongoCollection<Document> collection =
          client
              .getDatabase(DATABASE)
              .getCollection("writes_" + side.name().toLowerCase(Locale.ROOT));
      Writers writers = new Writers(collection, WRITERS);
      boolean wentOn;
      writers.start();
      try {
        TimeUnit.MILLISECONDS.sleep(stage.quick() ? 250 : 2_000);
        victim.kill();
        long killed = System.nanoTime();
        EmbeddedMember heir = shard.awaitPrimary(MOST);
        wentOn = heir != victim && Stage.await(MOST, () -> writers.acknowledgedSince(killed));
        TimeUnit.MILLISECONDS.sleep(stage.quick() ? 250 : 2_000);
      } finally {
        writers.stop();
      }
      victim.restart();
      awaitAllMembers(stage);
      long lost = writers.lost();
      long twice = writers.appliedTwice();
      long gap = writers.longestGap().toMillis();
      table.row(
          side.label(),
          writers.acknowledged(),
          lost,
          twice,
          writers.duplicateKeys(),
          writers.failed(),
          gap,
          shard.awaitPrimary(MOST).address());
      String who = side.label() + ": ";
      return List.of(
          new Claim("B12", who + "writes go on at a new primary", "gap " + gap + " ms", wentOn),
          new Claim(
              "D3",
              who + "no acknowledged write is lost",
              lost + " of " + writers.acknowledged(),
              lost == 0),
          new Claim("D3", who + "no write is applied twice", String.valueOf(twice), twice == 0),
          new Claim(
              "B11",
              who + "no write fails, none with a duplicate key",
              writers.failed()
                  + " failed, "
                  + writers.duplicateKeys()
                  + " duplicate keys"
                  + writers.firstFailure(),
              writers.failed() == 0 && writers.duplicateKeys() == 0));
    }
  }

  /** The killed member is back once it acknowledges, too. */
  private static void awaitAllMembers(Stage stage) {
    stage
        .admin()
        .getDatabase(DATABASE)
        .getCollection("whole")
        .withWriteConcern(new WriteConcern(3).withWTimeout(MOST.toMillis(), TimeUnit.MILLISECONDS))
        .insertOne(new Document());
  }
}
