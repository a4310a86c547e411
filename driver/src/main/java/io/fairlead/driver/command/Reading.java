// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.command;

import io.fairlead.topology.readpreference.LatencyWindow;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.readpreference.ReadWish.SessionState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The read preferences that were set on a client, a database and a collection, kept apart, and
 * Fairlead's own additions to them. What comes of them for one operation is {@link
 * io.fairlead.topology.readpreference.EffectiveReadPreference}'s to say; nothing is decided here.
 * Immutable.
 */
public final class Reading {
  private final com.mongodb.ReadPreference inherited;
  private final ReadWish read;
  private final @Nullable LatencyWindow latencyWindow;
  private final @Nullable Duration maxPing;

  private Reading(
      com.mongodb.ReadPreference inherited,
      ReadWish read,
      @Nullable LatencyWindow latencyWindow,
      @Nullable Duration maxPing) {
    this.inherited = inherited;
    this.read = read;
    this.latencyWindow = latencyWindow;
    this.maxPing = maxPing;
  }

  /** What a client was configured with; null means the default, primary. */
  public static Reading ofClient(com.mongodb.@Nullable ReadPreference preference) {
    ReadWish wish =
        new ReadWish(
            OperationKind.READ, null, null, null, translate(preference), SessionState.NONE);
    return new Reading(
        preference == null ? com.mongodb.ReadPreference.primary() : preference, wish, null, null);
  }

  /** With another preference set on the client; null means the default, primary. */
  public Reading withClient(com.mongodb.@Nullable ReadPreference preference) {
    return ofClient(preference);
  }

  /** With a preference set on the database; null means what the client says. */
  public Reading withDatabase(com.mongodb.@Nullable ReadPreference preference) {
    ReadWish wish =
        new ReadWish(
            OperationKind.READ,
            null,
            null,
            translate(preference),
            read.client(),
            SessionState.NONE);
    return new Reading(preference == null ? inherited : preference, wish, latencyWindow, maxPing);
  }

  /** With a preference set on the collection; null means what database and client say. */
  public Reading withCollection(com.mongodb.@Nullable ReadPreference preference) {
    return atCollection(
        preference == null ? inherited : preference, translate(preference), latencyWindow, maxPing);
  }

  /**
   * With another latency window and maximal ping for reads of the collection; null: those of client
   * or router.
   */
  public Reading withRouting(@Nullable LatencyWindow window, @Nullable Duration ping) {
    return atCollection(inherited, translate(inherited), window, ping);
  }

  private Reading atCollection(
      com.mongodb.ReadPreference named,
      @Nullable ReadPreference preference,
      @Nullable LatencyWindow window,
      @Nullable Duration ping) {
    ReadPreference collection = preference;
    if (window != null || ping != null) {
      collection =
          (preference == null ? ReadPreference.PRIMARY : preference)
              .withLatencyWindow(window)
              .withMaxPing(ping);
    }
    ReadWish wish =
        new ReadWish(
            OperationKind.READ,
            null,
            collection,
            read.database(),
            read.client(),
            SessionState.NONE);
    return new Reading(named, wish, window, ping);
  }

  /** The preference in force for reads that honour every default. */
  public com.mongodb.ReadPreference preference() {
    return inherited;
  }

  public @Nullable LatencyWindow latencyWindow() {
    return latencyWindow;
  }

  public @Nullable Duration maxPing() {
    return maxPing;
  }

  /** What is wished for an operation of this kind. */
  public ReadWish wish(OperationKind kind) {
    return kind == OperationKind.READ ? read : read.withKind(kind);
  }

  /** What is wished for an operation of this kind with a preference set on itself. */
  public ReadWish wish(OperationKind kind, com.mongodb.@Nullable ReadPreference operation) {
    return wish(kind).withOperation(translate(operation));
  }

  /** The core's form of a public preference: what that one would put on the wire, read back. */
  public static @Nullable ReadPreference translate(
      com.mongodb.@Nullable ReadPreference preference) {
    if (preference == null) {
      return null;
    }
    return preference.equals(com.mongodb.ReadPreference.primary())
        ? ReadPreference.PRIMARY
        : ReadPreference.parse(preference.toDocument());
  }
}
