// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cli.demo.sickrouter;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.fairlead.cli.demo.Stage;
import io.fairlead.cli.demo.traffic.Attempts;
import io.fairlead.cli.demo.traffic.Load;
import io.fairlead.cli.demo.traffic.Side;
import io.fairlead.cluster.RoutingView;
import io.fairlead.embedded.EmbeddedRouter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * One fresh client of one side with its own application name, so that a fault hits its commands
 * alone.
 */
final class Participant implements AutoCloseable {

  private static final int THREADS = 8;

  private final Side side;
  private final List<EmbeddedRouter> routers;
  private final String appName;
  private final Attempts attempts = new Attempts();
  private final MongoClient client;
  private final MongoCollection<Document> collection;
  private final Load load;
  private volatile long liftedNanos;

  Participant(Side side, Stage stage, String appName) {
    this.side = side;
    this.routers = stage.cluster().routers();
    this.appName = appName;
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(stage.cluster().connectionString()))
            .applicationName(appName)
            .addCommandListener(attempts)
            .build();
    this.client = side.connect(settings);
    this.collection =
        client
            .getDatabase(SickRouterScenario.DATABASE)
            .getCollection(SickRouterScenario.COLLECTION);
    this.load = new Load(collection, attempts, THREADS);
  }

  Side side() {
    return side;
  }

  Load.Run run(int operations) throws InterruptedException {
    return load.run(operations);
  }

  /** Good operations, then the fault, then the counted operations, then the fault is lifted. */
  Round measure(Sickness sickness, int good, int counted) throws InterruptedException {
    slowOthers(sickness);
    load.run(good);
    attempts.reset();
    List<Long> ejectionsBefore = ejections();
    sicken(sickness);
    Load.Run run;
    try {
      run = load.run(counted);
    } finally {
      routers.forEach(router -> router.failPoint(Sickness.off()));
      liftedNanos = System.nanoTime();
    }
    List<Round.Router> seen = new ArrayList<>();
    List<Long> ejectionsAfter = ejections();
    for (int i = 0; i < routers.size(); i++) {
      seen.add(
          new Round.Router(
              attempts.of(routers.get(i).address()),
              isSick(sickness, i),
              ejectionsAfter.get(i) - ejectionsBefore.get(i)));
    }
    return new Round(side, run, seen);
  }

  /**
   * Sends a little traffic and returns the smallest share that one of the routers that were sick
   * gets of it.
   */
  double shareOfRecovered(Sickness sickness) throws InterruptedException {
    attempts.reset();
    new Load(collection, attempts, 2).run(60);
    double least = 1;
    for (int i = 0; i < routers.size(); i++) {
      if (isSick(sickness, i)) {
        least =
            Math.min(
                least, attempts.of(routers.get(i).address()).sent() / (double) attempts.sent());
      }
    }
    return least;
  }

  /** How long ago the fault was lifted. */
  Duration sinceLifted() {
    return Duration.ofNanos(System.nanoTime() - liftedNanos);
  }

  @Override
  public void close() {
    client.close();
  }

  private void slowOthers(Sickness sickness) {
    @Nullable BsonDocument slow = sickness.others(appName);
    if (slow != null) {
      routers.forEach(router -> router.failPoint(slow));
    }
  }

  private void sicken(Sickness sickness) {
    for (int i = 0; i < routers.size(); i++) {
      if (isSick(sickness, i)) {
        routers.get(i).failPoint(sickness.sick(appName));
      }
    }
  }

  /** Router 2 is sick, or 2 and 3. */
  private static boolean isSick(Sickness sickness, int router) {
    return router >= 1 && router <= sickness.sickRouters();
  }

  private List<Long> ejections() {
    RoutingView view = side.routing(client).orElse(null);
    List<Long> counts = new ArrayList<>();
    for (EmbeddedRouter router : routers) {
      counts.add(
          view == null
              ? 0L
              : view.servers().stream()
                  .filter(server -> server.address().toString().equals(router.address()))
                  .mapToLong(RoutingView.Server::ejections)
                  .sum());
    }
    return counts;
  }
}
