// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.RoundTripTime;
import io.fairlead.topology.ServerDescription;
import io.fairlead.topology.ServerType;
import io.fairlead.topology.TopologyDescription;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.TopologyVersion;
import io.fairlead.topology.discovery.TopologyEvent.CheckFailed;
import io.fairlead.topology.discovery.TopologyEvent.ErrorReply;
import io.fairlead.topology.discovery.TopologyEvent.HelloReceived;
import io.fairlead.topology.discovery.TopologyEvent.NetworkError;
import io.fairlead.topology.discovery.TopologyEvent.RoundTripMeasured;
import io.fairlead.topology.discovery.TopologyEvent.SeedsChanged;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a deployment, and how it changes with what is heard. Immutable; {@link #on}
 * gives the next state and what ought to be done. Holds, beside the description, the generation of
 * every pool, as an error of an older one says nothing new.
 */
public final class Discovery {
  private static final String OVERLOADED = "SystemOverloadedError";

  private final DiscoverySettings settings;
  private final TopologyDescription description;
  private final Map<Pool, Long> generations;

  /** A pool, or behind a load balancer the part of it that leads to one service. */
  private record Pool(HostAddress address, @Nullable ObjectId serviceId) {}

  private Discovery(
      DiscoverySettings settings, TopologyDescription description, Map<Pool, Long> generations) {
    this.settings = settings;
    this.description = description;
    this.generations = generations;
  }

  /** The state before anything is heard, and whom to ask first. */
  public static Transition start(DiscoverySettings settings) {
    boolean balanced = settings.connection() == DiscoverySettings.Connection.LOAD_BALANCED;
    Map<HostAddress, ServerDescription> servers = new LinkedHashMap<>();
    List<Action> actions = new ArrayList<>();
    for (HostAddress seed : settings.seeds()) {
      ServerType type = balanced ? ServerType.LOAD_BALANCER : ServerType.UNKNOWN;
      servers.put(seed, ServerDescription.of(seed, type));
      actions.add(balanced ? new Action.ReadyPool(seed) : new Action.StartMonitor(seed));
    }
    TopologyDescription description =
        new TopologyDescription(initialType(settings), settings.setName(), servers, null, null);
    return new Transition(new Discovery(settings, description, Map.of()), actions);
  }

  private static TopologyType initialType(DiscoverySettings settings) {
    return switch (settings.connection()) {
      case DIRECT -> TopologyType.SINGLE;
      case LOAD_BALANCED -> TopologyType.LOAD_BALANCED;
      case DISCOVER ->
          settings.setName() == null ? TopologyType.UNKNOWN : TopologyType.REPLICA_SET_NO_PRIMARY;
    };
  }

  public TopologyDescription description() {
    return description;
  }

  /** What connections of this server's pool carry if they are made now; 0 at first. */
  public long generation(HostAddress address) {
    return generation(address, null);
  }

  public long generation(HostAddress address, @Nullable ObjectId serviceId) {
    return generations.getOrDefault(new Pool(address, serviceId), 0L);
  }

  public Transition on(TopologyEvent event, Instant now) {
    return switch (event) {
      case HelloReceived hello -> afterHello(hello, now);
      case CheckFailed failure -> afterFailedCheck(failure, now);
      case RoundTripMeasured measured -> afterRoundTrip(measured);
      case NetworkError error -> afterNetworkError(error, now);
      case ErrorReply error -> afterErrorReply(error, now);
      case SeedsChanged changed -> afterSeeds(changed);
    };
  }

  private Transition afterHello(HelloReceived event, Instant now) {
    ServerDescription current = description.servers().get(event.address());
    if (current == null || isBalanced()) {
      return unchanged();
    }
    if (!HelloReply.isOk(event.hello())) {
      String error = "hello was answered with " + errorOf(event.hello());
      return afterFailedCheck(new CheckFailed(event.address(), error, false), now);
    }
    ServerDescription heard =
        HelloReply.describe(event.address(), event.hello(), ping(current, event.roundTrip()), now);
    TopologyVersion known = current.topologyVersion();
    if (known != null && known.isNewerThan(heard.topologyVersion())) {
      return unchanged();
    }
    TopologyUpdate update = new TopologyUpdate(description, settings);
    update.replace(heard);
    List<Action> actions = new ArrayList<>();
    boolean usable =
        heard.isDataBearing()
            || (description.type() == TopologyType.SINGLE && !heard.type().isUnknown());
    boolean stillThere = update.knows(event.address()) && !update.isUnknown(event.address());
    if (usable && stillThere) {
      actions.add(new Action.ReadyPool(event.address()));
    }
    actions.addAll(update.actions());
    return new Transition(after(update.description(), generations), actions);
  }

  /** A streamed hello is no measure; then the last measures stay. */
  private static @Nullable RoundTripTime ping(
      ServerDescription current, @Nullable Duration sample) {
    RoundTripTime before = current.ping();
    if (sample == null) {
      return before;
    }
    return before == null ? RoundTripTime.of(sample) : before.with(sample);
  }

  private Transition afterRoundTrip(RoundTripMeasured event) {
    ServerDescription current = description.servers().get(event.address());
    if (current == null || current.type().isUnknown()) {
      return unchanged();
    }
    ServerDescription measured = current.withPing(ping(current, event.roundTrip()));
    return new Transition(after(description.with(measured), generations), List.of());
  }

  private Transition afterFailedCheck(CheckFailed event, Instant now) {
    if (!description.servers().containsKey(event.address()) || isBalanced()) {
      return unchanged();
    }
    ServerDescription failed = ServerDescription.failed(event.address(), event.error(), null, now);
    return unknownAndCleared(failed, event.timedOut(), false);
  }

  private Transition afterNetworkError(NetworkError event, Instant now) {
    if (isStale(event.address(), event.serviceId(), event.generation())
        || event.labels().contains(OVERLOADED)) {
      return unchanged();
    }
    if (event.timedOut() && event.handshakeCompleted()) {
      return unchanged(); // the operation may just be slow
    }
    if (isBalanced()) {
      return event.serviceId() == null
          ? unchanged()
          : cleared(event.address(), event.serviceId(), event.error());
    }
    ServerDescription failed = ServerDescription.failed(event.address(), event.error(), null, now);
    return unknownAndCleared(failed, false, true);
  }

  private Transition afterErrorReply(ErrorReply event, Instant now) {
    if (isStale(event.address(), event.serviceId(), event.generation())) {
      return unchanged();
    }
    ServerDescription current = description.servers().get(event.address());
    TopologyVersion known = current == null ? null : current.topologyVersion();
    TopologyVersion told = TopologyVersion.in(event.reply());
    if (known != null && known.isAtLeast(told)) {
      return unchanged(); // any change of state makes a new version, so this one has been heeded
    }
    Optional<StateChange> change = StateChange.in(event.reply());
    if (change.isPresent()) {
      return afterStateChange(event, change.get(), told, now);
    }
    boolean refused = !event.handshakeCompleted() && !HelloReply.isOk(event.reply());
    if (!refused || hasLabel(event.reply(), OVERLOADED)) {
      return unchanged();
    }
    String error = "the handshake was answered with " + errorOf(event.reply());
    if (isBalanced()) {
      return event.serviceId() == null
          ? unchanged()
          : cleared(event.address(), event.serviceId(), error);
    }
    return unknownAndCleared(
        ServerDescription.failed(event.address(), error, null, now), false, true);
  }

  private Transition afterStateChange(
      ErrorReply event, StateChange change, @Nullable TopologyVersion told, Instant now) {
    String error = "answered " + errorOf(event.reply());
    if (isBalanced()) {
      return change == StateChange.SHUTTING_DOWN
          ? cleared(event.address(), event.serviceId(), error)
          : unchanged();
    }
    ServerDescription failed = ServerDescription.failed(event.address(), error, told, now);
    TopologyUpdate update = new TopologyUpdate(description, settings);
    update.replace(failed);
    List<Action> actions = new ArrayList<>();
    Map<Pool, Long> counted = generations;
    if (change == StateChange.SHUTTING_DOWN) {
      counted = nextGeneration(event.address(), null);
      actions.add(clear(event.address(), null, counted, false, error));
    }
    actions.addAll(update.actions());
    actions.add(new Action.RequestCheck(event.address()));
    return new Transition(after(update.description(), counted), actions);
  }

  private Transition unknownAndCleared(
      ServerDescription failed, boolean interruptInUse, boolean cancelCheck) {
    TopologyUpdate update = new TopologyUpdate(description, settings);
    update.replace(failed);
    Map<Pool, Long> counted = nextGeneration(failed.address(), null);
    List<Action> actions = new ArrayList<>();
    String because = failed.error() == null ? "failed" : failed.error();
    actions.add(clear(failed.address(), null, counted, interruptInUse, because));
    actions.addAll(update.actions());
    if (cancelCheck) {
      actions.add(new Action.CancelCheck(failed.address()));
    }
    return new Transition(after(update.description(), counted), actions);
  }

  private Transition cleared(HostAddress address, @Nullable ObjectId serviceId, String because) {
    Map<Pool, Long> counted = nextGeneration(address, serviceId);
    return new Transition(
        after(description, counted), List.of(clear(address, serviceId, counted, false, because)));
  }

  private static Action clear(
      HostAddress address,
      @Nullable ObjectId serviceId,
      Map<Pool, Long> counted,
      boolean interruptInUse,
      String because) {
    long generation = counted.getOrDefault(new Pool(address, serviceId), 0L);
    return new Action.ClearPool(address, serviceId, generation, interruptInUse, because);
  }

  /**
   * Mongoses named by DNS come and go; the seeds of anything else have done their work once it is
   * found.
   */
  private Transition afterSeeds(SeedsChanged event) {
    boolean heeded =
        description.type() == TopologyType.SHARDED || description.type() == TopologyType.UNKNOWN;
    if (!heeded || event.seeds().isEmpty()) {
      return unchanged();
    }
    TopologyUpdate update = new TopologyUpdate(description, settings);
    update.removeAllBut(event.seeds(), "no longer in the DNS seed list");
    update.addAll(event.seeds());
    return new Transition(after(update.description(), generations), update.actions());
  }

  private boolean isBalanced() {
    return description.type() == TopologyType.LOAD_BALANCED;
  }

  private boolean isStale(HostAddress address, @Nullable ObjectId serviceId, long generation) {
    return !description.servers().containsKey(address)
        || generation < generation(address, serviceId);
  }

  private Map<Pool, Long> nextGeneration(HostAddress address, @Nullable ObjectId serviceId) {
    Map<Pool, Long> counted = new HashMap<>(generations);
    counted.merge(new Pool(address, serviceId), 1L, Long::sum);
    return Map.copyOf(counted);
  }

  private Transition unchanged() {
    return new Transition(this, List.of());
  }

  private Discovery after(TopologyDescription changed, Map<Pool, Long> counted) {
    return new Discovery(settings, changed, counted);
  }

  private static boolean hasLabel(BsonDocument reply, String label) {
    BsonValue labels = reply.get("errorLabels");
    return labels != null
        && labels.isArray()
        && labels.asArray().contains(new org.bson.BsonString(label));
  }

  private static String errorOf(BsonDocument reply) {
    BsonDocument error = reply;
    if (HelloReply.isOk(reply) && reply.get("writeConcernError") instanceof BsonDocument concern) {
      error = concern;
    }
    BsonValue code = error.get("code");
    BsonValue message = error.get("errmsg");
    String words =
        message != null && message.isString() ? message.asString().getValue() : "no message";
    return (code != null && code.isNumber() ? "error " + code.asNumber().intValue() : "an error")
        + " ("
        + words
        + ")";
  }
}
