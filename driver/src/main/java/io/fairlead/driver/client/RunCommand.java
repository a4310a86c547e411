// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.client;

import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.RawFields;
import io.fairlead.driver.command.Scope;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A command of the caller's own: sent as it is, once, with its own read preference and no other.
 */
final class RunCommand {
  private RunCommand() {}

  static <R> R run(
      Scope scope,
      String database,
      @Nullable ClientSession session,
      Bson command,
      @Nullable ReadPreference preference,
      Class<R> resultClass) {
    RawBsonDocument body =
        CommandBody.whole(Given.required(command, "command"), BsonDocument.class, scope.codecs());
    Operation operation =
        Operation.builder(database, body)
            .readWish(scope.reading().wish(OperationKind.RUN_COMMAND, preference))
            .retry(Retryability.COMMAND)
            .timeout(scope.timeout())
            .session(scope.deployment().session(session))
            .build();
    CommandResult result = scope.deployment().execute(operation);
    return RawFields.decode(
        result.reply(), scope.codecs().get(Given.required(resultClass, "resultClass")));
  }
}
