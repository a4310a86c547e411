// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The explanation of a write: the stage that would write, on top of the find that leads to it. */
final class ExplainedWrite {
  private ExplainedWrite() {}

  /**
   * Puts the writing stage on top.
   *
   * @param stage {@code UPDATE} or {@code DELETE}
   * @param found the explanation of the find; changed
   */
  static BsonDocument of(String stage, BsonDocument found) {
    if (found.get("queryPlanner") instanceof BsonDocument planner) {
      planner.put(
          "winningPlan",
          new BsonDocument("stage", new BsonString(stage))
              .append("inputStage", withoutLimit(planner.getDocument("winningPlan"))));
    }
    if (found.get("executionStats") instanceof BsonDocument statistics) {
      BsonValue matched = statistics.getNumber("nReturned");
      statistics.put("nReturned", new BsonInt32(0));
      statistics.put(
          "executionStages",
          new BsonDocument("stage", new BsonString(stage))
              .append("nReturned", new BsonInt32(0))
              .append(stage.equals("DELETE") ? "nWouldDelete" : "nMatched", matched)
              .append("inputStage", withoutLimit(statistics.getDocument("executionStages"))));
    }
    return found;
  }

  /** A write of one document stops by itself. */
  private static BsonDocument withoutLimit(BsonDocument stage) {
    return stage.getString("stage").getValue().equals("LIMIT")
        ? stage.getDocument("inputStage")
        : stage;
  }
}
