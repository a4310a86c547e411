// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.cursor.Batch;
import io.fairlead.server.cursor.CursorReplies;
import io.fairlead.server.cursor.ServerCursor;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code find}. */
final class Find {
  private static final BsonDocument NONE = new BsonDocument();

  private Find() {}

  static BsonDocument run(CommandContext context) throws InterruptedException {
    context.server().counters().queries.increment();
    BsonDocument body = context.body();
    Namespace namespace = context.namespace();
    FindRequest request = request(body);
    CursorReplies.Wish wish = wish(body, request);
    Snapshot snapshot = context.readSnapshot();
    if (wish.kind() == ServerCursor.Kind.ORDINARY || !CappedTail.hasEnd(snapshot, namespace)) {
      return found(context, namespace, request, wish.ordinary(), snapshot);
    }
    return CursorReplies.open(
        context,
        namespace,
        wish,
        interrupt ->
            namespace.equals(TailableCursor.OPLOG)
                ? TailableCursor.open(context, request, interrupt)
                : CappedTail.open(context, namespace, request, interrupt));
  }

  private static BsonDocument found(
      CommandContext context,
      Namespace namespace,
      FindRequest request,
      CursorReplies.Wish wish,
      Snapshot snapshot) {
    return CursorReplies.open(
        context,
        namespace,
        wish,
        interrupt -> snapshot.find(namespace, request, context.evaluation(interrupt)));
  }

  /** The arguments of a find, as explain has them too. */
  static FindRequest request(BsonDocument body) {
    for (String flag : List.of("allowDiskUse", "allowPartialResults", "oplogReplay")) {
      Arguments.flag(body, flag); // changes nothing here, but is of its type
    }
    return new FindRequest(
        orEmpty(Arguments.optionalDocument(body, "filter")),
        orEmpty(Arguments.optionalDocument(body, "sort")),
        orEmpty(Arguments.optionalDocument(body, "projection")),
        number(body, "skip"),
        number(body, "limit"),
        hint(body),
        Arguments.optionalDocument(body, "collation"),
        Arguments.optionalDocument(body, "let"),
        notEmpty(Arguments.optionalDocument(body, "min")),
        notEmpty(Arguments.optionalDocument(body, "max")),
        Arguments.flag(body, "returnKey"),
        Arguments.flag(body, "showRecordId"));
  }

  private static CursorReplies.Wish wish(BsonDocument body, FindRequest request) {
    BsonValue size = body.get("batchSize");
    long batchSize =
        size == null ? Batch.FIRST_BATCH : CursorReplies.nonNegative("batchSize", size);
    boolean single = Arguments.flag(body, "singleBatch");
    boolean tailable = Arguments.flag(body, "tailable");
    boolean await = Arguments.flag(body, "awaitData");
    if (await && !tailable) {
      throw Failures.of(9, "Cannot set 'awaitData' without also setting 'tailable'");
    }
    if (tailable && single) {
      throw Failures.of(9, "Cannot use tailable with the 'singleBatch' option");
    }
    ServerCursor.Kind kind =
        !tailable
            ? ServerCursor.Kind.ORDINARY
            : await ? ServerCursor.Kind.TAILABLE_AWAIT : ServerCursor.Kind.TAILABLE;
    return new CursorReplies.Wish(
        batchSize, single, request.limit(), kind, Arguments.flag(body, "noCursorTimeout"));
  }

  static BsonDocument orEmpty(@Nullable BsonDocument document) {
    return document == null ? NONE : document;
  }

  private static @Nullable BsonDocument notEmpty(@Nullable BsonDocument document) {
    return document == null || document.isEmpty() ? null : document;
  }

  static long number(BsonDocument body, String field) {
    BsonValue value = body.get(field);
    return value == null ? 0 : CursorReplies.nonNegative(field, value);
  }

  /**
   * The hint: an index's name or key pattern; null when absent, and when it is an empty document.
   */
  static @Nullable BsonValue hint(BsonDocument body) {
    BsonValue hint = body.get("hint");
    if (hint == null || (hint.isDocument() && hint.asDocument().isEmpty())) {
      return null;
    }
    if (!hint.isString() && !hint.isDocument()) {
      throw Failures.of(9, "Hint must be a string or an object");
    }
    return hint;
  }
}
