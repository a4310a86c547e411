// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.session;

import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a snapshot session: all see the state that the first one was given. Commands that
 * cannot be read so are refused by the server. Used by one thread at a time, as its session is.
 */
final class SnapshotReads implements SessionScope {
  private @Nullable BsonTimestamp time;

  /** The time of the state, as the first read's reply told it; null before that. */
  @Nullable BsonTimestamp time() {
    return time;
  }

  void at(BsonTimestamp given) {
    time = given;
  }

  @Override
  public CommandResult execute(Operation operation, Function<Operation, CommandResult> cluster) {
    if (operation.commandName().equals("getMore")
        || operation.commandName().equals("killCursors")) {
      return cluster.apply(operation);
    }
    BsonDocument command = new BsonDocument();
    for (String field : operation.command().keySet()) {
      if (!field.equals("readConcern")) {
        command.append(field, operation.command().get(field));
      }
    }
    BsonDocument concern = new BsonDocument("level", new BsonString("snapshot"));
    if (time != null) {
      concern.append("atClusterTime", time);
    }
    command.append("readConcern", concern);
    CommandResult result =
        cluster.apply(operation.toBuilder(command).afterClusterTime(false).build());
    if (time == null) {
      time = timeOf(result.reply());
    }
    return result;
  }

  private static @Nullable BsonTimestamp timeOf(BsonDocument reply) {
    BsonValue cursor = reply.get("cursor");
    BsonValue at =
        cursor != null && cursor.isDocument()
            ? cursor.asDocument().get("atClusterTime")
            : reply.get("atClusterTime");
    return at != null && at.isTimestamp() ? at.asTimestamp() : null;
  }
}
