// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.FAILED_TO_PARSE;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.NamespaceRules;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.Documents;
import io.fairlead.engine.collection.EmptyTimestamps;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.projection.Projection;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.read.Query;
import io.fairlead.engine.state.Selection.Found;
import io.fairlead.engine.storage.TreeCursor;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.update.Update;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.MetaUse;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteTransaction.DeleteOutcome;
import io.fairlead.engine.write.WriteTransaction.FindAndModifyOutcome;
import io.fairlead.engine.write.WriteTransaction.InsertOutcome;
import io.fairlead.engine.write.WriteTransaction.UpdateOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** A session's writes to the documents of one collection. */
final class DocumentWrites {
  private final WriteSession session;
  private final Namespace namespace;

  DocumentWrites(WriteSession session, Namespace namespace) {
    this.session = session;
    this.namespace = namespace;
  }

  InsertOutcome insert(BsonDocument document) {
    byte[] bytes = BsonBytes.of(document);
    CollectionEditor editor = session.editorOrNew(namespace);
    CollectionState state = editor.described();
    String recordField = state.options().recordKeyField();
    if (recordField == null || recordField.equals("_id")) {
      bytes = timed(Documents.toInsert(bytes, ObjectId::new));
    }
    insert(editor, state, bytes);
    int id = Documents.id(bytes);
    return new InsertOutcome(id < 0 ? BsonNull.VALUE : BsonBytes.decode(bytes, id));
  }

  private byte[] timed(byte[] document) {
    return namespace.database().equals("local")
        ? document
        : EmptyTimestamps.fill(document, () -> session.timestamp());
  }

  private void insert(CollectionEditor editor, CollectionState state, byte[] bytes) {
    if (!session.context().bypassValidation()) {
      state.rules().validate(bytes, null, session::operation);
    }
    editor.insert(bytes);
    session.record(
        () ->
            new Change.Inserted(
                namespace, state.uuid(), new RawBsonDocument(bytes), session.statement()));
    if (state.rules().capped()) {
      trim(editor, state);
    }
  }

  /** Deletes the oldest records of a capped collection until it is within its bounds. */
  private void trim(CollectionEditor editor, CollectionState rules) {
    if (!session.context().participates() && !namespace.database().equals("local")) {
      // The deletions come with the replicated operations.
      return;
    }
    CollectionState state = editor.state();
    while (state.records().size() > 1
        && (state.documentBytes() > rules.rules().bytesMax()
            || (rules.rules().documentsMax() > 0
                && state.records().size() > rules.rules().documentsMax()))) {
      TreeCursor<byte[]> oldest = state.records().cursor();
      oldest.first();
      // not what the statement asked for, so no outcome of it
      Found forgotten = new Found(oldest.key(), oldest.value());
      delete(editor, forgotten, state.uuid(), Change.NO_STATEMENT);
      state = editor.state();
    }
  }

  /** The collection as the session has it, or null. */
  private @Nullable CollectionState now() {
    CollectionEditor editor = session.documents(namespace);
    return editor == null ? null : editor.state();
  }

  UpdateOutcome update(UpdateRequest request) {
    CollectionState now = now();
    OperationContext operation =
        Query.context(session.operation(), request.let(), request.collation(), now);
    Update update = Update.compile(request.update(), request.arrayFilters(), operation);
    if (request.multi() && update.kind() == Update.Kind.REPLACEMENT) {
      throw new EngineException(
          FAILED_TO_PARSE, "multi update is not supported for replacement-style update");
    }
    if (request.multi() && !request.sort().isEmpty()) {
      throw new EngineException(FAILED_TO_PARSE, "Cannot specify sort with multi=true");
    }
    Selection selection = new Selection(now, request.filter(), operation);
    CollectionEditor editor = editorFor(request.upsert());
    if (editor == null) {
      return new UpdateOutcome(0, 0, null);
    }
    CollectionState state = editor.state();
    long matched = 0;
    long modified = 0;
    for (Found found :
        selection.find(state, request.sort(), request.hint(), request.multi() ? 0 : 1)) {
      if ((++matched & 0xff) == 0) {
        operation.interrupt().check();
      }
      if (modify(editor, state, found, update, selection) != null) {
        modified++;
      }
    }
    if (matched == 0 && request.upsert()) {
      byte[] inserted = upsert(editor, state, update, selection);
      return new UpdateOutcome(0, 0, BsonBytes.decode(inserted, Documents.id(inserted)));
    }
    return new UpdateOutcome(matched, modified, null);
  }

