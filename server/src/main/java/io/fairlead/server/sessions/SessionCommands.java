// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.sessions;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/**
 * {@code startSession}, {@code refreshSessions}, {@code endSessions}, {@code killSessions}, {@code
 * killAllSessions}.
 */
public final class SessionCommands {
  private static final int PER_COMMAND_MAX = 10_000;

  private SessionCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        CommandSpec.named("startSession")
            .help("Starts a logical session.")
            .runs(SessionCommands::start),
        CommandSpec.named("refreshSessions")
            .help("Keeps sessions from timing out.")
            .with(Trait.API_V1)
            .runs(SessionCommands::refresh),
        CommandSpec.named("endSessions")
            .help("Ends sessions and what is kept on their behalf.")
            .with(Trait.API_V1)
            .runs(SessionCommands::end),
        CommandSpec.named("killSessions")
            .needs("killAnySession")
            .help("Ends sessions, their cursors and the operations that run in them.")
            .runs(SessionCommands::kill),
        CommandSpec.named("killAllSessions")
            .needs("killAnySession")
            .help("Ends all sessions, their cursors and the operations that run in them.")
            .runs(SessionCommands::killAll));
  }

  private static BsonDocument start(CommandContext context) {
    BsonBinary id = new BsonBinary(UUID.randomUUID());
    context.server().sessions().use(id);
    return new BsonDocument("id", new BsonDocument("id", id))
        .append("timeoutMinutes", new BsonInt32(minutes(context)));
  }

  private static int minutes(CommandContext context) {
    return Math.toIntExact(context.server().settings().sessionTimeout().toMinutes());
  }

  private static BsonDocument refresh(CommandContext context) {
    ids(context).forEach(context.server().sessions()::use);
    return new BsonDocument();
  }

  private static BsonDocument end(CommandContext context) {
    ids(context).forEach(context.server().sessions()::end);
    return new BsonDocument();
  }

  private static BsonDocument kill(CommandContext context) {
    List<BsonBinary> ids = ids(context);
    killOperations(context, ids);
    ids.forEach(context.server().sessions()::end);
    return new BsonDocument();
  }

  private static BsonDocument killAll(CommandContext context) {
    if (!Arguments.array("killAllSessions", context.subject()).isEmpty()) {
      throw Failures.unsupported("killAllSessions for certain users");
    }
    context.server().sessions().endAll();
    return new BsonDocument();
  }

  private static void killOperations(CommandContext context, List<BsonBinary> ids) {
    for (var operation : context.server().operations().all()) {
      BsonValue lsid = operation.command().get("lsid");
      if (lsid != null
          && lsid.isDocument()
          && operation.id() != context.operation().id()
          && ids.contains(lsid.asDocument().get("id"))) {
        operation.kill(11601);
      }
    }
  }

  private static List<BsonBinary> ids(CommandContext context) {
    String name = context.spec().name();
    List<BsonBinary> ids = new ArrayList<>();
    for (BsonDocument session : Arguments.documents(name, context.subject())) {
      BsonValue id = session.get("id");
      if (id == null) {
        throw Failures.missing(name + ".id");
      }
      if (!id.isBinary() || id.asBinary().getType() != 4) {
        throw Failures.wrongType(name + ".id", id, "binData (UUID)");
      }
      ids.add(id.asBinary());
    }
    if (ids.size() > PER_COMMAND_MAX) {
      throw Failures.of(
          16, name + " takes at most " + PER_COMMAND_MAX + " sessions, got " + ids.size());
    }
    return ids;
  }
}
