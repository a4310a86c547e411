// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The collections as one writer changes them, and the changes in order. What it writes it keeps for
 * itself until the engine commits it.
 */
final class WriteSession implements WriteTransaction {
  private final StoreEngine engine;
  private WriteContext context;
  private final Access access;

  /** Whether a commit participant is there to be told of the changes. */
  private final boolean recording;

  private final Map<Namespace, CollectionEditor> editors = new HashMap<>(4);

  /** Collections that were dropped here, and not created again. */
  private final Map<Namespace, Boolean> dropped = new LinkedHashMap<>(2);

  private final List<Change> changes = new ArrayList<>();
  private int statement = Change.NO_STATEMENT;
  private @Nullable OperationContext operation;

  WriteSession(StoreEngine engine, WriteContext context, Access access) {
    this.engine = engine;
    this.context = context;
    this.access = access;
    this.recording = context.participates() && engine.hasParticipant();
  }

  /** The statements that follow have that operation, and that wish about validation. */
  void continueAs(WriteContext statement) {
    context =
        context
            .withBypassValidation(statement.bypassValidation())
            .withOperation(statement.operation());
    operation = null;
  }

  List<Change> changes() {
    return changes;
  }

  /** The collections that were written to, as they are to be; absent ones were dropped. */
  Map<Namespace, Optional<CollectionState>> edited() {
    if (editors.isEmpty() && dropped.isEmpty()) {
      return Map.of();
    }
    Root root = access.root();
    if (editors.size() == 1 && dropped.isEmpty()) {
      CollectionEditor only = editors.values().iterator().next();
      CollectionState state = edited(only, root);
      return state == null ? Map.of() : Map.of(state.namespace(), Optional.of(state));
    }
    Map<Namespace, Optional<CollectionState>> edited = new HashMap<>(4);
    dropped.keySet().forEach(namespace -> edited.put(namespace, Optional.empty()));
    for (CollectionEditor editor : editors.values()) {
      CollectionState state = edited(editor, root);
      if (state != null) {
        edited.put(state.namespace(), Optional.of(state));
      }
    }
    return edited;
  }

  /** A collection as it is to be, or null when it is that already. */
  private static @Nullable CollectionState edited(CollectionEditor editor, Root root) {
    CollectionState state = editor.state();
    return isSame(state, editor.began()) && isSame(state, root.collection(state.namespace()))
        ? null
        : state;
  }

  @SuppressWarnings("ReferenceEquality") // an untouched state is the same state
  private static boolean isSame(CollectionState state, @Nullable CollectionState other) {
    return state == other;
  }

  /** The ids of the records that were written to a collection. */
  List<byte[]> written(Namespace namespace) {
    CollectionEditor editor = editors.get(namespace);
    return editor == null ? List.of() : editor.written();
  }

  void refuseInTransaction(String what) {
    if (access.tracksRecords()) {
      throw new EngineException(263, "Cannot run '" + what + "' in a multi-document transaction.");
    }
  }

  OperationContext operation() {
    OperationContext known = operation;
    if (known == null) {
      known = context.operation() != null ? context.operation() : engine.operation();
      operation = known;
    }
    return known;
  }

  /** The operation's time as a BSON timestamp; each is different from those before it. */
  long timestamp() {
    return ((operation().now().getValue() / 1000) << Integer.SIZE) | engine.nextIncrement();
  }

  WriteContext context() {
    return context;
  }

  int statement() {
    return statement;
  }

  /** Only a commit participant asks for changes. */
  void record(Supplier<Change> change) {
    if (recording) {
      changes.add(change.get());
    }
  }

  @Override
  public Snapshot snapshot() {
    Root root = access.root();
    Map<Namespace, Optional<CollectionState>> edited = edited();
    return new StoreSnapshot(edited.isEmpty() ? root : root.with(edited, root.version()));
  }

  @Override
  public void statement(int number) {
    statement = number;
  }

  @Override
  public InsertOutcome insert(Namespace namespace, BsonDocument document) {
    TimeSeriesWrites timeSeries = timeSeries(namespace);
    if (timeSeries != null) {
      return timeSeries.insert(document);
    }
    return new DocumentWrites(this, namespace).insert(document);
  }

  @Override
  public UpdateOutcome update(Namespace namespace, UpdateRequest request) {
    TimeSeriesWrites timeSeries = timeSeries(namespace);
    if (timeSeries != null) {
      return timeSeries.update(request);
    }
    return new DocumentWrites(this, namespace).update(request);
  }

  @Override
  public DeleteOutcome delete(Namespace namespace, DeleteRequest request) {
    TimeSeriesWrites timeSeries = timeSeries(namespace);
    if (timeSeries != null) {
      return timeSeries.delete(request);
    }
    return new DocumentWrites(this, namespace).delete(request);
  }

  @Override
  public FindAndModifyOutcome findAndModify(Namespace namespace, FindAndModifyRequest request) {
    if (timeSeries(namespace) != null) {
      throw new EngineException(
          INVALID_OPTIONS, "Cannot perform a findAndModify on a time-series collection");
    }
    return new DocumentWrites(this, namespace).findAndModify(request);
  }

