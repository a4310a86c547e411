// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

import java.time.Duration;

/** What to do after a failed attempt. */
public sealed interface RetryDecision {

  /**
   * Try once more.
   *
   * @param next goes into the next selection and the next decision
   * @param backoff how long to wait first; zero unless a server is overloaded
   * @param because for the log and for listeners
   * @param mustGoElsewhere whether the attempt is only worth making at a server that has not been
   *     tried: it is not made if selection offers a tried one
   */
  record Retry(RetryState next, Duration backoff, String because, boolean mustGoElsewhere)
      implements RetryDecision {}

  /**
   * Tell the caller.
   *
   * @param because why not
   * @param raiseEarlier whether this failure says that no write was made, so that an earlier one
   *     tells the caller more
   */
  record GiveUp(String because, boolean raiseEarlier) implements RetryDecision {}
}
