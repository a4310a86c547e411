// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.failpoint;

import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Trait;
import io.fairlead.wire.failpoint.FailPointException;
import java.util.List;
import org.bson.BsonDocument;

/** Sets fail points and waits for them. */
public final class FailPointCommands {
  private FailPointCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        CommandSpec.named("configureFailPoint")
            .with(Trait.ADMIN_ONLY)
            .takes("mode", "data")
            .help("Makes commands fail on request.")
            .runs(FailPointCommands::configure),
        CommandSpec.named("waitForFailPoint")
            .with(Trait.ADMIN_ONLY)
            .takes("timesEntered")
            .help("Waits until a fail point has acted so many times.")
            .runs(FailPointCommands::await));
  }

  private static BsonDocument configure(CommandContext context) {
    try {
      return context.server().failPoints().configure(context.body());
    } catch (FailPointException refused) {
      throw Failures.of(refused.code(), String.valueOf(refused.getMessage()));
    }
  }

  private static BsonDocument await(CommandContext context) throws InterruptedException {
    try {
      context.server().failPoints().await(context.body());
      return new BsonDocument();
    } catch (FailPointException refused) {
      throw Failures.of(refused.code(), String.valueOf(refused.getMessage()));
    }
  }
}
