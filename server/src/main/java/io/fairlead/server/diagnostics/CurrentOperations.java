// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.diagnostics;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Operation;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** {@code currentOp} and {@code killOp}. */
public final class CurrentOperations {
  private CurrentOperations() {}

  static BsonDocument list(CommandContext context) {
    return new BsonDocument("inprog", new BsonArray(describeAll(context)));
  }

  /** One document for each running operation. */
  public static List<BsonDocument> describeAll(CommandContext context) {
    return context.server().operations().all().stream().map(CurrentOperations::describe).toList();
  }

  private static BsonDocument describe(Operation operation) {
    BsonDocument document =
        new BsonDocument("type", new BsonString("op"))
            .append("desc", new BsonString(operation.client().threadName()))
            .append("connectionId", new BsonInt64(operation.client().connectionId()))
            .append("client", new BsonString(operation.client().peer()))
            .append("active", BsonBoolean.TRUE)
            .append("opid", new BsonInt64(operation.id()))
            .append("secs_running", new BsonInt64(operation.running().toSeconds()))
            .append("microsecs_running", new BsonInt64(operation.running().toNanos() / 1000))
            .append("op", new BsonString("command"))
            .append("ns", new BsonString(operation.namespace()))
            .append("command", operation.command())
            .append("killPending", BsonBoolean.valueOf(operation.isKilled()));
    String application = operation.client().applicationName();
    if (application != null) {
      document.append("appName", new BsonString(application));
    }
    return document;
  }

  static BsonDocument kill(CommandContext context) {
    BsonValue id = context.get("op");
    if (id == null) {
      throw Failures.missing("killOp.op");
    }
    Operation operation = context.server().operations().find(Arguments.integer("op", id));
    if (operation != null) {
      operation.kill(11601);
    }
    return new BsonDocument("info", new BsonString("attempting to kill op"));
  }
}
