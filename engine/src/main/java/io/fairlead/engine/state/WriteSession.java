// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.INDEX_NOT_FOUND;
import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;
import static io.fairlead.engine.error.ErrorCodes.NAMESPACE_EXISTS;
import static io.fairlead.engine.error.ErrorCodes.NAMESPACE_NOT_FOUND;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.catalog.NamespaceRules;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.CreateOptions;
import io.fairlead.engine.collection.IndexBuild;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.index.IndexConflicts;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexRules;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.plan.Planner;
import io.fairlead.engine.timeseries.Buckets;
import io.fairlead.engine.timeseries.MetaNames;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;
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
  private final Map<Namespace, CollectionEditor> editors = new HashMap<>(4);

  /** Collections that were dropped here, and not created again. */
  private final Map<Namespace, Boolean> dropped = new LinkedHashMap<>(2);

  private final List<Change> changes = new ArrayList<>(2);
  private int statement = Change.NO_STATEMENT;
  private @Nullable OperationContext operation;

  WriteSession(StoreEngine engine, WriteContext context, Access access) {
    this.engine = engine;
    this.context = context;
    this.access = access;
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
    Map<Namespace, Optional<CollectionState>> edited = new HashMap<>(4);
    dropped.keySet().forEach(namespace -> edited.put(namespace, Optional.empty()));
    Root root = access.root();
    editors.forEach(
        (namespace, editor) -> {
          CollectionState state = editor.state();
          if (!isSame(state, editor.began()) || !isSame(state, root.collection(namespace))) {
            edited.put(namespace, Optional.of(state));
          }
        });
    return edited;
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

  /** Only the commit participant asks for changes. */
  void record(Change change) {
    if (context.participates()) {
      changes.add(change);
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
  private @Nullable TimeSeriesOptions timeSeriesOptions(Namespace namespace) {
    CollectionEditor editor = editor(namespace);
    return editor != null && editor.isView() ? editor.rules().timeSeries() : null;
  }

  /** The editor of a collection that is created when there is none. */
  CollectionEditor editorOrNew(Namespace namespace) {
    CollectionEditor editor = documents(namespace);
    return editor != null ? editor : create(namespace, CollectionOptions.none());
  }

  private CollectionEditor create(Namespace namespace, CollectionOptions options) {
    NamespaceRules.checkNew(namespace);
    checkDatabaseCase(namespace);
    UUID uuid = options.uuid() != null ? options.uuid() : newUuid();
    CollectionOptions honoured = CreateOptions.kept(namespace, options);
    CollectionState state = CollectionState.create(namespace, uuid, honoured);
    state.beginCounting(now());
    if (state.isView()) {
      checkView(state);
    }
    // Names it anew even when it is dropped and created in one commit.
    dropped.remove(namespace);
    CollectionEditor editor =
        new CollectionEditor(state, access.guard(namespace), access.tracksRecords());
    editors.put(namespace, editor);
    record(new Change.CollectionCreated(namespace, uuid, honoured));
    return editor;
  }

  private Instant now() {
    return engine.options().clock().instant();
  }

  /** Checks a new or changed view; one that is replicated was checked where it was made. */
  private void checkView(CollectionState view) {
    refuseInTransaction("create");
    if (context.participates()) {
      ViewGraph.check(this::current, view, operation());
    }
  }

  /** A collection or view as this session has it, without a turn on it. */
  private @Nullable CollectionState current(Namespace namespace) {
    CollectionEditor editor = editors.get(namespace);
    if (editor != null) {
      return editor.state();
    }
    return dropped.containsKey(namespace) ? null : access.root().collection(namespace);
  }

  private void checkDatabaseCase(Namespace namespace) {
    String database = namespace.database();
    if (!access.root().collectionsOf(database).isEmpty()) {
      return;
    }
    for (CollectionState other : access.root().collectionsOf(null)) {
      String name = other.namespace().database();
      if (name.equalsIgnoreCase(database) && !name.equals(database)) {
        throw new EngineException(
            13297,
            "db already exists with different case already have: ["
                + name
                + "] trying to create ["
                + database
                + "]");
      }
    }
  }

  private UUID newUuid() {
    var random = engine.options().random();
    long high = (random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  @Override
  public void createCollection(Namespace namespace, CollectionOptions options) {
    if (TimeSeriesCatalog.isWish(namespace, options)) {
      createTimeSeries(namespace, options);
      return;
    }
    CollectionEditor existing = editor(namespace);
    if (existing == null) {
      create(namespace, options);
      return;
    }
    BsonDocument wanted = CreateOptions.kept(namespace, options).declared();
    if (!sameOptions(existing.state().options().declared(), wanted)) {
      throw new EngineException(
          NAMESPACE_EXISTS,
          (existing.isView() ? "a view " : "namespace ")
              + namespace
              + " already exists, but with different options: "
              + existing.state().options().declared().toJson());
    }
  }

  /** Whatever their own order; but within a value, as in a pipeline, order says something. */
  private static boolean sameOptions(BsonDocument some, BsonDocument others) {
    return some.keySet().equals(others.keySet())
        && some.keySet().stream()
            .allMatch(
                name ->
                    Arrays.equals(
                        BsonBytes.of(new BsonDocument(name, some.get(name))),
                        BsonBytes.of(new BsonDocument(name, others.get(name)))));
  }

  @Override
  public boolean dropCollection(Namespace namespace) {
    refuseInTransaction("drop");
    if (SystemViews.is(namespace)) {
      return dropViews(namespace.database());
    }
    CollectionEditor editor = editor(namespace);
    if (editor == null) {
      return false;
    }
    if (timeSeriesOptions(namespace) != null) {
      dropCollection(Buckets.of(namespace));
    }
    CollectionState state = editor.state();
    editors.remove(namespace);
    dropped.put(namespace, true);
    record(new Change.CollectionDropped(namespace, state.uuid(), state.records().size()));
    return true;
  }

  /**
   * Creates a time-series collection: its buckets, the index that they have, and what users see.
   */
  private void createTimeSeries(Namespace namespace, CollectionOptions options) {
    refuseInTransaction("create");
    TimeSeriesCatalog wish = TimeSeriesCatalog.of(options.declared());
    boolean isNew = editor(namespace) == null;
    if (isNew) {
      createCollection(Buckets.of(namespace), CollectionOptions.of(wish.buckets()));
      if (wish.index() != null) {
        createIndexes(Buckets.of(namespace), List.of(new IndexSpec(wish.index())));
      }
    }
    createCollection(
        namespace, CollectionOptions.of(wish.shown(namespace)).withUuid(options.uuid()));
  }

  /** What dropping {@code system.views} means. */
  private boolean dropViews(String database) {
    boolean any = false;
    for (CollectionState state : access.root().collectionsOf(database)) {
      any |= state.isView() && dropCollection(state.namespace());
    }
    return any;
  }

  @Override
  public void renameCollection(Namespace from, Namespace to, boolean dropTarget) {
    refuseInTransaction("renameCollection");
    NamespaceRules.checkNew(to);
    CollectionEditor source = documents(from);
    if (source == null) {
      throw new EngineException(
          NAMESPACE_NOT_FOUND, "Source collection " + from + " does not exist");
    }
    if (from.equals(to)) {
      throw new EngineException(
          ErrorCodes.ILLEGAL_OPERATION, "Can't rename a collection to itself");
    }
    CollectionEditor target = editor(to);
    if (target != null && target.isView()) {
      throw new EngineException(NAMESPACE_EXISTS, "a view already exists with that name: " + to);
    }
    if (target != null && !dropTarget) {
      throw new EngineException(NAMESPACE_EXISTS, "target namespace exists");
    }
    CollectionState moved = source.state().renamed(to);
    CollectionState replaced = target == null ? null : target.state();
    editors.remove(from);
    dropped.put(from, true);
    dropped.remove(to);
    editors.put(to, new CollectionEditor(moved, access.guard(to)));
    record(
        new Change.CollectionRenamed(
            from,
            to,
            moved.uuid(),
            replaced == null ? null : replaced.uuid(),
            replaced == null ? 0 : replaced.records().size()));
  }

  @Override
  public BsonDocument modifyCollection(Namespace namespace, BsonDocument modification) {
    refuseInTransaction("collMod");
    CollectionEditor editor = editor(namespace);
    if (editor == null) {
      throw new EngineException(NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    TimeSeriesOptions timeSeries = timeSeriesOptions(namespace);
    if (timeSeries != null) {
      BsonDocument ofBuckets = TimeSeriesCatalog.modification(modification, timeSeries);
      BsonDocument reply = modifyCollection(Buckets.of(namespace), ofBuckets);
      BsonDocument shown = TimeSeriesCatalog.shownModification(modification);
      if (!shown.isEmpty()) {
        editor.restart(Modification.of(editor.state(), shown, now()).state());
        record(new Change.CollectionModified(namespace, editor.state().uuid(), shown));
      }
      return reply;
    }
    Modification change = Modification.of(editor.state(), modification, now());
    if (change.state().isView()) {
      checkView(change.state());
    }
    editor.restart(change.state());
    record(new Change.CollectionModified(namespace, change.state().uuid(), modification));
    return change.reply();
  }

  @Override
  public boolean dropDatabase(String database) {
    refuseInTransaction("dropDatabase");
    boolean any = false;
    List<Namespace> names = new ArrayList<>();
    access.root().collectionsOf(database).forEach(state -> names.add(state.namespace()));
    editors.keySet().forEach(name -> addOnce(names, name, database));
    for (Namespace name : names) {
      any |= dropCollection(name);
    }
    if (any) {
      record(new Change.DatabaseDropped(Namespace.of(database, "")));
    }
    return any;
  }

  private static void addOnce(List<Namespace> names, Namespace name, String database) {
    if (name.database().equals(database) && !names.contains(name)) {
      names.add(name);
    }
  }

  @Override
  public CreateIndexesOutcome createIndexes(Namespace namespace, List<IndexSpec> specs) {
    TimeSeriesOptions timeSeries = timeSeriesOptions(namespace);
    if (timeSeries != null) {
      return createIndexes(
          Buckets.of(namespace),
          specs.stream().map(spec -> TimeSeriesCatalog.onBuckets(spec, timeSeries)).toList());
    }
    CollectionEditor existing = documents(namespace);
    Collation collation = existing == null ? null : existing.state().rules().collation();
    List<IndexDefinition> wishes =
        specs.stream().map(spec -> IndexRules.parse(spec, collation)).toList();
    boolean created = existing == null;
    if (!created && access.root().collection(namespace) != null) {
      refuseInTransaction("createIndexes");
    }
    CollectionEditor editor =
        existing == null ? create(namespace, CollectionOptions.none()) : existing;
    CollectionState state = editor.state();
    int before = state.indexes().size();
    List<IndexState> indexes = new ArrayList<>(state.indexes());
    List<IndexDefinition> definitions = new ArrayList<>(state.definitions());
    List<Change> built = new ArrayList<>();
    for (IndexDefinition wish : wishes) {
      if (state.options().recordKeyField() != null && wish.isId()) {
        continue;
      }
      if (!IndexConflicts.exists(wish, definitions)) {
        IndexState made = built(state, wish);
        made.use().begin(now());
        indexes.add(made);
        definitions.add(wish);
        built.add(new Change.IndexCreated(namespace, state.uuid(), wish.declared()));
      }
    }
    if (!built.isEmpty()) {
      editor.restart(state.withIndexes(indexes));
      built.forEach(this::record);
    }
    return new CreateIndexesOutcome(before, indexes.size(), created);
  }

  /** The index over that state; most of it may have been prepared. */
  private IndexState built(CollectionState state, IndexDefinition wish) {
    IndexBuild prepared = engine.builds().find(state.uuid(), wish);
    if (prepared == null) {
      return CollectionEditor.build(state, wish);
    }
    prepared.catchUp(state);
    return prepared.state();
  }

  @Override
  public int dropIndexes(Namespace namespace, BsonValue nameOrKey) {
    refuseInTransaction("dropIndexes");
    TimeSeriesOptions timeSeries = timeSeriesOptions(namespace);
    if (timeSeries != null) {
      return dropIndexes(
          Buckets.of(namespace),
          nameOrKey instanceof BsonDocument key ? MetaNames.indexKey(key, timeSeries) : nameOrKey);
    }
    CollectionEditor editor = documents(namespace);
    if (editor == null) {
      throw new EngineException(NAMESPACE_NOT_FOUND, "ns not found " + namespace);
    }
    CollectionState state = editor.state();
    int before = state.indexes().size();
    List<IndexState> kept = new ArrayList<>(state.indexes());
    List<IndexState> out = new ArrayList<>();
    if (nameOrKey instanceof BsonString name && name.getValue().equals("*")) {
      for (IndexState index : state.indexes()) {
        if (!index.definition().isId()) {
          out.add(index);
        }
      }
    } else if (nameOrKey.isArray()) {
      for (BsonValue one : nameOrKey.asArray()) {
        out.add(indexToDrop(state, one));
      }
    } else {
      out.add(indexToDrop(state, nameOrKey));
    }
    kept.removeAll(out);
    if (!out.isEmpty()) {
      editor.restart(state.withIndexes(kept));
      for (IndexState index : out) {
        record(new Change.IndexDropped(namespace, state.uuid(), index.definition().declared()));
      }
    }
    return before;
  }

  private static IndexState indexToDrop(CollectionState state, BsonValue nameOrKey) {
    IndexState index = Planner.find(state, nameOrKey);
    if (index == null) {
      throw new EngineException(
          INDEX_NOT_FOUND,
          nameOrKey.isString()
              ? "index not found with name [" + nameOrKey.asString().getValue() + "]"
              : "can't find index with key: " + nameOrKey);
    }
    if (index.definition().isId()) {
      throw new EngineException(INVALID_OPTIONS, "cannot drop _id index");
    }
    return index;
  }
}
