// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;

/**
 * Replication's part of the answer to {@code hello}, at one moment.
 *
 * @param fields {@code isWritablePrimary}, {@code secondary}, {@code setName}, {@code hosts},
 *     {@code primary}, {@code lastWrite} …; for a standalone only {@code isWritablePrimary: true}.
 *     The topology version is not among them
 * @param processId of this run of the server
 * @param counter grows with every change a client must hear of
 */
public record HelloStatus(BsonDocument fields, ObjectId processId, long counter) {

  /** {@code {processId: …, counter: …}}, the value of {@code topologyVersion}. */
  public BsonDocument topologyVersion() {
    return new BsonDocument("processId", new BsonObjectId(processId))
        .append("counter", new BsonInt64(counter));
  }
}
