// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.sickrouter;

import io.fairlead.cli.demo.Claim;
import io.fairlead.cli.demo.Scenario;
import io.fairlead.cli.demo.Stage;
import io.fairlead.cli.demo.traffic.Load;
import io.fairlead.cli.demo.traffic.Side;
import io.fairlead.cli.terminal.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * Every sickness, every side: 600 good operations, then the fault and 3,000 reads and 3,000 writes
 * by 8 threads, then the fault is lifted and the router must come back. Our sides run two shorter
 * rounds more, so that their p99 can be judged by the median of three.
 */
public final class SickRouterScenario implements Scenario {

  static final String DATABASE = "demo";
  static final String COLLECTION = "orders";

  private static final int GOOD = 600;
  private static final int COUNTED = 6_000;
  private static final int GOOD_AGAIN = 200;
  private static final int COUNTED_AGAIN = 1_600;

  @Override
  public String name() {
    return "sick-router";
  }

  @Override
  public String about() {
    return "router 2 says hello and fails every query, in turn in many ways; 2 and 3 too";
  }

  @Override
  public List<Claim> play(Stage stage, List<Table> tables) throws InterruptedException {
    prepare(stage);
    warmUp(stage);
    Table table =
        new Table(
            "per router: first attempts/retries/errors/ejections",
            Table.columns(
                "sickness",
                26,
                "client",
                23,
                "failed r+w",
                11,
                "to sick %",
                9,
                "p50 ms",
                7,
                "p99 ms",
                8,
                "router 1",
                15,
                "router 2",
                15,
                "router 3",
                15,
                "back s",
                6),
            stage.out());
    tables.add(table);
    Map<Sickness, Judgement> judgements = new EnumMap<>(Sickness.class);
    Deque<Recovery> recoveries = new ArrayDeque<>();
    try {
      List<Sickness> sicknesses = played(stage);
      for (Sickness sickness : sicknesses) {
        Judgement judgement = new Judgement(sickness, stage.quick());
        judgements.put(sickness, judgement);
        recoveries.add(play(sickness, stage, judgement));
        boolean last = judgements.size() == sicknesses.size();
        while (!recoveries.isEmpty()
            && (last || sickness.isHealthy() || recoveries.getFirst().isOver())) {
          recoveries.getFirst().outcome().print(table);
          recoveries.removeFirst();
        }
      }
    } finally {
      recoveries.forEach(Recovery::close);
    }
    List<Claim> claims = new ArrayList<>();
    judgements.values().stream()
        .filter(judgement -> !judgement.sickness().isHealthy())
        .forEach(
            judgement ->
                claims.addAll(judgement.claims(judgements.get(judgement.sickness().reference()))));
    return claims;
  }

  private static void prepare(Stage stage) {
    var admin = stage.admin().getDatabase("admin");
    String namespace = DATABASE + "." + COLLECTION;
    stage.admin().getDatabase(DATABASE).drop();
    admin.runCommand(new Document("enableSharding", DATABASE));
    admin.runCommand(
        new Document("shardCollection", namespace).append("key", new Document("_id", "hashed")));
    stage
        .admin()
        .getDatabase(DATABASE)
        .getCollection(COLLECTION)
        .insertMany(
            IntStream.range(0, Load.DOCUMENTS)
                .mapToObj(id -> new Document("_id", id).append("n", 0))
                .toList());
  }

  /**
   * Tails are not judged in a quick run, so the healthy runs that they are judged by are left out.
   */
  private static List<Sickness> played(Stage stage) {
    return Arrays.stream(Sickness.values())
        .filter(sickness -> !stage.quick() || !sickness.isHealthy())
        .toList();
  }

  /**
   * Both drivers, the routers and the shards are compiled by the JVM before anything is measured.
   */
  private static void warmUp(Stage stage) throws InterruptedException {
    for (Side side : Side.values()) {
      try (Participant participant = new Participant(side, stage, "warm-up")) {
        participant.run(stage.quick() ? 100 : 5_000);
      }
    }
  }

  /** Plays all rounds; how the routers come back from it is watched beside what comes next. */
  private static Recovery play(Sickness sickness, Stage stage, Judgement judgement)
      throws InterruptedException {
    int rounds = stage.quick() ? 1 : 3;
    List<Participant> recovering = new ArrayList<>();
    try {
      for (int round = 0; round < rounds; round++) {
        boolean last = round == rounds - 1;
        for (Side side : Side.values()) {
          if (side.isOurs() || round == 0) {
            Participant participant =
                new Participant(side, stage, sickness.name() + "-" + side.name() + "-" + round);
            recovering.add(participant);
            judgement.add(
                participant.measure(
                    sickness,
                    stage.operations(round == 0 ? GOOD : GOOD_AGAIN),
                    stage.operations(round == 0 ? COUNTED : COUNTED_AGAIN)));
            if (!last || !side.isOurs() || sickness.isHealthy()) {
              recovering.remove(participant);
              participant.close();
            }
          }
        }
      }
    } catch (RuntimeException | InterruptedException cut) {
      recovering.forEach(Participant::close);
      throw cut;
    }
    return Recovery.watch(sickness, recovering, judgement);
  }
}
