// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import com.mongodb.MongoException;
import com.mongodb.connection.ClusterId;
import io.fairlead.cluster.connection.ClientMetadata;
import io.fairlead.cluster.connection.WrappingLibrary;
import io.fairlead.cluster.deployment.Deployment;
import io.fairlead.cluster.deployment.Server;
import io.fairlead.cluster.event.Descriptions;
import io.fairlead.cluster.event.EventQueue;
import io.fairlead.cluster.execution.HealthWatch;
import io.fairlead.cluster.execution.OperationRunner;
import io.fairlead.cluster.execution.Routing;
import io.fairlead.cluster.execution.ServerChooser;
import io.fairlead.cluster.session.ClusterClock;
import io.fairlead.cluster.session.SessionPool;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.health.HealthView;
import io.fairlead.topology.readpreference.EffectiveReadPreference;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.selection.SelectionTrace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One deployment as a client sees it: its servers are watched, and {@link #execute} runs a command
 * on the right one, a retry on a different one where the specifications say so. Any thread may call
 * anything.
 */
public final class Cluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
  private static final Duration FAREWELL = Duration.ofSeconds(1);
  private static final int SESSIONS_ENDED_AT_ONCE = 10_000;

  private final ClusterSettings settings;
  private final InstantSource time;
  private final ClientMetadata metadata;
  private final Deployment deployment;
  private final ClusterClock clusterTime = new ClusterClock();
  private final SessionPool sessions;
  private final HealthWatch health;
  private final ServerChooser chooser;
  private final OperationRunner runner;
  private volatile boolean closed;

  private Cluster(ClusterSettings settings, Surroundings surroundings) {
    this.settings = settings;
    this.time = surroundings.time();
    ClusterId id = new ClusterId(settings.client().getApplicationName());
    EventQueue queue = new EventQueue();
    String name = settings.client().getApplicationName();
    this.health =
        new HealthWatch(
            name == null ? settings.seeds().getFirst().toString() : name,
            settings.routing().health(),
            surroundings.nanoTime());
    this.metadata = new ClientMetadata(name);
    this.deployment =
        Deployment.start(
            settings,
            metadata,
            id,
            queue,
            surroundings.time(),
            surroundings.nanoTime(),
            health::retain);
    this.sessions = new SessionPool(surroundings.nanoTime(), this::sessionTimeout);
    this.chooser =
        new ServerChooser(
            deployment,
            health,
            settings.client().getClusterSettings().getServerSelector(),
            new Descriptions(
                settings.client().getClusterSettings(), settings.client().getServerSettings()),
            settings.heartbeatFrequency(),
            surroundings.random());
    this.runner =
        new OperationRunner(
            settings,
            deployment,
            chooser,
            health,
            sessions,
            clusterTime,
            surroundings.nanoTime(),
            surroundings.random(),
            surroundings.deprioritized());
    health.start();
  }

  /**
   * What a cluster takes from outside beside its settings.
   *
   * @param time wall clock, for estimates of staleness
   * @param nanoTime monotonic clock, for everything that lasts
   * @param random must be usable by several threads
   * @param deprioritized what becomes of the servers that a retry avoids; the identity but in tests
   *     of what they are good for
   */
  record Surroundings(
      InstantSource time,
      LongSupplier nanoTime,
      RandomGenerator random,
      UnaryOperator<Set<HostAddress>> deprioritized) {
    static final Surroundings REAL =
        new Surroundings(
            InstantSource.system(), System::nanoTime, new ThreadRandom(), UnaryOperator.identity());
  }

  /**
   * Starts watching the deployment and returns at once, before any server has answered.
   *
   * @param settings what is not supported was refused when they were read
   */
  public static Cluster start(ClusterSettings settings) {
    return start(settings, Surroundings.REAL);
  }

  static Cluster start(ClusterSettings settings, Surroundings surroundings) {
    return new Cluster(settings, surroundings);
  }

  /**
   * Runs one operation: selects a server, sends, and tries again as the operation, the client and
   * the specifications allow.
   *
   * @return the reply whose {@code ok} is 1
   * @throws com.mongodb.MongoCommandException (or a subclass) when the server answered with an
   *     error
   * @throws com.mongodb.MongoExecutionTimeoutException when the server gave up because of {@code
   *     maxTimeMS}
   * @throws com.mongodb.MongoSocketException (or a subclass) when the connection failed
   * @throws com.mongodb.MongoTimeoutException when no server was suitable, no connection free, or
   *     the operation's time was up
   * @throws com.mongodb.MongoInterruptedException when the calling thread was interrupted; its
   *     interrupt status is set
   * @throws io.fairlead.topology.readpreference.InvalidReadPreferenceException when what was wished
   *     for reading can't be had
   * @throws IllegalStateException after {@link #close}
   */
  public CommandResult execute(Operation operation) {
    if (closed) {
      throw new IllegalStateException("the client is closed");
    }
    return runner.run(operation);
  }

  /** The deployment as it is known now. */
  public TopologyDescription topology() {
    return deployment.description();
  }

  /** The settings it was started with. */
  public ClusterSettings settings() {
    return settings;
  }

  /** The sessions of this client. */
  public SessionPool sessions() {
    return sessions;
  }

  /** The greatest cluster time seen. */
  public ClusterClock clusterTime() {
    return clusterTime;
  }

  /** Every server, the step at which it falls out of selection, and why. */
  public SelectionTrace explain(OperationKind kind, ReadPreference preference) {
    return chooser.explain(runner.routing(), new EffectiveReadPreference(kind, preference));
  }

  /** What routing sees and did. */
  public RoutingView routing() {
    Set<HostAddress> near = new HashSet<>();
    explain(OperationKind.READ, ReadPreference.of(Mode.NEAREST))
        .candidates()
        .forEach(candidate -> near.add(candidate.address()));
    HealthView healthNow = health.view();
    Instant now = time.instant();
    List<RoutingView.Server> servers = new ArrayList<>();
    for (ServerDescription description : deployment.description().list()) {
      Server server = deployment.server(description.address());
      if (server != null) {
        servers.add(view(description, server, near, healthNow, now));
      }
    }
    servers.sort((one, other) -> one.address().compareTo(other.address()));
    return new RoutingView(
        now, runner.routing().options(), runner.routing().window(), List.copyOf(servers));
  }

  private static RoutingView.Server view(
      ServerDescription description,
      Server server,
      Set<HostAddress> near,
      HealthView health,
      Instant now) {
    HealthView.@Nullable Server healthOf = health.servers().get(description.address());
    RoutingView.Ejection ejection = null;
    if (healthOf != null && healthOf.state() != HealthView.State.WELL) {
      String why = healthOf.because();
      ejection =
          new RoutingView.Ejection(
              why == null ? "" : why, healthOf.state(), now.plus(healthOf.remaining()));
    }
    return new RoutingView.Server(
        description.address(),
        description.type(),
        description.roundTripTime().orElse(null),
        near.contains(description.address()),
        server.inProgress(),
        server.pool().openConnections(),
        server.attempts(),
        server.retries(),
        server.succeeded(),
        server.failed(),
        healthOf == null ? 0 : healthOf.ejections(),
        ejection);
  }

  /**
   * Names a library that wraps this client, to servers with which a connection is opened from now
   * on. One that was named before is not named again.
   */
  public void appendMetadata(WrappingLibrary library) {
    metadata.append(library);
  }

  /** Changes the routing options from the next selection on. */
  public void configureRouting(RoutingOptions live) {
    health.configure(live.health());
    runner.route(Routing.of(settings, live));
  }

  /**
   * Ends the sessions, closes every connection, stops every thread and waits for it, at most a few
   * seconds.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    endSessions();
    deployment.close();
    health.close();
  }

  /** Saves the server the memory; it would forget them by itself after a while. */
  private void endSessions() {
    boolean anybodyThere =
        deployment.description().list().stream().anyMatch(ServerDescription::isDataBearing);
    List<BsonDocument> ids = sessions.drain();
    if (!anybodyThere) {
      return;
    }
    for (int from = 0; from < ids.size(); from += SESSIONS_ENDED_AT_ONCE) {
      BsonArray batch =
          new BsonArray(ids.subList(from, Math.min(ids.size(), from + SESSIONS_ENDED_AT_ONCE)));
      try {
        runner.run(
            Operation.builder("admin", new BsonDocument("endSessions", batch))
                .readWish(ReadWish.read(ReadPreference.of(Mode.PRIMARY_PREFERRED)))
                .timeout(FAREWELL)
                .build());
      } catch (MongoException unheard) {
        LOG.debug("sessions were not ended at the server: {}", unheard.getMessage());
        return;
      }
    }
  }

  private Optional<Duration> sessionTimeout() {
    return Optional.ofNullable(deployment.description().logicalSessionTimeoutMinutes())
        .map(Duration::ofMinutes);
  }
}
