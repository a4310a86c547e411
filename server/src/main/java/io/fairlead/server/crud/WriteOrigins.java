// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.replication.WriteOrigin;
import org.bson.BsonDocument;

/** On whose behalf a write command writes: its session and number where it is retryable. */
final class WriteOrigins {
  private WriteOrigins() {}

  static WriteOrigin of(CommandContext context, WriteOrigin.Image image) {
    BsonDocument lsid = context.generic().lsid();
    Long txnNumber = context.generic().txnNumber();
    WriteOrigin origin =
        lsid == null || txnNumber == null || context.generic().transaction() != null
            ? WriteOrigin.PLAIN
            : WriteOrigin.retryable(lsid, txnNumber, image);
    return origin
        .withOperation(context.evaluation())
        .withBypassValidation(Arguments.flag(context.body(), "bypassDocumentValidation"));
  }
}