  private @Nullable CollectionEditor editorFor(boolean upsert) {
    CollectionEditor editor = session.documents(namespace);
    if (editor != null) {
      return editor;
    }
    if (upsert) {
      return session.editorOrNew(namespace);
    }
    NamespaceRules.check(namespace);
    return null;
  }

  /** Changes one record; returns the new document, or null when it was not changed by it. */
  @SuppressWarnings("ReferenceEquality") // an unchanged document is the same array
  private byte @Nullable [] modify(
      CollectionEditor editor,
      CollectionState state,
      Found found,
      Update update,
      Selection selection) {
    byte[] before = found.document();
    byte[] changed = update.apply(before, selection::matcher);
    if (changed == before) {
      return null;
    }
    Documents.checkUpdated(changed);
    byte[] after = update.kind() == Update.Kind.REPLACEMENT ? timed(changed) : changed;
    if (!session.context().bypassValidation()) {
      state.rules().validate(after, before, session::operation);
    }
    editor.replace(found.record(), before, after, update.changedFields().orElse(null));
    session.record(
        () ->
            new Change.Updated(
                namespace,
                state.uuid(),
                new RawBsonDocument(before),
                new RawBsonDocument(after),
                update.kind() == Update.Kind.REPLACEMENT,
                state.rules().images(),
                session.statement()));
    return after;
  }

  private byte[] upsert(
      CollectionEditor editor, CollectionState state, Update update, Selection selection) {
    byte[] bytes =
        Documents.toUpsert(BsonBytes.of(update.upsert(selection.matcher())), ObjectId::new);
    if (update.kind() == Update.Kind.REPLACEMENT) {
      bytes = timed(bytes);
    }
    insert(editor, state, bytes);
    return bytes;
  }

  DeleteOutcome delete(DeleteRequest request) {
    CollectionState now = now();
    OperationContext operation =
        Query.context(session.operation(), request.let(), request.collation(), now);
    Selection selection = new Selection(now, request.filter(), operation);
    CollectionEditor editor = editorFor(false);
    if (editor == null) {
      return new DeleteOutcome(0);
    }
    CollectionState state = editor.state();
    List<Found> all =
        selection.find(state, new BsonDocument(), request.hint(), request.multi() ? 0 : 1);
    long deleted = 0;
    for (Found found : all) {
      if ((++deleted & 0xff) == 0) {
        operation.interrupt().check();
      }
      delete(editor, found, state.uuid());
    }
    return new DeleteOutcome(all.size());
  }

  private void delete(CollectionEditor editor, Found found, UUID collection) {
    delete(editor, found, collection, session.statement());
  }

  private void delete(CollectionEditor editor, Found found, UUID collection, int statement) {
    editor.delete(found.record(), found.document());
    session.record(
        () ->
            new Change.Deleted(
                namespace,
                collection,
                new RawBsonDocument(found.document()),
                editor.rules().images(),
                statement));
  }

  FindAndModifyOutcome findAndModify(FindAndModifyRequest request) {
    CollectionState now = now();
    OperationContext operation =
        Query.context(session.operation(), request.let(), request.collation(), now);
    BsonValue wanted = request.update();
    if (wanted == null && (request.upsert() || request.returnNew())) {
      throw new EngineException(
          FAILED_TO_PARSE,
          request.upsert()
              ? "Cannot specify both upsert=true and remove=true "
              : "Cannot specify both new=true and remove=true; 'remove' always returns the deleted"
                  + " document");
    }
    Update update =
        wanted == null ? null : Update.compile(wanted, request.arrayFilters(), operation);
    Selection selection = new Selection(now, request.filter(), operation);
    Projection projection =
        request.projection().isEmpty()
            ? Projection.identity()
            : Projection.compile(request.projection(), selection.matcher(), operation);
    MetaUse.check(request.projection(), false, false, false, !request.sort().isEmpty());
    CollectionEditor editor = editorFor(request.upsert());
    if (editor == null) {
      return new FindAndModifyOutcome(Optional.empty(), false, null);
    }
    CollectionState state = editor.state();
    List<Found> all = selection.find(state, request.sort(), request.hint(), 1);
    if (all.isEmpty()) {
      if (!request.upsert()) {
        return new FindAndModifyOutcome(Optional.empty(), false, null);
      }
      byte[] inserted = upsert(editor, state, Objects.requireNonNull(update), selection);
      return new FindAndModifyOutcome(
          request.returnNew() ? shown(projection, inserted) : Optional.empty(),
          false,
          BsonBytes.decode(inserted, Documents.id(inserted)));
    }
    Found found = all.getFirst();
    if (update == null) {
      // Projected first: a projection that fails leaves the document where it is.
      Optional<BsonDocument> shown = shown(projection, found.document());
      delete(editor, found, state.uuid());
      return new FindAndModifyOutcome(shown, true, null);
    }
    byte[] after = modify(editor, state, found, update, selection);
    byte[] result = request.returnNew() && after != null ? after : found.document();
    return new FindAndModifyOutcome(shown(projection, result), true, null);
  }

