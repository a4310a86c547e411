// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.message.Message;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of one connection. All calls come from the connection's own thread, one
 * after the other.
 */
public interface ConnectionService extends AutoCloseable {

  /**
   * Answers one request. What is returned for a request with moreToCome is not sent. An exception
   * other than {@link CloseConnectionException} is logged and becomes an InternalError (code 1)
   * reply, so a service turns its own errors into replies.
   *
   * @param more sends replies that are followed by further ones, if the request allows that
   * @return the body of the reply, the last one when {@code more} was used; null for no reply at
   *     all
   * @throws InterruptedException when the connection is being closed
   */
  @Nullable BsonDocument handle(Message request, Replies more) throws InterruptedException;

  /** Called once, after the last request, when the connection is gone. */
  @Override
  void close();
}
