// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.crud;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.expression.LetVariables;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a capped collection that goes on where it stopped. At the end of one state it looks
 * at the newest, backward from its end to the record that it has seen last; when that one has been
 * forgotten meanwhile, nobody knows what it has missed, and it fails (136). Used by one thread at a
 * time.
 */
final class CappedTail implements DocumentCursor {
  private static final String RECORD = "$recordId";
  private static final int COLLECTION_DROPPED = 175;
  private static final int POSITION_LOST = 136;
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private final CommandContext context;
  private final Namespace namespace;
  private final UUID collection;
  private final OperationContext evaluation;
  private final Matcher matcher;
  private final Projection projection;
  private final Deque<RawBsonDocument> pending = new ArrayDeque<>();
  private final DocumentCursor first;
  private long version;
  private long last;
  private long toSkip;
  private long left;

  private CappedTail(
      CommandContext context,
      Namespace namespace,
      UUID collection,
      FindRequest request,
      OperationContext evaluation,
      Snapshot snapshot) {
    this.context = context;
    this.namespace = namespace;
    this.collection = collection;
    this.evaluation = evaluation;
    this.matcher = Matcher.compile(request.filter(), evaluation);
    this.projection = Projection.compile(request.projection(), matcher, evaluation);
    this.version = snapshot.version();
    this.toSkip = request.skip();
    this.left = request.limit() == 0 ? Long.MAX_VALUE : request.limit();
    this.first = snapshot.find(namespace, natural(1), evaluation);
  }

  /**
   * Whether a collection has an end at which a cursor may wait: not when it is absent or empty.
   *
   * @throws io.fairlead.engine.error.EngineException 2 when it is there and not capped
   */
  static boolean hasEnd(Snapshot snapshot, Namespace namespace) {
    Optional<CollectionInfo> info = snapshot.collection(namespace);
    if (info.isEmpty()) {
      return false;
    }
    if (!isCapped(info.get()) && !namespace.equals(TailableCursor.OPLOG)) {
      throw Failures.of(
          2,
          "error processing query: ns="
              + namespace
              + " tailable cursor requested on non capped collection");
    }
    return snapshot.size(namespace) > 0;
  }

  private static boolean isCapped(CollectionInfo info) {
    return info.options().declared().get("capped") instanceof BsonBoolean capped
        && capped.getValue();
  }

  /**
   * Opens one.
   *
   * @throws io.fairlead.engine.error.EngineException 2 for what such a cursor does not do
   */
  static DocumentCursor open(
      CommandContext context,
      Namespace namespace,
      FindRequest request,
      OperationContext.Interrupt interrupt) {
    BsonDocument sort = request.sort();
    if (!sort.isEmpty() && !sort.equals(new BsonDocument("$natural", new BsonInt32(1)))) {
      throw Failures.of(2, "cannot use tailable option with a sort other than {$natural: 1}");
    }
    refuse(request.returnKey(), "returnKey");
    refuse(request.showRecordId(), "showRecordId");
    refuse(request.min() != null || request.max() != null, "min and max");
    Snapshot snapshot = context.server().engine().snapshot();
    CollectionInfo info = snapshot.collection(namespace).orElseThrow();
    return new CappedTail(
        context,
        namespace,
        info.uuid(),
        request,
        evaluation(context.evaluation(interrupt), request, info),
        snapshot);
  }

  private static void refuse(boolean asked, String option) {
    if (asked) {
      throw Failures.of(2, "cannot use tailable option with " + option);
    }
  }

  private static OperationContext evaluation(
      OperationContext operation, FindRequest request, CollectionInfo info) {
    BsonDocument collation = request.collation();
    if (collation == null || collation.isEmpty()) {
      collation = info.options().declared().getDocument("collation", new BsonDocument());
    }
    OperationContext ordered =
        collation.isEmpty() ? operation : operation.withOrder(Collation.parse(collation));
    BsonDocument let = request.let();
    return let == null ? ordered : LetVariables.bind(ordered, let);
  }

  private static FindRequest natural(int direction) {
    return FindRequest.all()
        .withSort(new BsonDocument("$natural", new BsonInt32(direction)))
        .withShowRecordId(true);
  }

  @Override
  public @Nullable RawBsonDocument next() {
    while (left > 0) {
      RawBsonDocument numbered = pending.isEmpty() ? first.next() : pending.poll();
      if (numbered == null) {
        if (!lookAgain()) {
          return null;
        }
        continue;
      }
      last = record(numbered);
      RawBsonDocument document = withoutRecord(numbered);
      if (matcher.matches(document) && toSkip-- <= 0) {
        left--;
        return projection.isIdentity() ? document : projection.apply(document);
      }
    }
    return null;
  }

  /** Whether there is something behind what was seen last. */
  private boolean lookAgain() {
    Snapshot snapshot = context.server().engine().snapshot();
    if (snapshot.version() == version) {
      return false;
    }
    version = snapshot.version();
    if (snapshot.collection(namespace).filter(info -> info.uuid().equals(collection)).isEmpty()) {
      throw Failures.of(
          COLLECTION_DROPPED,
          "collection dropped. UUID " + collection + ", namespace " + namespace);
    }
    try (DocumentCursor backward = snapshot.find(namespace, natural(-1), evaluation)) {
      for (RawBsonDocument next = backward.next(); next != null; next = backward.next()) {
        long number = record(next);
        if (number == last) {
          return !pending.isEmpty();
        }
        if (number < last) {
          break;
        }
        pending.push(next);
      }
    }
    pending.clear();
    throw Failures.of(
        POSITION_LOST,
        "CollectionScan died due to failure to restore tailable cursor position. Last seen record"
            + " id: RecordId("
            + last
            + ")");
  }

  private static long record(RawBsonDocument numbered) {
    return numbered.getNumber(RECORD).longValue();
  }

  private static RawBsonDocument withoutRecord(RawBsonDocument numbered) {
    BsonDocument copy = numbered.decode(CODEC);
    copy.remove(RECORD);
    return new RawBsonDocument(copy, CODEC);
  }

  @Override
  public void close() {
    first.close();
    pending.clear();
  }
}
