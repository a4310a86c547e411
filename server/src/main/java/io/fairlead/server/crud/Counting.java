// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** {@code count} and {@code distinct}. */
final class Counting {
  private static final int DISTINCT_BYTES_MAX = 16 * 1024 * 1024;

  private Counting() {}

  static BsonDocument count(CommandContext context) throws InterruptedException {
    FindRequest request = countRequest(context.body());
    long n = context.readSnapshot().count(context.namespace(), request, context.evaluation());
    return new BsonDocument(
        "n", n <= Integer.MAX_VALUE ? new BsonInt32((int) n) : new BsonInt64(n));
  }

  /** The arguments of a count; a negative limit means its absolute value, as ever. */
  static FindRequest countRequest(BsonDocument body) {
    BsonValue limit = body.get("limit");
    return FindRequest.matching(Find.orEmpty(Arguments.optionalDocument(body, "query")))
        .withSkip(Find.number(body, "skip"))
        .withLimit(limit == null ? 0 : Math.abs(Arguments.integer("limit", limit)))
        .withHint(Find.hint(body))
        .withCollation(Arguments.optionalDocument(body, "collation"));
  }

  static BsonDocument distinct(CommandContext context) throws InterruptedException {
    List<BsonValue> values =
        context
            .readSnapshot()
            .distinct(
                context.namespace(),
                distinctKey(context.body()),
                distinctRequest(context.body()),
                context.evaluation());
    BsonDocument reply = new BsonDocument("values", new BsonArray(values));
    int size = new RawBsonDocument(reply, new BsonDocumentCodec()).getByteBuffer().remaining();
    if (size > DISTINCT_BYTES_MAX) {
      throw Failures.of(17217, "distinct too big, 16mb cap");
    }
    return context.readTime() == null ? reply : reply.append("atClusterTime", context.readTime());
  }

  /** The path whose values are asked for. */
  static String distinctKey(BsonDocument body) {
    BsonValue key = body.get("key");
    if (key == null) {
      throw Failures.missing("distinct.key");
    }
    String path = Arguments.string("distinct.key", key);
    if (path.indexOf('\0') >= 0) {
      throw Failures.of(31032, "Key field cannot contain an embedded null byte");
    }
    return path;
  }

  static FindRequest distinctRequest(BsonDocument body) {
    BsonValue query = body.get("query");
    BsonDocument filter =
        query == null || query.isNull()
            ? new BsonDocument()
            : Arguments.document("distinct.query", query);
    return FindRequest.matching(filter)
        .withHint(Find.hint(body))
        .withCollation(Arguments.optionalDocument(body, "collation"));
  }
}
