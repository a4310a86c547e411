// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import org.bson.BsonDocument;

/**
 * Answers one request. Failures are {@link io.fairlead.router.shard.ReplyException} or {@link
 * io.fairlead.engine.error.EngineException}.
 */
@FunctionalInterface
interface Command {
  BsonDocument run(Request request) throws InterruptedException;
}
