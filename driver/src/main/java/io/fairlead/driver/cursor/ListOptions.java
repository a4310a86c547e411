// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCursor;
import io.fairlead.cluster.Operation;
import io.fairlead.driver.command.Replies;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/**
 * What the list commands share: they go to the primary whatever is configured, and of a missing
 * thing they list nothing.
 */
final class ListOptions {
  private ListOptions() {}

  static Operation.Builder operation(Target target, String database, RawBsonDocument command) {
    return target
        .scope()
        .operation(database, command, OperationKind.PRIMARY_HELPER)
        .retry(Retryability.READ);
  }

  static <T> MongoCursor<T> open(
      Target target,
      RawBsonDocument command,
      Decoder<T> decoder,
      int batchSize,
      @Nullable BsonValue comment) {
    try {
      return ReplyCursor.open(
          target.scope(),
          operation(target, target.database(), command),
          target.openSession(),
          decoder,
          new CursorOptions(batchSize, 0, comment, null));
    } catch (MongoCommandException e) {
      if (Replies.isNamespaceNotFound(e)) {
        return new EmptyCursor<>(e.getServerAddress());
      }
      throw e;
    }
  }

  /** The batch size as the command's cursor options take it. */
  static @Nullable Integer orServers(int batchSize) {
    return batchSize == 0 ? null : batchSize;
  }
}
