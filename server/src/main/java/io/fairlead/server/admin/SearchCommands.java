// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.admin;

import io.fairlead.engine.error.SearchNotEnabled;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Placement;
import java.util.ArrayList;
import java.util.List;

/** The commands on search indexes, all refused: {@link SearchNotEnabled}. */
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
                    throw SearchNotEnabled.refusal();
                  }));
    }
    return List.copyOf(rows);
  }
}
