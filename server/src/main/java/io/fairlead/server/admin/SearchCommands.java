// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.error.EngineException;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Placement;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands on search indexes. Search is a service beside MongoDB; a server without it refuses
 * them as every server outside of Atlas does.
 */
public final class SearchCommands {
  private SearchCommands() {}

  public static List<CommandSpec> family() {
    List<CommandSpec> rows = new ArrayList<>();
    for (String name :
        List.of(
            "createSearchIndexes", "updateSearchIndex", "dropSearchIndex", "listSearchIndexes")) {
      rows.add(
          CommandSpec.named(name)
              .on(Placement.PRIMARY_ONLY)
              .takes("indexes", "id", "name", "definition", "type")
              .needs(name)
              .help("Refused: there are no search indexes.")
              .runs(
                  context -> {
                    throw notEnabled();
                  }));
    }
    return List.copyOf(rows);
  }

  /** The refusal: SearchNotEnabled. */
  public static EngineException notEnabled() {
    return Failures.of(
        31082,
        "Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires"
            + " additional configuration, which this server does not have.");
  }
}
