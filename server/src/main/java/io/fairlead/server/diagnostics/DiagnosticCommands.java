// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.diagnostics;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Placement;
import io.fairlead.server.command.Trait;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** The commands by which a server describes itself. */
public final class DiagnosticCommands {
  private DiagnosticCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        CommandSpec.named("listCommands")
            .help("Lists the commands.")
            .runs(DiagnosticCommands::listCommands),
        CommandSpec.named("serverStatus")
            .needs("serverStatus")
            .with(Trait.LENIENT)
            .help("Says what the server has done and has open.")
            .runs(ServerStatus::run),
        CommandSpec.named("getParameter")
            .needs("getParameter")
            .with(Trait.ADMIN_ONLY, Trait.LENIENT)
            .help("Says the values of parameters.")
            .runs(Parameters::get),
        CommandSpec.named("setParameter")
            .needs("setParameter")
            .with(Trait.ADMIN_ONLY, Trait.LENIENT)
            .help("Sets the parameters of the TTL monitor; others cannot be set at runtime.")
            .runs(Parameters::set),
        CommandSpec.named("currentOp")
            .needs("inprog")
            .with(Trait.ADMIN_ONLY)
            .takes("$all", "$ownOps")
            .help("Lists the running operations.")
            .runs(CurrentOperations::list),
        CommandSpec.named("killOp")
            .needs("killop")
            .with(Trait.ADMIN_ONLY)
            .takes("op")
            .help("Stops a running operation.")
            .runs(CurrentOperations::kill),
        CommandSpec.named("hostInfo")
            .needs("hostInfo")
            .help("Says what machine this is.")
            .runs(DiagnosticCommands::hostInfo),
        CommandSpec.named("getCmdLineOpts")
            .needs("getCmdLineOpts")
            .with(Trait.ADMIN_ONLY)
            .help("Says how the server was started.")
            .runs(DiagnosticCommands::startOptions),
        CommandSpec.named("getLog")
            .needs("getLog")
            .with(Trait.ADMIN_ONLY)
            .help("Shows startup warnings.")
            .runs(DiagnosticCommands::log));
  }

  private static BsonDocument listCommands(CommandContext context) {
    BsonDocument commands = new BsonDocument();
    for (CommandSpec spec : context.server().table().all()) {
      if (spec.has(Trait.INTERNAL)) {
        continue;
      }
      BsonArray versions = new BsonArray();
      if (spec.has(Trait.API_V1)) {
        versions.add(new BsonString("1"));
      }
      commands.append(
          spec.name(),
          new BsonDocument("help", new BsonString(spec.help()))
              .append("requiresAuth", BsonBoolean.valueOf(!spec.action().isEmpty()))
              .append("apiVersions", versions)
              .append("deprecatedApiVersions", new BsonArray())
              .append(
                  "secondaryOk", BsonBoolean.valueOf(spec.placement() == Placement.EVERY_MEMBER))
              .append("adminOnly", BsonBoolean.valueOf(spec.has(Trait.ADMIN_ONLY)))
              .append(
                  "secondaryOverrideOk", BsonBoolean.valueOf(spec.placement() == Placement.READ)));
    }
    return new BsonDocument("commands", commands);
  }

  private static BsonDocument hostInfo(CommandContext context) {
    Runtime runtime = Runtime.getRuntime();
    BsonDocument system =
        new BsonDocument(
                "currentTime", new BsonDateTime(context.server().settings().clock().millis()))
            .append("hostname", new BsonString(context.server().address()))
            .append("cpuAddrSize", new BsonInt32(64))
            .append("memSizeMB", new BsonInt64(runtime.maxMemory() >> 20))
            .append("numCores", new BsonInt32(runtime.availableProcessors()))
            .append("cpuArch", new BsonString(System.getProperty("os.arch", "")));
    BsonDocument os =
        new BsonDocument("type", new BsonString(System.getProperty("os.name", "")))
            .append("name", new BsonString(System.getProperty("os.name", "")))
            .append("version", new BsonString(System.getProperty("os.version", "")));
    return new BsonDocument("system", system).append("os", os).append("extra", new BsonDocument());
  }

  private static BsonDocument startOptions(CommandContext context) {
    var settings = context.server().settings();
    BsonDocument parsed =
        new BsonDocument(
            "net",
            new BsonDocument("bindIp", new BsonString(settings.host()))
                .append("port", new BsonInt32(settings.port())));
    var replication = settings.replication();
    if (replication != null) {
      parsed.append(
          "replication", new BsonDocument("replSetName", new BsonString(replication.setName())));
    }
    return new BsonDocument("argv", new BsonArray(List.of(new BsonString("fairlead"))))
        .append("parsed", parsed);
  }

  private static BsonDocument log(CommandContext context) {
    String name = Arguments.string("getLog", context.subject());
    return switch (name) {
      case "*" ->
          new BsonDocument("names", new BsonArray(List.of(new BsonString("startupWarnings"))));
      case "startupWarnings" ->
          new BsonDocument("totalLinesWritten", new BsonInt32(0)).append("log", new BsonArray());
      default -> throw Failures.of(96, "No log named '" + name + "'");
    };
  }
}
