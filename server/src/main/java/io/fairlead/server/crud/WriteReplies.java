// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.error.EngineException;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The replies of insert, update and delete. */
final class WriteReplies {
  private WriteReplies() {}

  /** {@code {n, nModified?, upserted?, writeErrors?, retriedStmtIds?}}. */
  static BsonDocument of(WriteBatch.Outcome outcome, boolean update) {
    long n = 0;
    long modified = 0;
    BsonArray upserted = new BsonArray();
    List<Statement.@Nullable Result> results = outcome.results();
    for (int index = 0; index < results.size(); index++) {
      Statement.Result result = results.get(index);
      if (result == null) {
        continue;
      }
      n += result.n();
      modified += result.modified();
      if (result.upsertedId() != null) {
        upserted.add(
            new BsonDocument("index", new BsonInt32(index)).append("_id", result.upsertedId()));
      }
    }
    BsonDocument reply = new BsonDocument("n", number(n));
    if (update) {
      reply.append("nModified", number(modified));
    }
    if (!upserted.isEmpty()) {
      reply.append("upserted", upserted);
    }
    if (!outcome.errors().isEmpty()) {
      BsonArray errors = new BsonArray();
      outcome.errors().forEach((index, failure) -> errors.add(error(index, failure)));
      reply.append("writeErrors", errors);
    }
    if (!outcome.retried().isEmpty()) {
      BsonArray retried = new BsonArray();
      outcome.retried().forEach(id -> retried.add(new BsonInt32(id)));
      reply.append("retriedStmtIds", retried);
    }
    return reply;
  }

  /** One element of {@code writeErrors}. */
  static BsonDocument error(int index, EngineException failure) {
    BsonDocument error =
        new BsonDocument("index", new BsonInt32(index))
            .append("code", new BsonInt32(failure.code()));
    failure.details().forEach(error::append);
    return error.append("errmsg", new BsonString(failure.message()));
  }

  static BsonValue number(long number) {
    return number <= Integer.MAX_VALUE ? new BsonInt32((int) number) : new BsonInt64(number);
  }
}