  private static Optional<BsonDocument> shown(Projection projection, byte[] document) {
    RawBsonDocument whole = new RawBsonDocument(document);
    return Optional.of(projection.isIdentity() ? whole : projection.apply(whole));
  }

  void put(BsonDocument document) {
    byte[] bytes = BsonBytes.of(document);
    CollectionEditor editor = session.editorOrNew(namespace);
    CollectionState state = editor.described();
    byte[] record = editor.recordOfId(bytes);
    if (record == null) {
      editor.insert(bytes);
      session.record(
          () ->
              new Change.Inserted(
                  namespace, state.uuid(), new RawBsonDocument(bytes), session.statement()));
      return;
    }
    byte[] before = Objects.requireNonNull(editor.document(record));
    editor.replace(record, before, bytes);
    session.record(
        () ->
            new Change.Updated(
                namespace,
                state.uuid(),
                new RawBsonDocument(before),
                new RawBsonDocument(bytes),
                true,
                state.rules().images(),
                session.statement()));
  }

  boolean deleteById(BsonValue id) {
    CollectionEditor editor = session.documents(namespace);
    if (editor == null) {
      return false;
    }
    CollectionState state = editor.state();
    byte[] record = state.recordOfId(id);
    if (record == null) {
      return false;
    }
    delete(
        editor, new Found(record, Objects.requireNonNull(editor.document(record))), state.uuid());
    return true;
  }

  long trimOldest(long keep) {
    CollectionEditor editor = session.documents(namespace);
    if (editor == null) {
      return 0;
    }
    long trimmed = 0;
    while (editor.size() > keep) {
      TreeCursor<byte[]> oldest = editor.records();
      oldest.first();
      editor.delete(oldest.key(), oldest.value());
      trimmed++;
    }
    return trimmed;
  }

  long deleteExpired(Instant now, long most) {
    CollectionEditor editor = session.documents(namespace);
    if (editor == null) {
      return 0;
    }
    CollectionState state = editor.state();
    long deleted = 0;
    for (IndexState index : state.indexes()) {
      OptionalLong seconds = index.definition().expireAfterSeconds();
      if (seconds.isPresent()) {
        BsonDateTime latest =
            new BsonDateTime(now.minusSeconds(seconds.getAsLong()).toEpochMilli());
        deleted += deleteUpTo(editor, index, latest, most - deleted);
      }
    }
    OptionalLong ofIds = state.rules().expireAfterSeconds();
    if (ofIds.isPresent() && deleted < most) {
      BsonDateTime latest = new BsonDateTime(now.minusSeconds(ofIds.getAsLong()).toEpochMilli());
      TimeSeriesOptions timeSeries = state.rules().timeSeries();
      String field = timeSeries == null ? "_id" : "control.max." + timeSeries.timeField();
      BsonDocument filter = new BsonDocument(field, new BsonDocument("$lte", latest));
      deleted += deleteAll(editor, filter, most - deleted, null);
    }
    return deleted;
  }

  private long deleteUpTo(
      CollectionEditor editor, IndexState index, BsonDateTime latest, long most) {
    String path = index.definition().pattern().fields().getFirst().path();
    BsonDocument filter = new BsonDocument(path, new BsonDocument("$lte", latest));
    Matcher partial = index.definition().filter();
    if (partial != null) {
      filter = new BsonDocument("$and", new BsonArray(List.of(filter, partial.filter())));
    }
    BsonValue hint = index.definition().hidden() ? null : new BsonString(index.definition().name());
    return deleteAll(editor, filter, most, hint);
  }

  private long deleteAll(
      CollectionEditor editor, BsonDocument filter, long most, @Nullable BsonValue hint) {
    if (most <= 0) {
      return 0;
    }
    OperationContext operation = session.operation().withOrder(BsonOrder.SIMPLE);
    List<Found> found =
        new Selection(null, filter, operation).find(editor.state(), new BsonDocument(), hint, most);
    for (Found each : found) {
      delete(editor, each, editor.described().uuid());
    }
    return found.size();
  }
}
