// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import io.fairlead.cluster.session.ClusterClock;
import io.fairlead.cluster.session.SessionPool;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.selection.SelectionTrace;

/**
 * One deployment as a client sees it: its servers are watched, and {@link #execute} runs a command on the right one, a retry
 * on a different one where the specifications say so. Any thread may call anything.
 */
public final class Cluster implements AutoCloseable {
  private Cluster(ClusterSettings settings) {}

  /**
   * Starts watching the deployment and returns at once, before any server has answered.
   *
   * @param settings what is not supported was refused when they were read
   */
  public static Cluster start(ClusterSettings settings) {
    return new Cluster(settings);
  }

  /**
   * Runs one operation: selects a server, sends, and tries again as the operation, the client and the specifications allow.
   *
   * @return the reply whose {@code ok} is 1
   * @throws com.mongodb.MongoCommandException (or a subclass) when the server answered with an error
   * @throws com.mongodb.MongoSocketException (or a subclass) when the connection failed
   * @throws com.mongodb.MongoTimeoutException when no server was suitable, no connection free, or the operation's time was up
   * @throws com.mongodb.MongoInterruptedException when the calling thread was interrupted; its interrupt status is set
   * @throws IllegalStateException after {@link #close}
   */
  public CommandResult execute(Operation operation) {
    throw new UnsupportedOperationException(operation.toString());
  }

  /** The deployment as it is known now. */
  public TopologyDescription topology() {
    throw new UnsupportedOperationException();
  }

  /** The sessions of this client. */
  public SessionPool sessions() {
    throw new UnsupportedOperationException();
  }

  /** The greatest cluster time seen. */
  public ClusterClock clusterTime() {
    throw new UnsupportedOperationException();
  }

  /** Every server, the step at which it falls out of selection, and why. */
  public SelectionTrace explain(OperationKind kind, ReadPreference preference) {
    throw new UnsupportedOperationException(kind + " " + preference);
  }

  /** What routing sees and did. */
  public RoutingView routing() {
    throw new UnsupportedOperationException();
  }

  /** Changes the routing options from the next selection on. */
  public void configureRouting(RoutingOptions live) {
    throw new UnsupportedOperationException(live.toString());
  }

  /** Ends the sessions, closes every connection, stops every thread and waits for it, at most a few seconds. */
  @Override
  public void close() {}
}
