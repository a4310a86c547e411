// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.readpreference;

import org.jspecify.annotations.Nullable;

/**
 * What was asked for, at every level; what comes of it is {@link EffectiveReadPreference}'s to say.
 * Null at a level means that nothing was set there.
 *
 * @param operation set on the operation itself
 * @param transaction the surroundings of a session that have their own word
 */
public record ReadWish(
    OperationKind kind,
    @Nullable ReadPreference operation,
    @Nullable ReadPreference collection,
    @Nullable ReadPreference database,
    @Nullable ReadPreference client,
    SessionState transaction) {

  /** What the session adds. */
  public sealed interface SessionState {
    SessionState NONE = new None();

    /** No session, or one that neither is in a transaction nor has to see its own write. */
    record None() implements SessionState {}

    /**
     * In a transaction.
     *
     * @param options set on the transaction's options, {@code session} on the session's defaults;
     *     null where nothing was set
     */
    record InTransaction(@Nullable ReadPreference options, @Nullable ReadPreference session)
        implements SessionState {}

    /**
     * Inside the opted-in window after this client's own write, in which reads go to the primary.
     */
    record AfterOwnWrite() implements SessionState {}
  }

  /** A write, or a command that must go to the primary whatever is configured. */
  public static ReadWish none(OperationKind kind) {
    return new ReadWish(kind, null, null, null, null, SessionState.NONE);
  }

  /** A read with this set on the operation and nothing elsewhere. */
  public static ReadWish read(@Nullable ReadPreference operation) {
    return new ReadWish(OperationKind.READ, operation, null, null, null, SessionState.NONE);
  }

  public ReadWish withKind(OperationKind changed) {
    return new ReadWish(changed, operation, collection, database, client, transaction);
  }

  public ReadWish withOperation(@Nullable ReadPreference changed) {
    return new ReadWish(kind, changed, collection, database, client, transaction);
  }

  public ReadWish in(SessionState changed) {
    return new ReadWish(kind, operation, collection, database, client, changed);
  }
}
