// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.handshake;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Trait;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * {@code hello}, {@code ping}, {@code buildInfo}, {@code whatsmyuri}, {@code connectionStatus} and
 * the refused logins.
 */
public final class HandshakeCommands {
  private HandshakeCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        CommandSpec.named("hello")
            .with(Trait.LENIENT, Trait.API_V1)
            .help("Says who this member is and what it can take.")
            .runs(Hello::run),
        CommandSpec.named("isMaster")
            .alias("ismaster")
            .with(Trait.LENIENT)
            .help("The older name of hello, with isWritablePrimary called ismaster.")
            .runs(Hello::run),
        CommandSpec.named("ping")
            .with(Trait.LENIENT, Trait.API_V1)
            .help("Answers.")
            .runs(context -> new BsonDocument()),
        CommandSpec.named("buildInfo")
            .alias("buildinfo")
            .with(Trait.LENIENT)
            .help("Says which version this is.")
            .runs(context -> BuildInfo.describe()),
        CommandSpec.named("whatsmyuri")
            .help("Says the client's address as the server sees it.")
            .runs(context -> new BsonDocument("you", new BsonString(context.client().peer()))),
        CommandSpec.named("connectionStatus")
            .takes("showPrivileges")
            .with(Trait.API_V1)
            .help("Says who is logged in: nobody, as there are no users yet.")
            .runs(HandshakeCommands::connectionStatus),
        refusedLogin("saslStart"),
        refusedLogin("saslContinue"),
        refusedLogin("authenticate"),
        CommandSpec.named("logout")
            .with(Trait.LENIENT)
            .help("Logs out.")
            .runs(context -> new BsonDocument()));
  }

  private static BsonDocument connectionStatus(CommandContext context) {
    BsonDocument info =
        new BsonDocument("authenticatedUsers", new BsonArray())
            .append("authenticatedUserRoles", new BsonArray());
    if (Arguments.flag(context.body(), "showPrivileges")) {
      info.append("authenticatedUserPrivileges", new BsonArray());
    }
    return new BsonDocument("authInfo", info);
  }

  private static CommandSpec refusedLogin(String name) {
    return CommandSpec.named(name)
        .with(Trait.LENIENT, Trait.API_V1)
        .help("Refused: this server has no users yet.")
        .runs(
            context -> {
              throw Failures.of(
                  18,
                  "Authentication failed: this server has no users and does not support"
                      + " authentication yet; connect without credentials");
            });
  }
}
