// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.IndexCheck;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * {@code validate}: builds every index of a collection anew beside itself and compares. It reads a
 * snapshot, so nobody waits for it; it is always full, and repairs nothing.
 */
final class Validation {
  private static final List<String> NOT_DONE =
      List.of("repair", "fixMultikey", "metadata", "checkBSONConformance");

  private Validation() {}

  static BsonDocument run(CommandContext context) {
    for (String option : NOT_DONE) {
      if (Arguments.flag(context.body(), option)) {
        throw Failures.of(72, "validate: the option '" + option + "' is not supported");
      }
    }
    Namespace namespace = context.namespace();
    Snapshot snapshot = context.server().engine().snapshot();
    List<IndexCheck> checks = snapshot.checkIndexes(namespace, context.evaluation());
    BsonDocument keys = new BsonDocument();
    BsonDocument details = new BsonDocument();
    BsonArray errors = new BsonArray();
    for (IndexCheck check : checks) {
      keys.append(check.name(), new BsonInt64(check.entries()));
      details.append(check.name(), new BsonDocument("valid", BsonBoolean.valueOf(check.valid())));
      if (!check.valid()) {
        errors.add(
            new BsonString(
                "index '"
                    + check.name()
                    + "': "
                    + check.missing()
                    + " keys are missing, "
                    + check.extra()
                    + " are of no document"));
      }
    }
    return new BsonDocument("ns", new BsonString(namespace.toString()))
        .append("nrecords", new BsonInt64(snapshot.statistics(namespace).documents()))
        .append("nIndexes", new BsonInt32(checks.size()))
        .append("keysPerIndex", keys)
        .append("indexDetails", details)
        .append("valid", BsonBoolean.valueOf(errors.isEmpty()))
        .append("repaired", BsonBoolean.FALSE)
        .append("warnings", new BsonArray())
        .append("errors", errors);
  }
}
