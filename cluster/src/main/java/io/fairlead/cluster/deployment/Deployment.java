// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.deployment;

import com.mongodb.MongoException;
import com.mongodb.connection.ClusterId;
import io.fairlead.cluster.ClusterSettings;
import io.fairlead.cluster.connection.ClientMetadata;
import io.fairlead.cluster.event.DeploymentEvents;
import io.fairlead.cluster.event.Descriptions;
import io.fairlead.cluster.event.EventQueue;
import io.fairlead.cluster.monitor.TopologyInbox;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.discovery.Action;
import io.fairlead.topology.discovery.Discovery;
import io.fairlead.topology.discovery.DiscoverySettings;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.topology.discovery.Transition;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of one deployment and what is known about them.
 *
 * <p>Any thread may tell what it {@link #heard}; one at a time, under a short lock, the pure core
 * makes the next state of it, which is published, and acted upon. Readers take no lock.
 */
public final class Deployment implements TopologyInbox, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Deployment.class);

  private final String name;
  private final ServerFactory factory;
  private final DeploymentEvents events;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Consumer<Set<HostAddress>> membership;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Thread, Boolean> stopping = new ConcurrentHashMap<>();
  private Discovery discovery;
  private final List<Action> firstActions;
  private boolean closed;
  private volatile TopologyDescription description;
  private volatile Map<HostAddress, Server> servers = Map.of();
  private final AtomicLong version = new AtomicLong();

  private Deployment(
      ClusterSettings settings,
      ClientMetadata metadata,
      ClusterId id,
      EventQueue queue,
      InstantSource clock,
      LongSupplier nanoTime,
      Consumer<Set<HostAddress>> membership) {
    this.membership = membership;
    this.name = id.getDescription() == null ? id.getValue() : id.getDescription();
    this.factory = new ServerFactory(settings, metadata, id, queue, nanoTime);
    this.events =
        new DeploymentEvents(
            queue,
            settings.client().getClusterSettings().getClusterListeners(),
            settings.client().getServerSettings().getServerListeners(),
            id,
            new Descriptions(
                settings.client().getClusterSettings(), settings.client().getServerSettings()));
    this.clock = clock;
    this.nanoTime = nanoTime;
    Transition start =
        Discovery.start(
            new DiscoverySettings(
                new LinkedHashSet<>(settings.seeds()),
                settings.replicaSetName(),
                settings.directConnection()
                    ? DiscoverySettings.Connection.DIRECT
                    : DiscoverySettings.Connection.DISCOVER));
    this.discovery = start.next();
    this.description = start.next().description();
    this.firstActions = start.actions();
  }

  /**
   * Starts watching the seeds.
   *
   * @param metadata what new connections tell of the client
   * @param membership told who is left when a server has left the deployment
   */
  public static Deployment start(
      ClusterSettings settings,
      ClientMetadata metadata,
      ClusterId id,
      EventQueue queue,
      InstantSource clock,
      LongSupplier nanoTime,
      Consumer<Set<HostAddress>> membership) {
    Deployment deployment =
        new Deployment(settings, metadata, id, queue, clock, nanoTime, membership);
    deployment.begin();
    return deployment;
  }

  private void begin() {
    events.clusterOpening();
    List<Runnable> afterwards = new ArrayList<>();
    lock.lock();
    try {
      TopologyDescription nothing = TopologyDescription.of(TopologyType.UNKNOWN, List.of());
      firstActions.forEach(action -> perform(action, afterwards));
      events.changed(nothing, description);
    } finally {
      lock.unlock();
    }
    afterwards.forEach(Runnable::run);
    events.deliver();
  }

  /** The deployment as it is known now. */
  public TopologyDescription description() {
    return description;
  }

  /** The server of this name, or null when it is not part of the deployment. */
  public @Nullable Server server(HostAddress address) {
    return servers.get(address);
  }

  /** All servers. */
  public Map<HostAddress, Server> servers() {
    return servers;
  }

  @Override
  public void heard(TopologyEvent event) {
    List<Runnable> afterwards = new ArrayList<>(0);
    lock.lock();
    try {
      if (closed) {
        return;
      }
      Transition step = discovery.on(event, clock.instant());
      if (step.next() == discovery && step.actions().isEmpty()) {
        return;
      }
      TopologyDescription before = description;
      discovery = step.next();
      // a pool is opened before its server can be chosen: whoever sees the new description may
      // check out at once
      for (Action action : step.actions()) {
        if (action instanceof Action.ReadyPool) {
          perform(action, afterwards);
        }
      }
      description = step.next().description();
      version.incrementAndGet();
      changed.signalAll();
      for (Action action : step.actions()) {
        if (!(action instanceof Action.ReadyPool)) {
          perform(action, afterwards);
        }
      }
      log(before, description);
      events.changed(before, description);
    } finally {
      lock.unlock();
    }
    afterwards.forEach(Runnable::run);
    events.deliver();
  }

  /**
   * Tries until it succeeds, again after every change of the topology; asks all monitors to look
   * now as long as it does not.
   *
   * @param attempt null: not with this topology
   * @param untilNanos when to stop, by the client's monotonic clock; {@link Long#MAX_VALUE}: never
   * @return what the attempt gave; null when time is up
   * @throws InterruptedException when the calling thread was interrupted
   * @throws IllegalStateException when the client was closed meanwhile
   */
  public <T> @Nullable T await(Function<TopologyDescription, @Nullable T> attempt, long untilNanos)
      throws InterruptedException {
    while (true) {
      // read before the description: a change in between is then seen as one that came while
      // waiting
      long seen = version.get();
      T found = attempt.apply(description);
      if (found != null) {
        return found;
      }
      servers.values().forEach(server -> server.monitor().requestCheck());
      lock.lockInterruptibly();
      try {
        while (version.get() == seen && !closed) {
          if (untilNanos == Long.MAX_VALUE) {
            changed.await();
          } else {
            long left = untilNanos - nanoTime.getAsLong();
            if (left <= 0) {
              return null;
            }
            changed.awaitNanos(left);
          }
        }
        if (closed) {
          throw new IllegalStateException("the client is closed");
        }
      } finally {
        lock.unlock();
      }
      if (untilNanos != Long.MAX_VALUE && untilNanos - nanoTime.getAsLong() <= 0) {
        return attempt.apply(description);
      }
    }
  }

  /** Ends all monitors and pools and waits for their threads, a few seconds at most. */
  @Override
  public void close() {
    Map<HostAddress, Server> last;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      last = servers;
      servers = Map.of();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    List<Thread> closers = new ArrayList<>(stopping.keySet());
    for (Server server : last.values()) {
      closers.add(
          Thread.ofVirtual().name("fairlead-stop-" + server.address()).start(server::close));
    }
    for (Thread closer : closers) {
      try {
        closer.join(java.time.Duration.ofSeconds(5));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
    last.keySet().forEach(events::serverClosed);
    events.clusterClosed();
    events.deliver();
  }

  /** Under the lock; what may block or call others is left for afterwards. */
  private void perform(Action action, List<Runnable> afterwards) {
    if (action instanceof Action.StartMonitor start) {
      Server server = factory.make(start.address(), this);
      Map<HostAddress, Server> more = new LinkedHashMap<>(servers);
      more.put(start.address(), server);
      servers = Map.copyOf(more);
      events.serverOpening(start.address());
      afterwards.add(server::start);
      return;
    }
    Server server = servers.get(action.address());
    if (server == null) {
      return; // it left the deployment in the same step
    }
    switch (action) {
      case Action.StartMonitor ignored -> throw new IllegalStateException("performed above");
      case Action.StopMonitor stop -> {
        Map<HostAddress, Server> fewer = new LinkedHashMap<>(servers);
        fewer.remove(stop.address());
        servers = Map.copyOf(fewer);
        LOG.info(
            "[{}] {} is no longer watched, because it is {}", name, stop.address(), stop.because());
        events.serverClosed(stop.address());
        afterwards.add(() -> stopApart(server));
        afterwards.add(() -> membership.accept(servers.keySet()));
      }
      case Action.ReadyPool ignored -> server.pool().ready();
      case Action.ClearPool clear ->
          afterwards.add(
              server
                  .pool()
                  .clear(
                      clear.generation(),
                      clear.interruptInUse(),
                      new MongoException(clear.because())));
      case Action.RequestCheck ignored -> server.monitor().requestCheck();
      case Action.CancelCheck ignored -> afterwards.add(server.monitor()::cancelCheck);
    }
  }

  /** On a thread of its own: the one that heard of it may be the stopped monitor's. */
  private void stopApart(Server server) {
    Thread closer =
        Thread.ofVirtual()
            .name("fairlead-stop-" + server.address())
            .unstarted(
                () -> {
                  server.close();
                  stopping.remove(Thread.currentThread());
                });
    stopping.put(closer, true);
    closer.start();
  }

  private void log(TopologyDescription before, TopologyDescription after) {
    if (before.type() != after.type()) {
      LOG.info("[{}] topology {} → {}", name, before.type(), after.type());
    }
    for (ServerDescription now : after.list()) {
      ServerDescription old = before.servers().get(now.address());
      ServerType was = old == null ? ServerType.UNKNOWN : old.type();
      if (was != now.type()) {
        String error = now.error();
        LOG.info(
            "[{}] {} {} → {}{}",
            name,
            now.address(),
            was,
            now.type(),
            error == null
                ? ""
                : ", because "
                    + error
                    + " (generation "
                    + discovery.generation(now.address())
                    + ")");
      }
    }
  }
}
