// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.event;

import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerId;
import com.mongodb.event.ClusterClosedEvent;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import com.mongodb.event.ClusterOpeningEvent;
import com.mongodb.event.ServerClosedEvent;
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerListener;
import com.mongodb.event.ServerOpeningEvent;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.TopologyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Events of the deployment and of its servers. Every method but {@link #deliver} only queues. */
public final class DeploymentEvents {
  private final EventQueue queue;
  private final List<ClusterListener> clusterListeners;
  private final List<ServerListener> serverListeners;
  private final ClusterId cluster;
  private final Descriptions descriptions;

  public DeploymentEvents(
      EventQueue queue,
      List<ClusterListener> clusterListeners,
      List<ServerListener> serverListeners,
      ClusterId cluster,
      Descriptions descriptions) {
    this.queue = queue;
    this.clusterListeners = List.copyOf(clusterListeners);
    this.serverListeners = List.copyOf(serverListeners);
    this.cluster = cluster;
    this.descriptions = descriptions;
  }

  /** Delivers what was queued. Not under a lock. */
  public void deliver() {
    queue.deliver();
  }

  public void clusterOpening() {
    clusterListeners.forEach(
        listener -> queue.put(() -> listener.clusterOpening(new ClusterOpeningEvent(cluster))));
  }

  public void clusterClosed() {
    clusterListeners.forEach(
        listener -> queue.put(() -> listener.clusterClosed(new ClusterClosedEvent(cluster))));
  }

  public void serverOpening(HostAddress server) {
    serverListeners.forEach(
        listener -> queue.put(() -> listener.serverOpening(new ServerOpeningEvent(idOf(server)))));
  }

  public void serverClosed(HostAddress server) {
    serverListeners.forEach(
        listener -> queue.put(() -> listener.serverClosed(new ServerClosedEvent(idOf(server)))));
  }

  /** Tells of every server whose description says something else than before, then of the whole. */
  public void changed(TopologyDescription before, TopologyDescription after) {
    boolean anything =
        before.type() != after.type()
            || !before.servers().keySet().equals(after.servers().keySet());
    for (ServerDescription now : after.list()) {
      @Nullable ServerDescription old = before.servers().get(now.address());
      ServerDescription was = old == null ? ServerDescription.unknown(now.address()) : old;
      if (!was.saysTheSameAs(now)) {
        anything = true;
        serverListeners.forEach(
            listener ->
                queue.put(
                    () ->
                        listener.serverDescriptionChanged(
                            new ServerDescriptionChangedEvent(
                                idOf(now.address()), Descriptions.of(now), Descriptions.of(was)))));
      }
    }
    if (anything) {
      clusterListeners.forEach(
          listener ->
              queue.put(
                  () ->
                      listener.clusterDescriptionChanged(
                          new ClusterDescriptionChangedEvent(
                              cluster, descriptions.of(after), descriptions.of(before)))));
    }
  }

  private ServerId idOf(HostAddress server) {
    return new ServerId(cluster, Descriptions.addressOf(server));
  }
}
