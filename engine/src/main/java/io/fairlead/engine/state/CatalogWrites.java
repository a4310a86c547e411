// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.NAMESPACE_EXISTS;
import static io.fairlead.engine.error.ErrorCodes.NAMESPACE_NOT_FOUND;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.catalog.NamespaceRules;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.CreateOptions;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.timeseries.Buckets;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;

/** A session's writes to the catalog: which collections and views there are, and their options. */
final class CatalogWrites {
  private final WriteSession session;

  CatalogWrites(WriteSession session) {
    this.session = session;
  }

  /** Creates a collection that is not there. */
  CollectionEditor create(Namespace namespace, CollectionOptions options) {
    NamespaceRules.checkNew(namespace);
    checkDatabaseCase(namespace);
    UUID uuid = options.uuid() != null ? options.uuid() : newUuid();
    CollectionOptions honoured = CreateOptions.kept(namespace, options);
    CollectionState state = CollectionState.create(namespace, uuid, honoured);
    state.beginCounting(session.now());
    if (state.isView()) {
      checkView(state);
    }
    CollectionEditor editor = session.open(state);
    session.record(() -> new Change.CollectionCreated(namespace, uuid, honoured));
    return editor;
  }

  /** Checks a new or changed view; one that is replicated was checked where it was made. */
  private void checkView(CollectionState view) {
    session.refuseInTransaction("create");
    if (session.context().participates()) {
      ViewGraph.check(session::current, view, session.operation());
    }
  }

  private void checkDatabaseCase(Namespace namespace) {
    String database = namespace.database();
    if (!session.root().collectionsOf(database).isEmpty()) {
      return;
    }
    for (CollectionState other : session.root().collectionsOf(null)) {
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
    var random = session.engine().options().random();
    long high = (random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  void createCollection(Namespace namespace, CollectionOptions options) {
    if (TimeSeriesCatalog.isWish(namespace, options)) {
      createTimeSeries(namespace, options);
      return;
    }
    CollectionEditor existing = session.editor(namespace);
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

  boolean dropCollection(Namespace namespace) {
    session.refuseInTransaction("drop");
    if (SystemViews.is(namespace)) {
      return dropViews(namespace.database());
    }
    CollectionEditor editor = session.editor(namespace);
    if (editor == null) {
      return false;
    }
    if (session.timeSeriesOptions(namespace) != null) {
      dropCollection(Buckets.of(namespace));
    }
    CollectionState state = editor.state();
    session.close(namespace);
    session.record(
        () -> new Change.CollectionDropped(namespace, state.uuid(), state.records().size()));
    return true;
  }

  /**
   * Creates a time-series collection: its buckets, the index that they have, and what users see.
   */
  private void createTimeSeries(Namespace namespace, CollectionOptions options) {
    session.refuseInTransaction("create");
    TimeSeriesCatalog wish = TimeSeriesCatalog.of(options.declared());
    boolean isNew = session.editor(namespace) == null;
    if (isNew) {
      createCollection(Buckets.of(namespace), CollectionOptions.of(wish.buckets()));
      if (wish.index() != null) {
        session.createIndexes(Buckets.of(namespace), List.of(new IndexSpec(wish.index())));
      }
    }
    createCollection(
        namespace, CollectionOptions.of(wish.shown(namespace)).withUuid(options.uuid()));
  }

  /** What dropping {@code system.views} means. */
  private boolean dropViews(String database) {
    boolean any = false;
    for (CollectionState state : session.root().collectionsOf(database)) {
      any |= state.isView() && dropCollection(state.namespace());
    }
    return any;
  }

  void renameCollection(Namespace from, Namespace to, boolean dropTarget) {
    session.refuseInTransaction("renameCollection");
    NamespaceRules.checkNew(to);
    CollectionEditor source = session.documents(from);
    if (source == null) {
      throw new EngineException(
          NAMESPACE_NOT_FOUND, "Source collection " + from + " does not exist");
    }
    if (from.equals(to)) {
      throw new EngineException(
          ErrorCodes.ILLEGAL_OPERATION, "Can't rename a collection to itself");
    }
    CollectionEditor target = session.editor(to);
    if (target != null && target.isView()) {
      throw new EngineException(NAMESPACE_EXISTS, "a view already exists with that name: " + to);
    }
    if (target != null && !dropTarget) {
      throw new EngineException(NAMESPACE_EXISTS, "target namespace exists");
    }
    CollectionState moved = source.state().renamed(to);
    CollectionState replaced = target == null ? null : target.state();
    session.close(from);
    session.open(moved);
    session.record(
        () ->
            new Change.CollectionRenamed(
                from,
                to,
                moved.uuid(),
                replaced == null ? null : replaced.uuid(),
                replaced == null ? 0 : replaced.records().size()));
  }

  BsonDocument modifyCollection(Namespace namespace, BsonDocument modification) {
    session.refuseInTransaction("collMod");
    CollectionEditor editor = session.editor(namespace);
    if (editor == null) {
      throw new EngineException(NAMESPACE_NOT_FOUND, "ns does not exist: " + namespace);
    }
    TimeSeriesOptions timeSeries = session.timeSeriesOptions(namespace);
    if (timeSeries != null) {
      BsonDocument ofBuckets = TimeSeriesCatalog.modification(modification, timeSeries);
      BsonDocument reply = modifyCollection(Buckets.of(namespace), ofBuckets);
      BsonDocument shown = TimeSeriesCatalog.shownModification(modification);
      if (!shown.isEmpty()) {
        editor.restart(Modification.of(editor.state(), shown, session.now()).state());
        session.record(
            () -> new Change.CollectionModified(namespace, editor.state().uuid(), shown));
      }
      return reply;
    }
    Modification change = Modification.of(editor.state(), modification, session.now());
    if (change.state().isView()) {
      checkView(change.state());
    }
    editor.restart(change.state());
    session.record(
        () -> new Change.CollectionModified(namespace, change.state().uuid(), modification));
    return change.reply();
  }

  boolean dropDatabase(String database) {
    session.refuseInTransaction("dropDatabase");
    boolean any = false;
    List<Namespace> names = new ArrayList<>();
    session.root().collectionsOf(database).forEach(state -> names.add(state.namespace()));
    session.open().forEach(name -> addOnce(names, name, database));
    for (Namespace name : names) {
      any |= dropCollection(name);
    }
    if (any) {
      session.record(() -> new Change.DatabaseDropped(Namespace.of(database, "")));
    }
    return any;
  }

  private static void addOnce(List<Namespace> names, Namespace name, String database) {
    if (name.database().equals(database) && !names.contains(name)) {
      names.add(name);
    }
  }
}
