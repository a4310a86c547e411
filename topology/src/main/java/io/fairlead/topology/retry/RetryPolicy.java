// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

import io.fairlead.topology.HostAddress;
import io.fairlead.topology.TopologyType;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Whether a failed attempt is followed by another, away from whom, and after which pause.
 *
 * <p>Three policies are united: the specification's retryable reads and writes (one more attempt,
 * or any number within an operation's own timeout), its overload policy (what a server calls
 * retryable, after a growing random pause), and Fairlead's {@code retryServerFaults} (what health
 * counts as a server's fault, each server at most once, at most three attempts).
 *
 * <p>What a retry avoids: on a sharded deployment the server of every retryable failure; elsewhere
 * that of an overload error, with {@code enableOverloadRetargeting}; and whoever showed a fault
 * that only the widened policy retries. Immutable.
 */
public final class RetryPolicy {
  /** Failures of a read that the specification retries. */
  private static final Set<Integer> RETRYABLE_READ =
      Set.of(
          6, // HostUnreachable
          7, // HostNotFound
          89, // NetworkTimeout
          91, // ShutdownInProgress
          134, // ReadConcernMajorityNotAvailableYet
          189, // PrimarySteppedDown
          262, // ExceededTimeLimit
          9001, // SocketException
          10107, // NotWritablePrimary
          11600, // InterruptedAtShutdown
          11602, // InterruptedDueToReplStateChange
          13435, // NotPrimaryNoSecondaryOk
          13436); // NotPrimaryOrSecondary

  /**
   * What a server before 4.4, which gives no labels, means to be retried when it answers a write
   * with it.
   */
  private static final Set<Integer> RETRYABLE_WRITE_BEFORE_LABELS =
      Set.of(6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);

  /** MongoDB 4.4, the first that labels retryable writes itself. */
  private static final int LABELS_FROM_WIRE_VERSION = 9;

