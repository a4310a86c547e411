// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.server.replication.ReadConcern;
import java.util.Set;
import org.bson.BsonValue;

/** What is checked of every statement of a multi-document transaction before it runs. */
final class TransactionChecks {
  private static final Set<String> OUT_OF_BOUNDS = Set.of("admin", "config", "local");

  private TransactionChecks() {}

  static void requireAllowed(CommandContext context) {
    if (!context.coordinator().isReplicaSetMember()) {
      throw Failures.of(
          20, "Transaction numbers are only allowed on a replica set member or mongos");
    }
    CommandSpec spec = context.spec();
    if (!spec.has(Trait.TRANSACTION)) {
      throw Failures.of(263, refusal(spec.name()));
    }
    boolean ends = spec.has(Trait.ENDS_TRANSACTION);
    if (!ends && !spec.name().equals("bulkWrite")) {
      requireOrdinaryNamespace(context);
    }
    requireConcerns(context, ends);
    requirePrimaryPreference(context);
  }

  private static String refusal(String command) {
    return command.equals("count")
        ? "Cannot run 'count' in a multi-document transaction. Please see"
            + " http://dochub.mongodb.org/core/transaction-count for a recommended alternative."
        : "Cannot run '" + command + "' in a multi-document transaction.";
  }

  private static void requireOrdinaryNamespace(CommandContext context) {
    if (OUT_OF_BOUNDS.contains(context.database())) {
      throw Failures.of(
          263,
          "Cannot run command against the '" + context.database() + "' database in a transaction.");
    }
    BsonValue subject = context.subject();
    if (subject.isString() && subject.asString().getValue().startsWith("system.")) {
      throw Failures.of(
          263,
          "Cannot run command against the '"
              + context.database()
              + "."
              + subject.asString().getValue()
              + "' collection in a transaction.");
    }
  }

  private static void requireConcerns(CommandContext context, boolean ends) {
    GenericArguments generic = context.generic();
    if (generic.writeConcern() != null && !ends) {
      throw Failures.of(72, "writeConcern is not allowed within a multi-statement transaction");
    }
    if (generic.readConcern() == null) {
      return;
    }
    if (generic.transaction() == null || !generic.transaction().starts()) {
      throw Failures.of(72, "Only the first command in a transaction may specify a readConcern");
    }
    ReadConcern concern = ReadConcern.parse(generic.readConcern());
    switch (concern.level()) {
      case LOCAL, MAJORITY, SNAPSHOT -> {}
      case AVAILABLE, LINEARIZABLE ->
          throw Failures.of(
              72,
              "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in"
                  + " order to run in a transaction");
    }
    if (concern.atClusterTime() != null) {
      throw Failures.unsupported("a transaction at an earlier time (readConcern.atClusterTime)");
    }
  }

  /** A direct connection says primaryPreferred where primary is meant, so that passes. */
  private static void requirePrimaryPreference(CommandContext context) {
    var preference = context.generic().readPreference();
    BsonValue mode = preference == null ? null : preference.get("mode");
    if (mode != null
        && mode.isString()
        && !Set.of("primary", "primaryPreferred").contains(mode.asString().getValue())) {
      throw Failures.of(72, "Read preference in a transaction must be primary");
    }
  }
}
