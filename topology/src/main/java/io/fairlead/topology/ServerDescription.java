// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last thing known about one server. Immutable; a new answer makes a new description.
 *
 * @param ping null until the first sample, and after every failure
 * @param tags of a replica-set member, empty without any
 * @param lastUpdateTime when the answer or failure that this description stems from was heard; null
 *     before the first
 * @param lastWriteDate when the member's newest write was made, by its own clock
 * @param error why the server is unknown, in one line; null while it is well or not yet checked
 */
public record ServerDescription(
    HostAddress address,
    ServerType type,
    @Nullable RoundTripTime ping,
    Map<String, String> tags,
    Membership membership,
    ServerLimits limits,
    @Nullable Instant lastWriteDate,
    @Nullable Instant lastUpdateTime,
    @Nullable Integer logicalSessionTimeoutMinutes,
    @Nullable TopologyVersion topologyVersion,
    @Nullable String error) {

  public ServerDescription {
    tags = Map.copyOf(tags);
  }

  /** A server that has not been checked yet. */
  public static ServerDescription unknown(HostAddress address) {
    return of(address, ServerType.UNKNOWN);
  }

  /** A server of which only the type is known. */
  public static ServerDescription of(HostAddress address, ServerType type) {
    return new ServerDescription(
        address,
        type,
        null,
        Map.of(),
        Membership.NONE,
        ServerLimits.DEFAULT,
        null,
        null,
        null,
        null,
        null);
  }

  /** A server that failed: nothing is known any more but why and since when. */
  public static ServerDescription failed(
      HostAddress address, String error, @Nullable TopologyVersion topologyVersion, Instant now) {
    return new ServerDescription(
        address,
        ServerType.UNKNOWN,
        null,
        Map.of(),
        Membership.NONE,
        ServerLimits.DEFAULT,
        null,
        now,
        null,
        topologyVersion,
        error);
  }

  public @Nullable String setName() {
    return membership.setName();
  }

  /** The average of the round-trip times, absent until the first sample. */
  public Optional<Duration> roundTripTime() {
    return ping == null ? Optional.empty() : Optional.of(ping.average());
  }

  /** The average in nanoseconds, zero until the first sample. */
  public long roundTripNanos() {
    return ping == null ? 0 : ping.average().toNanos();
  }

  public boolean isDataBearing() {
    return type.isDataBearing();
  }

  public ServerDescription withType(ServerType changed) {
    return new ServerDescription(
        address,
        changed,
        ping,
        tags,
        membership,
        limits,
        lastWriteDate,
        lastUpdateTime,
        logicalSessionTimeoutMinutes,
        topologyVersion,
        error);
  }

  public ServerDescription withPing(@Nullable RoundTripTime changed) {
    return new ServerDescription(
        address,
        type,
        changed,
        tags,
        membership,
        limits,
        lastWriteDate,
        lastUpdateTime,
        logicalSessionTimeoutMinutes,
        topologyVersion,
        error);
  }

  public ServerDescription withTags(Map<String, String> changed) {
    return new ServerDescription(
        address,
        type,
        ping,
        changed,
        membership,
        limits,
        lastWriteDate,
        lastUpdateTime,
        logicalSessionTimeoutMinutes,
        topologyVersion,
        error);
  }

  /** The same with another answer's times, as staleness estimates need them. */
  public ServerDescription withTimes(@Nullable Instant lastWrite, @Nullable Instant lastUpdate) {
    return new ServerDescription(
        address,
        type,
        ping,
        tags,
        membership,
        limits,
        lastWrite,
        lastUpdate,
        logicalSessionTimeoutMinutes,
        topologyVersion,
        error);
  }

  /**
   * Whether the two say the same about the server, the round-trip time and the time of hearing
   * apart: the specification's equality, which decides whether a change is worth an event.
   */
  public boolean saysTheSameAs(ServerDescription other) {
    return address.equals(other.address)
        && type == other.type
        && tags.equals(other.tags)
        && membership.equals(other.membership)
        && limits.minWireVersion() == other.limits.minWireVersion()
        && limits.maxWireVersion() == other.limits.maxWireVersion()
        && java.util.Objects.equals(
            logicalSessionTimeoutMinutes, other.logicalSessionTimeoutMinutes)
        && java.util.Objects.equals(topologyVersion, other.topologyVersion)
        && java.util.Objects.equals(error, other.error);
  }

  /**
   * For messages: {@code db2:27017 RSSecondary, tags {dc: "fra"}, ping 1.2 ms}, or why it is
   * unknown.
   */
  public String summary() {
    StringBuilder text = new StringBuilder(address.toString()).append(' ').append(type);
    if (error != null) {
      text.append(" (").append(error).append(')');
    }
    if (!tags.isEmpty()) {
      text.append(", tags ").append(Words.tags(tags));
    }
    if (ping != null) {
      text.append(", ping ").append(Words.duration(ping.average()));
    }
    return text.toString();
  }
}
