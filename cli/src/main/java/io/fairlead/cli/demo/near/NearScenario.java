// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.near;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.ReplaceOptions;
import io.fairlead.cli.demo.Claim;
import io.fairlead.cli.demo.Scenario;
import io.fairlead.cli.demo.Stage;
import io.fairlead.cli.demo.traffic.Side;
import io.fairlead.cli.terminal.Table;
import io.fairlead.embedded.EmbeddedMember;
import io.fairlead.embedded.EmbeddedReplicaSet;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The members of a shard are put at +0, +10 and +40 ms; reads go where window, maxPing and tags
 * say.
 */
public final class NearScenario implements Scenario {

  static final String DATABASE = "near";
  static final String COLLECTION = "things";

  private static final List<Duration> DELAYS =
      List.of(Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(40));

  /** A change of the settings, and a change of the network, must show in the reads within this. */
  private static final Duration SHOWS_WITHIN = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "near";
  }

  @Override
  public String about() {
    return "members at +0, +10 and +40 ms; who serves how many reads";
  }

  @Override
  public List<Claim> play(Stage stage, List<Table> tables) throws InterruptedException {
    EmbeddedReplicaSet shard = stage.cluster().shards().getFirst();
    List<EmbeddedMember> members = shard.members();
    prepare(stage, shard);
    List<Claim> claims = new ArrayList<>();
    try {
      spread(members);
      Pings pings = new Pings(stage, shard);
      boolean settled = Stage.await(Duration.ofSeconds(30), () -> pings.areNear(DELAYS, 8));
      tables.add(pings.table(stage.out()));
      claims.add(
          new Claim(
              "C8", "the routers publish the ping of every member", pings.summary(), settled));
      tables.add(reads(stage, members, claims));
      claims.add(settingChangesLive(stage, members));
      claims.add(fallsBackToPrimary(stage, shard));
      claims.add(saysWhatIsMissing(stage));
      claims.add(losesItsReads(stage, members));
    } finally {
      members.forEach(member -> member.delay(Duration.ZERO));
      setClusterWide(stage, null);
    }
    return claims;
  }

  private static void prepare(Stage stage, EmbeddedReplicaSet shard) {
    stage.admin().getDatabase(DATABASE).drop();
    stage
        .admin()
        .getDatabase("admin")
        .runCommand(new Document("enableSharding", DATABASE).append("primaryShard", shard.name()));
    stage
        .admin()
        .getDatabase(DATABASE)
        .getCollection(COLLECTION)
        .withWriteConcern(new WriteConcern(shard.members().size()))
        .insertOne(new Document("_id", 1).append("name", "thing"));
  }

  private static void spread(List<EmbeddedMember> members) {
    for (int i = 0; i < members.size(); i++) {
      members.get(i).delay(DELAYS.get(i));
    }
  }

  private static Table reads(Stage stage, List<EmbeddedMember> members, List<Claim> claims)
      throws InterruptedException {
    Table table =
        new Table(
            "reads with mode nearest, served by",
            Table.columns("asked for", 30, "client", 10, "+0 ms", 8, "+10 ms", 8, "+40 ms", 8),
            stage.out());
    int reads = stage.operations(240);
    for (Wish wish : Wish.all()) {
      for (Side side : List.of(Side.OURS, Side.OFFICIAL)) {
        try (Reader reader = new Reader(side, stage, members)) {
          List<Long> served = reader.served(wish.preference(), reads);
          table.row(wish.label(), side.label(), served.get(0), served.get(1), served.get(2));
          claims.add(
              new Claim(
                  wish.promise(),
                  wish.label()
                      + ", "
                      + side.label()
                      + ": read from members "
                      + wish.served()
                      + " only",
                  served.toString(),
                  isServedBy(wish, served)));
        }
      }
    }
    return table;
  }

  private static boolean isServedBy(Wish wish, List<Long> served) {
    for (int i = 0; i < served.size(); i++) {
      if (wish.served().contains(i) != (served.get(i) > 0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * C3: the window in the config database is widened while reads run, and the far member gets some.
   */
  private static Claim settingChangesLive(Stage stage, List<EmbeddedMember> members)
      throws InterruptedException {
    ReadPreference nearest = ReadPreference.of(Mode.NEAREST);
    try (Reader reader = new Reader(Side.OURS, stage, members)) {
      long before = reader.served(nearest, 80).get(2);
      setClusterWide(stage, new Document("ms", 80));
      long changed = System.nanoTime();
      boolean shown = awaitServed(reader, nearest, 2, true);
      long millis = Duration.ofNanos(System.nanoTime() - changed).toMillis();
      setClusterWide(stage, null);
      boolean restored = awaitServed(reader, nearest, 2, false);
      return new Claim(
          "C3",
          "the cluster-wide window changes live, and back",
          shown ? "the far member read after " + millis + " ms" : "not within 10 s",
          before == 0 && shown && restored);
    }
  }

  private static boolean awaitServed(
      Reader reader, ReadPreference preference, int member, boolean some)
      throws InterruptedException {
    long deadline = System.nanoTime() + SHOWS_WITHIN.toNanos();
    while (System.nanoTime() < deadline) {
      if ((reader.served(preference, 80).get(member) > 0) == some) {
        return true;
      }
    }
    return false;
  }

  /** C6: no secondary has the tag, so secondaryPreferred reads from the primary. */
  private static Claim fallsBackToPrimary(Stage stage, EmbeddedReplicaSet shard)
      throws InterruptedException {
    List<EmbeddedMember> members = shard.members();
    EmbeddedMember primary = shard.awaitPrimary(SHOWS_WITHIN);
    long before = primary.commandsServed("find");
    Document found =
        stage
            .admin()
            .getDatabase(DATABASE)
            .getCollection(COLLECTION)
            .withReadPreference(
                com.mongodb.ReadPreference.secondaryPreferred(
                    new com.mongodb.TagSet(new com.mongodb.Tag("dc", "mars"))))
            .find()
            .first();
    long served = primary.commandsServed("find") - before;
    return new Claim(
        "C6",
        "secondaryPreferred with a tag that none of "
            + members.size()
            + " members has reads from the primary",
        served + " read there",
        found != null && served == 1);
  }

  /** C6: a mode that does not allow the primary says what it looked for and what it saw. */
  private static Claim saysWhatIsMissing(Stage stage) {
    Document find =
        new Document("find", COLLECTION)
            .append("maxTimeMS", 500)
            .append(
                "$readPreference",
                new Document("mode", "secondary").append("tags", List.of(Map.of("dc", "mars"))));
    try {
      stage.admin().getDatabase(DATABASE).runCommand(find);
      return new Claim("C6", "mode secondary with an unknown tag fails", "it was answered", false);
    } catch (MongoException e) {
      String message = String.valueOf(e.getMessage());
      return new Claim(
          "C6",
          "mode secondary with an unknown tag fails and names the tag",
          "code " + e.getCode(),
          e.getCode() == 50 && message.contains("mars"));
    }
  }

  /** C7: the middle member moves away and loses its reads. */
  private static Claim losesItsReads(Stage stage, List<EmbeddedMember> members)
      throws InterruptedException {
    ReadPreference nearest = ReadPreference.of(Mode.NEAREST);
    try (Reader reader = new Reader(Side.OURS, stage, members)) {
      boolean near = awaitServed(reader, nearest, 1, true);
      members.get(1).delay(Duration.ofMillis(60));
      long moved = System.nanoTime();
      boolean lost = awaitServed(reader, nearest, 1, false);
      long millis = Duration.ofNanos(System.nanoTime() - moved).toMillis();
      return new Claim(
          "C7",
          "a member that moves from +10 to +60 ms loses its reads",
          lost ? "after " + millis + " ms" : "not within 10 s",
          near && lost);
    }
  }

  private static void setClusterWide(Stage stage, @Nullable Document window) {
    var settings = stage.admin().getDatabase("config").getCollection("settings");
    Document id = new Document("_id", "fairlead.routing");
    if (window == null) {
      settings.deleteOne(id);
    } else {
      settings.replaceOne(
          id,
          new Document("_id", "fairlead.routing").append("latencyWindow", window),
          new ReplaceOptions().upsert(true));
    }
  }
}
