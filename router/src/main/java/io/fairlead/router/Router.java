// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router;

import io.fairlead.cluster.Cluster;
import io.fairlead.router.catalog.Catalog;
import io.fairlead.router.catalog.ConfigStore;
import io.fairlead.router.command.CursorClosing;
import io.fairlead.router.command.Parts;
import io.fairlead.router.command.RouterConnection;
import io.fairlead.router.cursor.Cursors;
import io.fairlead.router.shard.ShardTeller;
import io.fairlead.router.shard.Shards;
import io.fairlead.router.shard.VersionedRun;
import io.fairlead.router.status.Housekeeping;
import io.fairlead.router.status.LiveRouting;
import io.fairlead.router.status.ReadCounts;
import io.fairlead.wire.channel.InProcessAddresses;
import io.fairlead.wire.failpoint.FailPoints;
import io.fairlead.wire.listener.InProcessListener;
import io.fairlead.wire.listener.ListenerSettings;
import io.fairlead.wire.listener.ServiceFactory;
import io.fairlead.wire.listener.WireListener;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.bson.types.ObjectId;

/**
 * One router over shards. It keeps nothing: what it knows is in the config replica set, so any
 * number may run side by side. Started by {@link #start}; {@link #close} stops every thread and
 * waits for it.
 */
public final class Router implements AutoCloseable {

  private final Cluster configCluster;
  private final Parts parts;
  private final Housekeeping housekeeping;
  private final List<WireListener> tcp = new ArrayList<>();
  private final List<InProcessListener> inProcess = new ArrayList<>();

  private Router(RouterSettings settings, InstantSource clock) {
    configCluster = settings.connect(settings.configHosts());
    SecureRandom random =
        new SecureRandom(); // cursor numbers are not to be guessed, and it may be shared by threads
    ConfigStore config = new ConfigStore(configCluster);
    LiveRouting live = new LiveRouting(config, settings.routing());
    Shards shards = new Shards(config, host -> connected(settings, live, host));
    ShardTeller teller = new ShardTeller(shards);
    Catalog catalog = new Catalog(config, clock);
    parts =
        new Parts(
            settings,
            config,
            catalog,
            shards,
            teller,
            new VersionedRun(catalog, config, shards, teller, clock),
            new Cursors(random, System::nanoTime),
            new FailPoints(random),
            live,
            new ReadCounts(),
            clock,
            new ObjectId(),
            clock.instant(),
            this::connections);
    housekeeping =
        new Housekeeping(
            settings.host(),
            shards,
            live,
            parts.cursors(),
            cursor -> CursorClosing.close(parts, cursor));
  }

  private static Cluster connected(RouterSettings settings, LiveRouting live, String host) {
    Cluster cluster = settings.connect(host);
    live.configure(cluster);
    return cluster;
  }

  /**
   * Starts a router. It answers at once; commands wait until the config set and the shards can be
   * reached.
   *
   * @throws java.io.UncheckedIOException if it cannot listen where it is told to
   */
  public static Router start(RouterSettings settings) {
    Router router = new Router(settings, InstantSource.system());
    try {
      router.listen(settings);
      router.housekeeping.start();
      return router;
    } catch (RuntimeException failed) {
      router.close();
      throw failed;
    }
  }

  private void listen(RouterSettings settings) {
    ServiceFactory services = settings.services().apply(RouterConnection.factory(parts));
    for (ListenerSettings listener : settings.listeners()) {
      if (listener.host().endsWith(InProcessAddresses.SUFFIX)) {
        inProcess.add(InProcessListener.start(listener, services));
      } else {
        tcp.add(WireListener.start(listener, services));
      }
    }
  }

  private int connections() {
    int open = 0;
    for (WireListener listener : tcp) {
      open += listener.connections().size();
    }
    for (InProcessListener listener : inProcess) {
      open += listener.connections().size();
    }
    return open;
  }

  /** The addresses it listens on, {@code host:port}, in the order of the settings: TCP first. */
  public List<String> addresses() {
    List<String> addresses = new ArrayList<>();
    tcp.forEach(listener -> addresses.add(listener.host() + ":" + listener.port()));
    inProcess.forEach(listener -> addresses.add(listener.host() + ":" + listener.port()));
    return addresses;
  }

  /** Its port on TCP. */
  public int port() {
    return tcp.getFirst().port();
  }

  /** Its fail point, {@code failCommand}. */
  public FailPoints failPoints() {
    return parts.failPoints();
  }

  @Override
  public void close() {
    tcp.forEach(WireListener::close);
    inProcess.forEach(InProcessListener::close);
    housekeeping.close();
    parts.shards().close();
    configCluster.close();
  }
}