  @Override
  public void put(Namespace namespace, BsonDocument document) {
    new DocumentWrites(this, namespace).put(document);
  }

  @Override
  public boolean deleteById(Namespace namespace, BsonValue id) {
    return new DocumentWrites(this, namespace).deleteById(id);
  }

  @Override
  public long trimOldest(Namespace namespace, long keep) {
    return new DocumentWrites(this, namespace).trimOldest(keep);
  }

  @Override
  public long deleteExpired(Namespace namespace, Instant now, long most) {
    return new DocumentWrites(this, namespace).deleteExpired(now, most);
  }

  /**
   * The editor of a collection, or null when there is no such collection; the session has its turn
   * on it.
   */
  @Nullable CollectionEditor editor(Namespace namespace) {
    CollectionEditor editor = editors.get(namespace);
    if (editor != null) {
      return editor;
    }
    access.enter(namespace);
    if (dropped.containsKey(namespace)) {
      return null;
    }
    CollectionState state = access.root().collection(namespace);
    if (state == null) {
      return null;
    }
    editor = new CollectionEditor(state, access.guard(namespace), access.tracksRecords());
    editors.put(namespace, editor);
    return editor;
  }

  /**
   * The editor of a collection whose documents or indexes are to be written, or null when there is
   * none.
   */
  @Nullable CollectionEditor documents(Namespace namespace) {
    if (SystemViews.is(namespace)) {
      throw new EngineException(
          ErrorCodes.COMMAND_NOT_SUPPORTED,
          namespace + " cannot be written to; views are changed by create, collMod and drop");
    }
    CollectionEditor editor = editor(namespace);
    if (editor != null && editor.isView()) {
      throw new EngineException(
          ErrorCodes.COMMAND_NOT_SUPPORTED_ON_VIEW,
          "Namespace " + namespace + " is a view, not a collection");
    }
    return editor;
  }

  /** The writes to a time-series collection, or null when it is none. */
  private @Nullable TimeSeriesWrites timeSeries(Namespace namespace) {
    CollectionEditor editor = editor(namespace);
    return editor != null && editor.isView() && editor.rules().timeSeries() != null
        ? new TimeSeriesWrites(this, namespace, editor.state())
        : null;
  }

  /** What the options of a time-series collection are, seen and changed from outside; else null. */
  @Nullable TimeSeriesOptions timeSeriesOptions(Namespace namespace) {
    CollectionEditor editor = editor(namespace);
    return editor != null && editor.isView() ? editor.rules().timeSeries() : null;
  }

  /** The editor of a collection that is created when there is none. */
  CollectionEditor editorOrNew(Namespace namespace) {
    CollectionEditor editor = documents(namespace);
    return editor != null
        ? editor
        : new CatalogWrites(this).create(namespace, CollectionOptions.none());
  }

  /** The collections that have an editor here. */
  Set<Namespace> open() {
    return editors.keySet();
  }

  /**
   * Begins with a collection that came to be here, even where one of that name was dropped here.
   */
  CollectionEditor open(CollectionState state) {
    Namespace namespace = state.namespace();
    dropped.remove(namespace);
    CollectionEditor editor =
        new CollectionEditor(state, access.guard(namespace), access.tracksRecords());
    editors.put(namespace, editor);
    return editor;
  }

  /** A collection is no more under that name. */
  void close(Namespace namespace) {
    editors.remove(namespace);
    dropped.put(namespace, true);
  }

  Root root() {
    return access.root();
  }

  StoreEngine engine() {
    return engine;
  }

  Instant now() {
    return engine.options().clock().instant();
  }

  /** A collection or view as this session has it, without a turn on it. */
  @Nullable CollectionState current(Namespace namespace) {
    CollectionEditor editor = editors.get(namespace);
    if (editor != null) {
      return editor.state();
    }
    return dropped.containsKey(namespace) ? null : access.root().collection(namespace);
  }

  @Override
  public void createCollection(Namespace namespace, CollectionOptions options) {
    new CatalogWrites(this).createCollection(namespace, options);
  }

  @Override
  public boolean dropCollection(Namespace namespace) {
    return new CatalogWrites(this).dropCollection(namespace);
  }

  @Override
  public void renameCollection(Namespace from, Namespace to, boolean dropTarget) {
    new CatalogWrites(this).renameCollection(from, to, dropTarget);
  }

  @Override
  public BsonDocument modifyCollection(Namespace namespace, BsonDocument modification) {
    return new CatalogWrites(this).modifyCollection(namespace, modification);
  }

  @Override
  public boolean dropDatabase(String database) {
    return new CatalogWrites(this).dropDatabase(database);
  }

  @Override
  public CreateIndexesOutcome createIndexes(Namespace namespace, List<IndexSpec> specs) {
    return new IndexWrites(this).createIndexes(namespace, specs);
  }

  @Override
  public int dropIndexes(Namespace namespace, BsonValue nameOrKey) {
    return new IndexWrites(this).dropIndexes(namespace, nameOrKey);
  }
}
