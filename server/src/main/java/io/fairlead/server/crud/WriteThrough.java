// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $out} and {@code $merge} on a secondary: what comes before them runs here, and the primary
 * runs them on the documents, which travel as a {@code $documents} stage. {@code $merge} goes in
 * batches, of which each is a write of its own; {@code $out} replaces a collection at once and
 * therefore goes whole, within {@value #OUT_BYTES_MAX} bytes.
 */
final class WriteThrough {
  private static final int BATCH_BYTES = 8 << 20;
  private static final int OUT_BYTES_MAX = 40 << 20;
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Set<String> OF_EVERY_REPLY =
      Set.of(
          "ok",
          "errmsg",
          "code",
          "codeName",
          "errorLabels",
          "topologyVersion",
          "operationTime",
          "$clusterTime");

  private final CommandContext context;
  private final Namespace source;
  private final BsonDocument stage;
  private @Nullable BsonTimestamp writtenAt;
  private @Nullable BsonValue writeConcernError;

  private WriteThrough(CommandContext context, Namespace source, BsonDocument stage) {
    this.context = context;
    this.source = source;
    this.stage = stage;
  }

  /**
   * Runs a pipeline that ends in one of the two.
   *
   * @return what the reply tells beside its empty cursor: {@code operationTime} of the write, a
   *     {@code writeConcernError}
   * @throws EngineException what the primary answers; 189 where there is none; 6 where it is lost
   */
  static BsonDocument run(CommandContext context, Namespace source, AggregateRequest request)
      throws InterruptedException {
    WriteThrough through = new WriteThrough(context, source, request.pipeline().getLast());
    try (DocumentCursor documents = WritingPipeline.documents(context, source, request)) {
      through.send(documents);
    }
    BsonDocument told = new BsonDocument();
    if (through.writtenAt != null) {
      told.append("operationTime", through.writtenAt);
    }
    if (through.writeConcernError != null) {
      told.append("writeConcernError", through.writeConcernError);
    }
    return told;
  }

  private void send(DocumentCursor documents) {
    boolean whole = stage.containsKey("$out");
    BsonArray batch = new BsonArray();
    boolean sent = false;
    int bytes = 0;
    for (RawBsonDocument next = documents.next(); next != null; next = documents.next()) {
      batch.add(next);
      bytes += next.getByteBuffer().remaining();
      if (whole && bytes > OUT_BYTES_MAX) {
        throw Failures.of(
            ErrorCodes.BSON_OBJECT_TOO_LARGE,
            "$out through a secondary is limited to "
                + OUT_BYTES_MAX
                + " bytes of documents; run it on the primary");
      }
      if (!whole && bytes >= BATCH_BYTES) {
        send(batch);
        sent = true;
        batch = new BsonArray();
        bytes = 0;
      }
    }
    if (!sent || !batch.isEmpty()) {
      send(batch); // without documents too: the primary checks the target, $out empties it
    }
  }

  private void send(BsonArray documents) {
    context.operation().check();
    Duration left = context.operation().remaining();
    BsonDocument reply =
        context
            .coordinator()
            .runOnPrimary(
                source.database(),
                command(documents, left),
                left.compareTo(LONGEST) < 0 ? left : LONGEST);
    BsonValue clusterTime = reply.get("$clusterTime");
    if (clusterTime != null) {
      context
          .coordinator()
          .advanceClusterTime(clusterTime.asDocument().getTimestamp("clusterTime"));
    }
    if (reply.getNumber("ok").intValue() != 1) {
      throw failure(reply);
    }
    writtenAt = reply.getTimestamp("operationTime", writtenAt);
    if (reply.containsKey("writeConcernError")) {
      writeConcernError = reply.get("writeConcernError");
    }
  }

  private BsonDocument command(BsonArray documents, Duration left) {
    BsonDocument command =
        new BsonDocument("aggregate", new BsonInt32(1))
            .append(
                "pipeline",
                new BsonArray(
                    List.of(
                        new BsonDocument("$documents", new BsonDocument("$literal", documents)),
                        stage)))
            .append("cursor", new BsonDocument());
    BsonDocument body = context.body();
    for (String name : List.of("collation", "let", "bypassDocumentValidation", "comment")) {
      BsonValue value = body.get(name);
      if (value != null) {
        command.append(name, value);
      }
    }
    BsonDocument writeConcern = context.generic().writeConcern();
    if (writeConcern != null) {
      command.append("writeConcern", writeConcern);
    }
    if (context.generic().maxTime() != null) {
      command.append("maxTimeMS", new BsonInt64(Math.max(1, left.toMillis())));
    }
    return command;
  }

  /** The primary's error, with all that it says. */
  private static EngineException failure(BsonDocument reply) {
    BsonDocument details = new BsonDocument();
    reply.forEach(
        (name, value) -> {
          if (!OF_EVERY_REPLY.contains(name)) {
            details.append(name, value);
          }
        });
    Set<String> labels = new HashSet<>();
    reply
        .getArray("errorLabels", new BsonArray())
        .forEach(label -> labels.add(label.asString().getValue()));
    return new EngineException(
        reply.getNumber("code", new BsonInt32(ErrorCodes.UNKNOWN_ERROR)).intValue(),
        reply.getString("errmsg").getValue(),
        labels,
        details,
        null);
  }
}
