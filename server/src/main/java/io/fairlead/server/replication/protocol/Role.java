// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a member is in the current term. */
public sealed interface Role {

  /** Follows a primary, or waits for one. */
  record Follower() implements Role {}

  /**
   * Asks for votes.
   *
   * @param dryRun whether it only asks if it would win, without a new term
   * @param yes members that granted their vote, itself included
   * @param answered members whose answer is in, itself included
   * @param until when the attempt is given up
   */
  record Candidate(boolean dryRun, Set<Integer> yes, Set<Integer> answered, Instant until)
      implements Role {
    public Candidate {
      yes = Set.copyOf(yes);
      answered = Set.copyOf(answered);
    }
  }

  /**
   * Leads.
   *
   * @param phase how far it is on the way to accepting writes
   * @param since when it was elected
   * @param catchUpUntil when a {@link Phase#CATCHING_UP} primary stops waiting for entries of
   *     others
   * @param handover the step-down in progress; no writes are accepted while there is one
   */
  record Leader(Phase phase, Instant since, Instant catchUpUntil, @Nullable Handover handover)
      implements Role {}

  /** A new primary's way to its first write. */
  enum Phase {
    /** Pulls entries that another member has and it lacks. */
    CATCHING_UP,
    /** Applies what it has pulled, then opens its term in the log. */
    DRAINING,
    /** Accepts writes. */
    WRITABLE
  }

  /**
   * A step-down that waits for a secondary to have everything.
   *
   * @param request to be answered
   * @param catchUpUntil when the wait ends
   * @param until when this member may stand for election again
   * @param force whether to step down even when no secondary caught up
   */
  record Handover(long request, Instant catchUpUntil, Instant until, boolean force) {}
}
