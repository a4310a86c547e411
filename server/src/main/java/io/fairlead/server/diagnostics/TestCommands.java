// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.diagnostics;

import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Trait;
import java.util.List;
import org.bson.BsonDocument;

/**
 * Commands by which clients test what the stable API refuses: MongoDB has them where test commands
 * are enabled, as they always are here.
 */
public final class TestCommands {
  private TestCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        CommandSpec.named("testVersion2")
            .help("Does nothing, and is no part of the stable API, version 1.")
            .runs(context -> new BsonDocument()),
        CommandSpec.named("testDeprecation")
            .with(Trait.API_V1, Trait.API_V1_DEPRECATED)
            .help("Does nothing, and is deprecated in the stable API, version 1.")
            .runs(context -> new BsonDocument()));
  }
}
