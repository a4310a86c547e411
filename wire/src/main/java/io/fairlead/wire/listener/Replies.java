// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.message.WireException;
import org.bson.BsonDocument;

/** Replies of an exhaust request that are followed by further ones. */
public interface Replies {

  /**
   * Sends a reply with moreToCome set and goes on.
   *
   * @throws IllegalStateException if the request does not allow exhaust
   * @throws WireException if the peer is gone; the service then stops and returns
   */
  void more(BsonDocument reply) throws WireException;
}
