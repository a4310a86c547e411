// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.cursor;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.value.Numbers;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.NullArguments;
import io.fairlead.server.command.ShallowDocument;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** Opens a cursor for a command and answers its first batch. */
public final class CursorReplies {
  private CursorReplies() {}

  /**
   * How a command wants its result.
   *
   * @param batchSize documents in the first batch; zero opens the cursor only
   * @param single whether the cursor closes after the first batch
   * @param limit how many documents the source gives at most; zero where it does not limit
   * @param kind what happens at the end
   * @param immortal whether it never times out
   */
  public record Wish(
      long batchSize, boolean single, long limit, ServerCursor.Kind kind, boolean immortal) {
    /** Everything, in batches of the usual size. */
    public static Wish of(long batchSize) {
      return new Wish(batchSize, false, 0, ServerCursor.Kind.ORDINARY, false);
    }

    /** The same for a cursor that is over at its end. */
    public Wish ordinary() {
      return new Wish(batchSize, single, limit, ServerCursor.Kind.ORDINARY, immortal);
    }
  }

  /**
   * The {@code cursor: {batchSize}} argument of aggregate and its kin; the default where it is
   * absent.
   */
  public static long batchSize(String command, @Nullable BsonValue cursor) {
    return batchSize(command, cursor, Batch.FIRST_BATCH);
  }

  /** As {@link #batchSize(String, BsonValue)}, with another default. */
  public static long batchSize(String command, @Nullable BsonValue cursor, long otherwise) {
    if (cursor == null) {
      return otherwise;
    }
    BsonDocument options =
        NullArguments.leaveOut(
            ShallowDocument.of(Arguments.document(command + ".cursor", cursor)), Set.of());
    for (String field : options.keySet()) {
      if (!field.equals("batchSize")) {
        throw Failures.of(
            40415, "BSON field '" + command + ".cursor." + field + "' is an unknown field.");
      }
    }
    BsonValue size = options.get("batchSize");
    return size == null ? otherwise : nonNegative("batchSize", size);
  }

  /** A number of documents: not negative; of a fraction its whole part. */
  public static long nonNegative(String field, BsonValue value) {
    if (!value.isNumber()) {
      throw Failures.wrongType(field, value, "long");
    }
    long number = Numbers.toLong(value);
    if (number < 0) {
      throw Failures.of(
          51024, "BSON field '" + field + "' value must be >= 0, actual value '" + number + "'");
    }
    return number;
  }

  /** Opens a cursor and answers its first batch; the cursor is kept when there may be more. */
  public static BsonDocument open(
      CommandContext context, Namespace namespace, Wish wish, ServerCursor.Opening opening) {
    Cursors cursors = context.server().cursors();
    ServerCursor cursor =
        cursors.create(
            namespace,
            wish.kind(),
            context.generic().sessionId(),
            wish.immortal(),
            context.operation(),
            opening);
    boolean kept = false;
    try {
      Batch batch = Batch.of(cursor, wish.batchSize());
      boolean tailable = wish.kind() != ServerCursor.Kind.ORDINARY;
      boolean limitReached = wish.limit() > 0 && cursor.returned() >= wish.limit();
      kept = !wish.single() && !limitReached && (tailable || !batch.atEnd());
      if (kept) {
        cursors.keep(cursor);
      }
      BsonDocument reply = batch.reply("firstBatch", namespace.toString(), kept ? cursor.id() : 0);
      if (context.readTime() != null) {
        reply.getDocument("cursor").append("atClusterTime", context.readTime());
      }
      return reply;
    } finally {
      if (!kept) {
        cursors.close(cursor);
      }
    }
  }

  /** Opens a cursor over documents that are there already. */
  public static BsonDocument open(
      CommandContext context, Namespace namespace, long batchSize, List<BsonDocument> documents) {
    return open(context, namespace, Wish.of(batchSize), interruption -> overList(documents));
  }

  private static DocumentCursor overList(List<BsonDocument> documents) {
    Iterator<BsonDocument> rest = documents.iterator();
    BsonDocumentCodec codec = new BsonDocumentCodec();
    return new DocumentCursor() {
      @Override
      public @Nullable RawBsonDocument next() {
        if (!rest.hasNext()) {
          return null;
        }
        BsonDocument document = rest.next();
        return document instanceof RawBsonDocument raw ? raw : new RawBsonDocument(document, codec);
      }

      @Override
      public void close() {}
    };
  }
}
