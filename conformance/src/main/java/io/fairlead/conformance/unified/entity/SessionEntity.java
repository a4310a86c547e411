// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import com.mongodb.client.ClientSession;
import org.bson.BsonDocument;

/**
 * A session of a test.
 *
 * @param id its logical id, which is still asked for after its end
 */
public record SessionEntity(ClientSession session, BsonDocument id) {
  static SessionEntity of(ClientSession session) {
    return new SessionEntity(session, session.getServerSession().getIdentifier());
  }
}