  private static final int ATTEMPTS_MAX_ON_FAULTS = 3;
  private static final Duration BASE_BACKOFF = Duration.ofMillis(100);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);

  private final RetryOptions options;

  public RetryPolicy(RetryOptions options) {
    this.options = options;
  }

  /**
   * One attempt that failed.
   *
   * @param wireVersion of the connection; 0 if there was none
   * @param hasTimeout whether the operation has a timeout of its own ({@code timeoutMS}), within
   *     which the number of retries is not limited
   */
  public record Attempt(
      HostAddress server,
      Failure failure,
      Retryability retryability,
      TopologyType topology,
      int wireVersion,
      boolean hasTimeout) {}

  /**
   * Decides about one failed attempt.
   *
   * @param state what came before this failure
   * @param freshServerLeft whether a suitable server exists beside the given ones; asked only for
   *     the widened policy
   * @param random for the pause's jitter
   */
  public RetryDecision decide(
      RetryState state,
      Attempt attempt,
      Predicate<Set<HostAddress>> freshServerLeft,
      RandomGenerator random) {
    Failure failure = attempt.failure();
    RetryState failed = state.failedAt(attempt.server(), failure.isOverload());
    if (failure instanceof Failure.OperationTimeout) {
      return giveUp("the operation's time is over", failure);
    }
    if (isOverloadRetry(attempt) || isSpecified(attempt)) {
      int most = retriesMax(failed, attempt);
      if (failed.retries() < most) {
        return retry(failed, attempt, random);
      }
      if (failed.overloaded()) {
        return giveUp(
            "tried again " + failed.retries() + " times, no more under overload", failure);
      }
    }
    return onFaultElsewhere(failed, attempt, freshServerLeft);
  }

  private boolean isOverloadRetry(Attempt attempt) {
    return attempt.failure().isOverload()
        && attempt.failure().has(Failure.RETRYABLE)
        && isEnabled(attempt.retryability());
  }

  private boolean isEnabled(Retryability retryability) {
    return switch (retryability) {
      case READ, READ_ONCE -> options.retryReads();
      case WRITE, WRITE_ONCE -> options.retryWrites();
      case COMMAND -> options.retryReads() && options.retryWrites();
      case COMMIT -> true;
    };
  }

  private boolean isSpecified(Attempt attempt) {
    return switch (attempt.retryability()) {
      case READ_ONCE, WRITE_ONCE, COMMAND -> false;
      case READ -> options.retryReads() && isRetryableRead(attempt.failure());
      case WRITE -> options.retryWrites() && isRetryableWrite(attempt);
      case COMMIT -> isRetryableWrite(attempt);
    };
  }

  private static boolean isRetryableRead(Failure failure) {
    return switch (failure) {
      case Failure.Network ignored -> true;
      case Failure.ReplyTimeout ignored -> true;
      case Failure.OperationTimeout ignored -> false;
      case Failure.Reply reply -> !reply.writeConcern() && RETRYABLE_READ.contains(reply.code());
    };
  }

  private static boolean isRetryableWrite(Attempt attempt) {
    return switch (attempt.failure()) {
      case Failure.Network ignored -> true;
      case Failure.ReplyTimeout ignored -> true;
      case Failure.OperationTimeout ignored -> false;
      case Failure.Reply reply ->
          reply.has(Failure.RETRYABLE_WRITE) || isRetryableWithoutLabel(reply, attempt);
    };
  }

  /**
   * A mongos before 4.4 gave its labels for nothing that it answered itself, so only replies of
   * commands count there.
   */
  private static boolean isRetryableWithoutLabel(Failure.Reply reply, Attempt attempt) {
    return attempt.wireVersion() > 0
        && attempt.wireVersion() < LABELS_FROM_WIRE_VERSION
        && !(reply.writeConcern() && attempt.topology() == TopologyType.SHARDED)
        && RETRYABLE_WRITE_BEFORE_LABELS.contains(reply.code());
  }

  /**
   * One retry; any number within an operation's own timeout; under overload so many and no more,
   * whatever the policy.
   */
  private int retriesMax(RetryState failed, Attempt attempt) {
    if (failed.overloaded()) {
      return options.maxAdaptiveRetries();
    }
    return attempt.hasTimeout() ? Integer.MAX_VALUE : 1;
  }

  private RetryDecision retry(RetryState failed, Attempt attempt, RandomGenerator random) {
    boolean overload = attempt.failure().isOverload();
    boolean avoid =
        attempt.topology() == TopologyType.SHARDED
            || (overload && options.enableOverloadRetargeting());
    Set<HostAddress> avoided =
        avoid ? failed.deprioritizedAnd(attempt.server()) : failed.deprioritized();
    RetryState next = failed.granted(avoided);
    Duration backoff =
        overload ? backoff(next.retries(), attempt.failure(), random) : Duration.ZERO;
    return new RetryDecision.Retry(
        next,
        backoff,
        attempt.failure().summary() + " at " + attempt.server() + " is retryable",
        false);
  }

  private static Duration backoff(int retry, Failure failure, RandomGenerator random) {
    Duration base = BASE_BACKOFF;
    if (failure instanceof Failure.Reply reply) {
      Duration asked = reply.baseBackoff();
      base = asked != null && asked.isPositive() ? asked : base;
    }
    double grown = (double) base.toNanos() * Math.pow(2, retry);
    double most = Math.min((double) MAX_BACKOFF.toNanos(), grown);
    return Duration.ofNanos((long) (random.nextDouble() * most));
  }

  /**
   * Fairlead's own: a fault that the specification would not retry, or not once more, is taken to a
   * server not tried yet.
   */
  private RetryDecision onFaultElsewhere(
      RetryState failed, Attempt attempt, Predicate<Set<HostAddress>> freshServerLeft) {
    Failure failure = attempt.failure();
    if (!options.retryServerFaults()) {
      return giveUp(failed.retries() > 0 ? "tried again already" : "not retryable", failure);
    }
    if (!attempt.retryability().isHarmless() || !isEnabled(attempt.retryability())) {
      return giveUp("a second application might do harm", failure);
    }
    if (!isServersFault(attempt)) {
      return giveUp("not the server's fault", failure);
    }
    if (failed.tried().size() >= ATTEMPTS_MAX_ON_FAULTS) {
      return giveUp(failed.tried().size() + " attempts have been made", failure);
    }
    Set<HostAddress> tried = Set.copyOf(failed.tried());
    if (!freshServerLeft.test(tried)) {
      return giveUp("every suitable server has been tried", failure);
    }
    return new RetryDecision.Retry(
        failed.granted(tried),
        Duration.ZERO,
        failure.summary() + " at " + attempt.server() + " is the server's fault",
        true);
  }

  private static boolean isServersFault(Attempt attempt) {
    return switch (FaultKind.of(attempt.failure(), attempt.topology())) {
      case FAULT, DOUBTFUL -> true;
      // A state change is retried once by the specification; a third attempt may still find a
      // server that is well.
      case STATE_CHANGE -> attempt.topology() == TopologyType.SHARDED;
      case OVERLOADED, APPLICATION -> false;
    };
  }

  private static RetryDecision giveUp(String because, Failure failure) {
    return new RetryDecision.GiveUp(because, failure.has(Failure.NO_WRITES_PERFORMED));
  }
}
