// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.WriteTransaction.FindAndModifyOutcome;
import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.replication.AlreadyExecutedException;
import io.fairlead.server.replication.WriteOrigin;
import io.fairlead.server.retryable.StatementOutcome;
import java.util.List;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** {@code findAndModify}. */
final class FindAndModify {
  private static final int RACES_MAX = 10;

  private FindAndModify() {}

  static BsonDocument run(CommandContext context) {
    Namespace namespace = context.namespace();
    FindAndModifyRequest request = request(context.body());
    WriteOrigin origin =
        WriteOrigins.of(
            context, request.returnNew() ? WriteOrigin.Image.AFTER : WriteOrigin.Image.BEFORE);
    int statement = statement(context.body());
    for (int attempt = 1; ; attempt++) {
      Optional<StatementOutcome> executed = executed(context, origin, statement);
      if (executed.isPresent()) {
        context.wrote(context.coordinator().lastApplied());
        return replay(context, request, executed.get())
            .append("retriedStmtId", new BsonInt32(statement));
      }
      try {
        return reply(
            request,
            context.write(
                origin,
                transaction -> {
                  if (origin.session() != null) {
                    transaction.statement(statement);
                  }
                  return transaction.findAndModify(namespace, request);
                }));
      } catch (AlreadyExecutedException race) {
        if (attempt == RACES_MAX) {
          throw Failures.of(112, "another attempt of this retryable write is running");
        }
      }
    }
  }

  private static Optional<StatementOutcome> executed(
      CommandContext context, WriteOrigin origin, int statement) {
    WriteOrigin.RetryableWrite retryable = origin.session();
    return retryable == null
        ? Optional.empty()
        : context.coordinator().outcome(retryable, statement);
  }

  private static int statement(BsonDocument body) {
    BsonValue id = body.get("stmtId");
    return id == null ? 0 : Arguments.intBetween("stmtId", id, 0, Integer.MAX_VALUE);
  }

  static FindAndModifyRequest request(BsonDocument body) {
    BsonValue change = body.get("update");
    boolean remove = Arguments.flag(body, "remove");
    boolean upsert = Arguments.flag(body, "upsert");
    boolean returnNew = Arguments.flag(body, "new");
    List<BsonDocument> arrayFilters = Update.arrayFilters(body, "findAndModify.arrayFilters");
    requireSensible(change, remove, upsert, returnNew, !arrayFilters.isEmpty());
    return new FindAndModifyRequest(
        Find.orEmpty(Arguments.optionalDocument(body, "query")),
        Find.orEmpty(Arguments.optionalDocument(body, "sort")),
        remove ? null : change,
        returnNew,
        upsert,
        Find.orEmpty(Arguments.optionalDocument(body, "fields")),
        arrayFilters,
        Find.hint(body),
        Arguments.optionalDocument(body, "collation"),
        Arguments.optionalDocument(body, "let"));
  }

  private static void requireSensible(
      @Nullable BsonValue change,
      boolean remove,
      boolean upsert,
      boolean returnNew,
      boolean arrayFilters) {
    if (remove && change != null) {
      throw Failures.of(9, "Cannot specify both an update and remove=true");
    }
    if (remove && upsert) {
      throw Failures.of(9, "Cannot specify both upsert=true and remove=true");
    }
    if (remove && returnNew) {
      throw Failures.of(
          9,
          "Cannot specify both new=true and remove=true; 'remove' always returns the deleted"
              + " document");
    }
    if (remove && arrayFilters) {
      throw Failures.of(9, "Cannot specify arrayFilters and remove=true");
    }
    if (!remove && change == null) {
      throw Failures.of(9, "Either an update or remove=true must be specified");
    }
    if (change != null && !change.isDocument() && !change.isArray()) {
      throw Failures.of(9, "Update argument must be either an object or an array");
    }
  }

  private static BsonDocument reply(FindAndModifyRequest request, FindAndModifyOutcome outcome) {
    boolean touched = outcome.matched() || outcome.upsertedId() != null;
    BsonValue value = outcome.value().<BsonValue>map(document -> document).orElse(BsonNull.VALUE);
    return reply(request.update() == null, touched, outcome.matched(), outcome.upsertedId(), value);
  }

  private static BsonDocument replay(
      CommandContext context, FindAndModifyRequest request, StatementOutcome outcome) {
    boolean removed = outcome.kind() == StatementOutcome.Kind.DELETE;
    if (removed != (request.update() == null)) {
      throw Failures.of(
          117,
          "this statement was executed before as another kind of write: retry it with the same"
              + " arguments");
    }
    boolean upserted = outcome.kind() == StatementOutcome.Kind.INSERT;
    return reply(
        removed,
        true,
        !upserted,
        outcome.upsertedId(),
        projected(context, request, outcome.image()));
  }

  private static BsonValue projected(
      CommandContext context, FindAndModifyRequest request, @Nullable BsonDocument image) {
    if (image == null) {
      return BsonNull.VALUE;
    }
    if (request.projection().isEmpty()) {
      return image;
    }
    RawBsonDocument raw =
        image instanceof RawBsonDocument given
            ? given
            : new RawBsonDocument(image, new BsonDocumentCodec());
    Matcher filter = Matcher.compile(request.filter(), context.evaluation());
    return Projection.compile(request.projection(), filter, context.evaluation()).apply(raw);
  }

  private static BsonDocument reply(
      boolean remove,
      boolean touched,
      boolean updatedExisting,
      @Nullable BsonValue upsertedId,
      BsonValue value) {
    BsonDocument last = new BsonDocument("n", new BsonInt32(touched ? 1 : 0));
    if (!remove) {
      last.append("updatedExisting", BsonBoolean.valueOf(updatedExisting));
    }
    if (upsertedId != null) {
      last.append("upserted", upsertedId);
    }
    return new BsonDocument("lastErrorObject", last).append("value", value);
  }
}
