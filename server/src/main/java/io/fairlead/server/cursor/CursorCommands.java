// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.cursor;

import io.fairlead.engine.Namespace;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.BsonTypes;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.CommandSpec;
import io.fairlead.server.command.Failures;
import io.fairlead.server.command.Placement;
import io.fairlead.server.command.Trait;
import java.time.Duration;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** {@code getMore} and {@code killCursors}. */
public final class CursorCommands {
  /** How long a getMore on an awaitData cursor waits where it does not say. */
  private static final Duration AWAIT_DEFAULT = Duration.ofSeconds(1);

  /** How often a waiting getMore looks whether it was killed. */
  private static final Duration AWAIT_STEP = Duration.ofMillis(500);

  private CursorCommands() {}

  public static List<CommandSpec> family() {
    return List.of(
        CommandSpec.named("getMore")
            .on(Placement.EVERY_MEMBER)
            .with(Trait.API_V1, Trait.TRANSACTION)
            .needs("find")
            .takes("collection", "batchSize", "term", "lastKnownCommittedOpTime")
            .help("Takes the next batch of a cursor.")
            .runs(CursorCommands::getMore),
        CommandSpec.named("killCursors")
            .with(Trait.API_V1, Trait.TRANSACTION)
            .needs("killCursors")
            .takes("cursors")
            .help("Closes cursors.")
            .runs(CursorCommands::killCursors));
  }

  private static BsonDocument getMore(CommandContext context) throws InterruptedException {
    context.server().counters().getMores.increment();
    if (!context.subject().isInt64()) {
      throw Failures.wrongType("getMore.getMore", context.subject(), "long");
    }
    BsonValue collection = context.get("collection");
    if (collection == null) {
      throw Failures.missing("getMore.collection");
    }
    Namespace namespace = context.namespace("collection", collection);
    BsonValue size = context.get("batchSize");
    long batchSize = size == null ? Long.MAX_VALUE : CursorReplies.nonNegative("batchSize", size);
    if (size != null && batchSize == 0) {
      throw Failures.of(2, "Batch size for getMore must be positive, but received: 0");
    }
    Cursors cursors = context.server().cursors();
    ServerCursor cursor =
        cursors.checkOut(context.subject().asInt64().getValue(), context.operation());
    boolean kept = false;
    boolean keepOnError = true;
    try {
      requireOwner(cursor, namespace, context);
      requireNoMaxTime(cursor, context);
      keepOnError = false;
      Batch batch = Batch.of(cursor, batchSize);
      if (batch.documents().isEmpty() && cursor.kind() == ServerCursor.Kind.TAILABLE_AWAIT) {
        batch = awaitMore(context, cursor, batchSize);
      }
      kept = !batch.atEnd() || cursor.kind() != ServerCursor.Kind.ORDINARY;
      if (kept) {
        cursors.keep(cursor);
        context.streamOn(context.body());
      }
      return batch.reply("nextBatch", namespace.toString(), kept ? cursor.id() : 0);
    } finally {
      if (!kept && keepOnError) {
        cursors.keep(cursor);
      } else if (!kept) {
        cursors.close(cursor);
      }
    }
  }

  /**
   * Waits until the data changes, as long as the client asked, for a cursor that found nothing new.
   */
  private static Batch awaitMore(CommandContext context, ServerCursor cursor, long batchSize)
      throws InterruptedException {
    Duration limit = context.generic().timeLimit();
    long deadline = System.nanoTime() + (limit == null ? AWAIT_DEFAULT : limit).toNanos();
    while (true) {
      long version = context.server().engine().snapshot().version();
      Batch batch = Batch.of(cursor, batchSize);
      long left = deadline - System.nanoTime();
      if (!batch.documents().isEmpty() || left <= 0) {
        return batch;
      }
      context.operation().check();
      context
          .server()
          .engine()
          .awaitNewer(version, Duration.ofNanos(Math.min(left, AWAIT_STEP.toNanos())));
    }
  }

  private static void requireOwner(
      ServerCursor cursor, Namespace namespace, CommandContext context) {
    if (!cursor.namespace().equals(namespace)) {
      throw Failures.of(
          13,
          "Requested getMore on namespace '"
              + namespace
              + "', but cursor belongs to a different namespace "
              + cursor.namespace());
    }
    BsonBinary session = context.generic().sessionId();
    BsonBinary owner = cursor.session();
    if (owner == null && session != null) {
      throw Failures.of(
          50736,
          "Cannot run getMore on cursor "
              + cursor.id()
              + ", which was not created in a session, in session "
              + session.asUuid());
    }
    if (owner != null && session == null) {
      throw Failures.of(
          50737,
          "Cannot run getMore on cursor "
              + cursor.id()
              + ", which was created in session "
              + owner.asUuid()
              + ", without an lsid");
    }
    if (owner != null && !owner.equals(session)) {
      throw Failures.of(
          50738,
          "Cannot run getMore on cursor "
              + cursor.id()
              + ", which was created in session "
              + owner.asUuid()
              + ", in another session");
    }
  }

  private static void requireNoMaxTime(ServerCursor cursor, CommandContext context) {
    if (context.generic().maxTime() != null && cursor.kind() != ServerCursor.Kind.TAILABLE_AWAIT) {
      throw Failures.of(2, "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
    }
  }

  private static BsonDocument killCursors(CommandContext context) {
    if (!context.subject().isString()) {
      throw Failures.of(2, "collection name has invalid type " + BsonTypes.name(context.subject()));
    }
    BsonValue list = context.get("cursors");
    if (list == null) {
      throw Failures.missing("killCursors.cursors");
    }
    BsonArray killed = new BsonArray();
    BsonArray notFound = new BsonArray();
    int index = 0;
    for (BsonValue element : Arguments.array("killCursors.cursors", list)) {
      long id = Arguments.exactLong("killCursors.cursors." + index++, element);
      (context.server().cursors().kill(id) ? killed : notFound).add(new BsonInt64(id));
    }
    return new BsonDocument("cursorsKilled", killed)
        .append("cursorsNotFound", notFound)
        .append("cursorsAlive", new BsonArray())
        .append("cursorsUnknown", new BsonArray());
  }
}
