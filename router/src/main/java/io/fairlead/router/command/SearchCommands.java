// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.SearchNotEnabled;
import java.util.List;
import org.bson.BsonDocument;

/** Search is a service beside MongoDB that is not there: its commands and its stage are refused. */
final class SearchCommands {

  static final String[] NAMES = {
    "createSearchIndexes", "updateSearchIndex", "dropSearchIndex", "listSearchIndexes"
  };

  static final Command REFUSED =
      request -> {
        throw SearchNotEnabled.refusal();
      };

  private SearchCommands() {}

  /**
   * Refuses a pipeline that lists search indexes.
   *
   * @throws io.fairlead.engine.error.EngineException 31082
   */
  static void refuse(List<BsonDocument> stages) {
    if (!stages.isEmpty() && stages.getFirst().containsKey("$listSearchIndexes")) {
      throw SearchNotEnabled.refusal();
    }
  }
}
