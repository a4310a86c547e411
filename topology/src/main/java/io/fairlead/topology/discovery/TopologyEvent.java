// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import io.fairlead.topology.HostAddress;
import java.time.Duration;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Something that was heard from or about the servers of a deployment. */
public sealed interface TopologyEvent {

  /**
   * A server answered hello, well or with {@code ok: 0}.
   *
   * @param roundTrip how long a polled hello took; null for a streamed one, which is no measure of
   *     the network
   */
  record HelloReceived(HostAddress address, BsonDocument hello, @Nullable Duration roundTrip)
      implements TopologyEvent {}

  /**
   * A check got no answer.
   *
   * @param timedOut whether time ran out, rather than the connection failing
   */
  record CheckFailed(HostAddress address, String error, boolean timedOut)
      implements TopologyEvent {}

  /** The round-trip connection of a server that streams its hello has measured once more. */
  record RoundTripMeasured(HostAddress address, Duration roundTrip) implements TopologyEvent {}

  /**
   * A connection of an application's operation failed. While a connection is being made, up to and
   * with its hello, the pool labels network errors that may come of overload with {@code
   * SystemOverloadedError}; these change nothing here.
   *
   * @param generation of the connection, as its pool counted when it was made
   * @param handshakeCompleted whether hello and authentication had succeeded on it
   * @param timedOut whether the failure is a timeout
   * @param labels error labels, such as {@code SystemOverloadedError}
   * @param serviceId behind a load balancer the service that the connection belongs to, once it is
   *     known
   */
  record NetworkError(
      HostAddress address,
      long generation,
      boolean handshakeCompleted,
      boolean timedOut,
      String error,
      Set<String> labels,
      @Nullable ObjectId serviceId)
      implements TopologyEvent {}

  /**
   * A server answered an application's command, or a command of a connection's handshake, with an
   * error or a write concern error. Any such reply may be given; discovery judges by itself whether
   * it tells of a change of state.
   */
  record ErrorReply(
      HostAddress address,
      long generation,
      boolean handshakeCompleted,
      BsonDocument reply,
      @Nullable ObjectId serviceId)
      implements TopologyEvent {}

  /**
   * A DNS seed list was resolved anew. Heeded only while the deployment may consist of mongoses.
   */
  record SeedsChanged(Set<HostAddress> seeds) implements TopologyEvent {}
}
