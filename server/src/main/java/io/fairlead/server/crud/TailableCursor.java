// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the replicated log that goes on where it stopped: at the end of one state of the
 * data it looks at the newest, from the last timestamp it has given out. Other capped collections
 * have {@link CappedTail}.
 */
final class TailableCursor implements DocumentCursor {
  static final Namespace OPLOG = Namespace.of("local", "oplog.rs");

  private final CommandContext context;
  private final FindRequest request;
  private final OperationContext.Interrupt interrupt;
  private DocumentCursor source;
  private long version;
  private @Nullable BsonTimestamp last;

  private TailableCursor(
      CommandContext context,
      FindRequest request,
      OperationContext.Interrupt interrupt,
      Snapshot snapshot) {
    this.context = context;
    this.request = request;
    this.interrupt = interrupt;
    this.version = snapshot.version();
    this.source = snapshot.find(OPLOG, request, context.evaluation(interrupt));
  }

  static DocumentCursor open(
      CommandContext context, FindRequest request, OperationContext.Interrupt interrupt) {
    if (!request.sort().isEmpty() && !request.sort().containsKey("$natural")) {
      throw Failures.of(2, "a tailable cursor has no sort but {$natural: 1}");
    }
    return new TailableCursor(context, request, interrupt, context.server().engine().snapshot());
  }

  @Override
  public @Nullable RawBsonDocument next() {
    RawBsonDocument document = source.next();
    if (document == null && advance()) {
      document = source.next();
    }
    if (document != null) {
      BsonValue timestamp = document.get("ts");
      if (timestamp != null && timestamp.isTimestamp()) {
        last = timestamp.asTimestamp();
      }
    }
    return document;
  }

  /** Whether there is a newer state to look at. */
  private boolean advance() {
    Snapshot snapshot = context.server().engine().snapshot();
    if (snapshot.version() == version) {
      return false;
    }
    version = snapshot.version();
    source.close();
    source = snapshot.find(OPLOG, remaining(), context.evaluation(interrupt));
    return true;
  }

  private FindRequest remaining() {
    BsonTimestamp from = last;
    if (from == null) {
      return request;
    }
    BsonDocument newer = new BsonDocument("ts", new BsonDocument("$gt", from));
    BsonDocument both =
        request.filter().isEmpty()
            ? newer
            : new BsonDocument("$and", new BsonArray(java.util.List.of(request.filter(), newer)));
    return request.withFilter(both);
  }

  @Override
  public void close() {
    source.close();
  }
}
