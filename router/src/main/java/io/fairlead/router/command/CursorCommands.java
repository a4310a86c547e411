// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.bytes.Splice;
import io.fairlead.router.cursor.Cursors;
import io.fairlead.router.cursor.OpenCursor;
import io.fairlead.router.shard.ReplyException;
import io.fairlead.topology.readpreference.ReadWish;
import io.fairlead.topology.retry.Retryability;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** {@code getMore} and {@code killCursors}, by the router's own numbers. */
final class CursorCommands {

  private static final int BATCH_ALL = Integer.MAX_VALUE;

  private final Asking asking;

  CursorCommands(Asking asking) {
    this.asking = asking;
  }

  BsonDocument getMore(Request request) {
    long id = request.number("getMore", 0);
    String namespace = request.database() + "." + request.text("collection");
    Cursors cursors = asking.parts().cursors();
    OpenCursor cursor = cursors.take(id, namespace);
    boolean exhausted = false;
    try {
      BsonDocument reply =
          switch (cursor) {
            case OpenCursor.Forwarded forwarded -> forwardedMore(request, forwarded, id);
            case OpenCursor.Local local -> localMore(request, local, id);
          };
      exhausted = isExhausted(cursor, reply);
      return reply;
    } catch (ReplyException failed) {
      exhausted = failed.code() == 43;
      throw failed;
    } finally {
      if (cursors.giveBack(id, exhausted)) {
        close(asking.parts(), cursor);
      }
    }
  }

  private static boolean isExhausted(OpenCursor cursor, BsonDocument reply) {
    return switch (cursor) {
      case OpenCursor.Forwarded forwarded ->
          reply instanceof RawBsonDocument raw && Splice.cursorId(raw) == 0;
      case OpenCursor.Local local -> local.isExhausted();
    };
  }

  private RawBsonDocument forwardedMore(Request request, OpenCursor.Forwarded cursor, long id) {
    BsonDocument rest = request.forwarded(cursor.session(), "getMore");
    RawBsonDocument command =
        Splice.prepended(
            (RawBsonDocument) rest, new BsonDocument("getMore", new BsonInt64(cursor.remoteId())));
    Operation operation =
        Operation.builder(request.database(), command)
            .readWish(ReadWish.read(cursor.preference()))
            .retry(Retryability.READ_ONCE)
            .pinnedTo(cursor.server())
            .build();
    CommandResult result = asking.parts().shards().run(cursor.shard(), operation);
    asking.parts().reads().count(result.server());
    return Splice.cursorId(result.reply()) == 0
        ? result.reply()
        : Splice.withCursorId(result.reply(), id);
  }

  private static BsonDocument localMore(Request request, OpenCursor.Local cursor, long id) {
    long size = request.number("batchSize", 0);
    List<RawBsonDocument> batch =
        cursor.batch(size > 0 ? (int) Math.min(size, BATCH_ALL) : BATCH_ALL);
    return Asking.cursorReply(
        request, "nextBatch", batch, cursor.isExhausted() ? 0 : id, cursor.namespace());
  }

  BsonDocument killCursors(Request request) {
    BsonValue wanted = request.get("cursors");
    if (wanted == null || !wanted.isArray()) {
      throw new EngineException(
          40414, "BSON field 'killCursors.cursors' is missing but a required field");
    }
    BsonArray killed = new BsonArray();
    BsonArray notFound = new BsonArray();
    for (BsonValue number : wanted.asArray()) {
      if (!number.isNumber()) {
        throw new EngineException(14, "BSON field 'killCursors.cursors' must be an array of longs");
      }
      Cursors.Killed gone = asking.parts().cursors().kill(number.asNumber().longValue());
      (gone == null ? notFound : killed).add(new BsonInt64(number.asNumber().longValue()));
      if (gone != null && gone.toClose() != null) {
        close(asking.parts(), gone.toClose());
      }
    }
    return Asking.ok(
        request,
        new BsonDocument("cursorsKilled", killed)
            .append("cursorsNotFound", notFound)
            .append("cursorsAlive", new BsonArray())
            .append("cursorsUnknown", new BsonArray()));
  }

  /** Closes a cursor that nobody uses any more. */
  static void close(Parts parts, OpenCursor cursor) {
    switch (cursor) {
      case OpenCursor.Local local -> local.close();
      case OpenCursor.Forwarded forwarded -> closeRemote(parts, forwarded);
    }
  }

  private static void closeRemote(Parts parts, OpenCursor.Forwarded cursor) {
    int dot = cursor.namespace().indexOf('.');
    BsonDocument command =
        new BsonDocument("killCursors", new BsonString(cursor.namespace().substring(dot + 1)))
            .append("cursors", new BsonArray(List.of(new BsonInt64(cursor.remoteId()))));
    cursor.session().forEach(command::append);
    try {
      parts
          .shards()
          .run(
              cursor.shard(),
              Operation.builder(cursor.namespace().substring(0, dot), command)
                  .readWish(ReadWish.read(cursor.preference()))
                  .retry(Retryability.READ_ONCE)
                  .pinnedTo(cursor.server())
                  .build());
    } catch (ReplyException unreachable) {
      // the member forgets an idle cursor by itself
    }
  }
}
