// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.retry;

import io.fairlead.topology.TopologyType;
import java.util.Set;

/** Whose fault a failure is: the one table that health and the widened retries go by. */
public enum FaultKind {
  /** The server's: it is reachable and can't do its work, or is not reachable at all. */
  FAULT,
  /** Of neither kind: the server's only if the others do not show the like. */
  DOUBTFUL,
  /** A change of state, which is discovery's business. */
  STATE_CHANGE,
  /** The server has too much to do, where no other could take the work: says nothing against it. */
  OVERLOADED,
  /**
   * The application's own: a duplicate key, a bad query, a query that took longer than its
   * maxTimeMS.
   */
  APPLICATION;

  /** What a mongos answers when it can't reach its shards, and the like. */
  private static final Set<Integer> FAULTS =
      Set.of(
          6, // HostUnreachable
          7, // HostNotFound
          70, // ShardNotFound
          89, // NetworkTimeout
          133, // FailedToSatisfyReadPreference
          134, // ReadConcernMajorityNotAvailableYet
          202, // NetworkInterfaceExceededTimeLimit
          262, // ExceededTimeLimit
          317, // ConnectionPoolExpired
          384, // ConnectionError
          9001); // SocketException

  private static final Set<Integer> STATE_CHANGES =
      Set.of(
          11600, // InterruptedAtShutdown
          11602, // InterruptedDueToReplStateChange
          10107, // NotWritablePrimary
          13435, // NotPrimaryNoSecondaryOk
          13436, // NotPrimaryOrSecondary
          10058, // LegacyNotPrimary
          189, // PrimarySteppedDown
          91); // ShutdownInProgress

  /** Codes with which a healthy server answers what an application did. */
  private static final Set<Integer> APPLICATIONS =
      Set.of(
          2, // BadValue
          9, // FailedToParse
          11, // UserNotFound
          13, // Unauthorized
          14, // TypeMismatch
          18, // AuthenticationFailed
          20, // IllegalOperation
          26, // NamespaceNotFound
          27, // IndexNotFound
          28, // PathNotViable
          31, // RoleNotFound
          40, // ConflictingUpdateOperators
          43, // CursorNotFound
          48, // NamespaceExists
          50, // MaxTimeMSExpired
          52, // DollarPrefixedFieldName
          53, // InvalidIdField
          54, // NotSingleValueField
          55, // InvalidDBRef
          56, // EmptyFieldName
          57, // DottedFieldName
          59, // CommandNotFound
          61, // ShardKeyNotFound
          64, // WriteConcernTimeout
          66, // ImmutableField
          67, // CannotCreateIndex
          68, // IndexAlreadyExists
          72, // InvalidOptions
          73, // InvalidNamespace
          79, // UnknownReplWriteConcern
          85, // IndexOptionsConflict
          86, // IndexKeySpecsConflict
          96, // OperationFailed
          100, // UnsatisfiableWriteConcern
          112, // WriteConflict
          115, // CommandNotSupported
          117, // ConflictingOperationInProgress
          121, // DocumentValidationFailure
          146, // ExceededMemoryLimit
          160, // MaxStalenessOutOfRange
          166, // CommandNotSupportedOnView
          167, // OptionNotSupportedOnView
          197, // InvalidIndexSpecificationOption
          206, // NoSuchSession
          225, // TransactionTooOld
          237, // CursorKilled
          238, // NotImplemented
          241, // ConversionFailure
          244, // TransactionAborted
          246, // SnapshotUnavailable
          251, // NoSuchTransaction
          256, // TransactionCommitted
          263, // OperationNotSupportedInTransaction
          280, // ChangeStreamFatalError
          286, // ChangeStreamHistoryLost
          291, // NoQueryExecutionPlans
          292, // QueryExceededMemoryLimitNoDiskUseAllowed
          323, // APIStrictError
          11000, // DuplicateKey
          11601, // Interrupted
          13388); // StaleConfig

  /** Locations of parsers and expressions: the application's, although they have no name. */
  private static boolean isLocation(int code) {
    return code > 13_436 && code < 10_000_000;
  }

  /**
   * Judges one failure.
   *
   * @param topology overload counts as a fault among mongoses, where another can take the work;
   *     elsewhere it is no news
   */
  public static FaultKind of(Failure failure, TopologyType topology) {
    return switch (failure) {
      case Failure.Network network ->
          network.isOverload() && topology != TopologyType.SHARDED ? OVERLOADED : FAULT;
      case Failure.ReplyTimeout ignored -> DOUBTFUL;
      case Failure.OperationTimeout ignored -> DOUBTFUL;
      case Failure.Reply reply -> ofReply(reply, topology);
    };
  }

  private static FaultKind ofReply(Failure.Reply reply, TopologyType topology) {
    if (reply.isOverload()) {
      return topology == TopologyType.SHARDED ? FAULT : OVERLOADED;
    }
    if (STATE_CHANGES.contains(reply.code())) {
      return STATE_CHANGE;
    }
    if (reply.writeConcern()) {
      return FAULTS.contains(reply.code()) ? FAULT : APPLICATION;
    }
    if (FAULTS.contains(reply.code())) {
      return FAULT;
    }
    return APPLICATIONS.contains(reply.code()) || isLocation(reply.code()) ? APPLICATION : DOUBTFUL;
  }
}
