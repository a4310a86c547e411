// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** How the wait for a write concern ended. */
public sealed interface WriteConcernResult {

  /** Enough members have the write. */
  record Satisfied() implements WriteConcernResult {}

  /**
   * The write stands on this member, but the concern was not met.
   *
   * @param code 64 WriteConcernTimeout, 100 UnsatisfiableWriteConcern, 79 UnknownReplWriteConcern,
   *     or a state change such as 189 PrimarySteppedDown
   * @param labels for the whole reply: {@code RetryableWriteError} where a retry helps
   * @param writeConcern the concern that was waited for
   */
  record Failed(
      int code, String codeName, String message, Set<String> labels, WriteConcern writeConcern)
      implements WriteConcernResult {

    /** The reply's {@code writeConcernError}. */
    public BsonDocument toDocument() {
      BsonDocument info = new BsonDocument();
      if (code == 64) {
        info.append("wtimeout", BsonBoolean.TRUE);
      }
      info.append("writeConcern", writeConcern.toDocument());
      return new BsonDocument("code", new BsonInt32(code))
          .append("codeName", new BsonString(codeName))
          .append("errmsg", new BsonString(message))
          .append("errInfo", info);
    }
  }
}
