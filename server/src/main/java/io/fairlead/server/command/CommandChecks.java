// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.server.replication.ReadConcern;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What is checked of every command before it runs, by its row in the table. */
final class CommandChecks {
  private CommandChecks() {}

  /** Whether the command is one that this server takes in this form, wherever it would run. */
  static void requireAcceptable(CommandContext context) {
    CommandSpec spec = context.spec();
    GenericArguments generic = context.generic();
    requireKnownFields(spec, context.body());
    if (spec.has(Trait.ADMIN_ONLY) && !generic.database().equals("admin")) {
      throw Failures.of(13, spec.name() + " may only be run against the admin database.");
    }
    if (generic.api().strict() && !spec.has(Trait.API_V1)) {
      throw Failures.of(
          323,
          "Provided apiStrict:true, but the command "
              + spec.name()
              + " is not in API Version 1. Information on supported commands and migrations in API"
              + " Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api");
    }
    if (generic.api().deprecationErrors() && spec.has(Trait.API_V1_DEPRECATED)) {
      throw Failures.of(
          324,
          "Provided apiDeprecationErrors:true, but the command "
              + spec.name()
              + " is deprecated in API Version 1.");
    }
    if (generic.transaction() != null) {
      TransactionChecks.requireAllowed(context);
      return;
    }
    requireConcerns(spec, generic);
    requireRetryable(context);
  }

  /** Whether the state of this member and the read preference of the command let it run here. */
  static void requireRightMember(CommandContext context) {
    if (context.generic().transaction() != null) {
      context.coordinator().requireWritablePrimary();
    }
    switch (context.spec().placement()) {
      case EVERY_MEMBER -> {}
      case PRIMARY_ONLY -> context.coordinator().requireWritablePrimary();
      case READ -> {
        boolean secondaryOk = ReadPreferences.secondaryOk(context.generic().readPreference());
        if (!context.database().equals("local")) {
          context.coordinator().requireReadable(secondaryOk);
        }
      }
    }
    if (context.spec().placement() != Placement.READ) {
      ReadPreferences.secondaryOk(
          context.generic().readPreference()); // refuses what no preference may say
    }
  }

  private static void requireKnownFields(CommandSpec spec, BsonDocument body) {
    if (spec.has(Trait.LENIENT)) {
      return;
    }
    String own = body.getFirstKey();
    for (String field : body.keySet()) {
      if (!field.equals(own)
          && !spec.fields().contains(field)
          && !GenericArguments.isGeneric(field)) {
        throw Failures.of(
            40415, "BSON field '" + spec.name() + "." + field + "' is an unknown field.");
      }
    }
  }

  private static void requireConcerns(CommandSpec spec, GenericArguments generic) {
    if (generic.writeConcern() != null && !spec.has(Trait.WRITES)) {
      throw Failures.of(72, "Command does not support writeConcern");
    }
    BsonDocument readConcern = generic.readConcern();
    if (readConcern != null && !spec.has(Trait.READS)) {
      BsonValue level = readConcern.get("level");
      if (level != null && !(level.isString() && level.asString().getValue().equals("local"))) {
        throw Failures.of(
            72,
            "Command "
                + spec.name()
                + " does not support { readConcern: "
                + readConcern.toJson()
                + " }");
      }
      ReadConcern.parse(readConcern);
    }
  }

  private static void requireRetryable(CommandContext context) {
    if (context.generic().txnNumber() == null) {
      return;
    }
    if (!context.spec().has(Trait.RETRYABLE)) {
      throw Failures.of(
          50768,
          "txnNumber may only be provided for multi-document transactions and retryable write"
              + " commands. autocommit:false was not provided, and "
              + context.spec().name()
              + " is not a retryable write command.");
    }
    if (!context.coordinator().isReplicaSetMember()) {
      throw Failures.of(
          20, "Transaction numbers are only allowed on a replica set member or mongos");
    }
  }
}
