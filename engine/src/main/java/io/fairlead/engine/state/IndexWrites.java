// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.error.ErrorCodes.INDEX_NOT_FOUND;
import static io.fairlead.engine.error.ErrorCodes.INVALID_OPTIONS;
import static io.fairlead.engine.error.ErrorCodes.NAMESPACE_NOT_FOUND;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.collation.Collation;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.IndexBuild;
import io.fairlead.engine.collection.IndexState;
import io.fairlead.engine.commit.Change;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexConflicts;
import io.fairlead.engine.index.IndexDefinition;
import io.fairlead.engine.index.IndexRules;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.plan.NamedIndexes;
import io.fairlead.engine.plan.Planner;
import io.fairlead.engine.timeseries.Buckets;
import io.fairlead.engine.timeseries.MetaNames;
import io.fairlead.engine.timeseries.TimeSeriesOptions;
import io.fairlead.engine.write.WriteTransaction.CreateIndexesOutcome;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A session's writes to the indexes that collections have. */
final class IndexWrites {
  private final WriteSession session;

  IndexWrites(WriteSession session) {
    this.session = session;
  }

  CreateIndexesOutcome createIndexes(Namespace namespace, List<IndexSpec> specs) {
    TimeSeriesOptions timeSeries = session.timeSeriesOptions(namespace);
    if (timeSeries != null) {
      return createIndexes(
          Buckets.of(namespace),
          specs.stream().map(spec -> TimeSeriesCatalog.onBuckets(spec, timeSeries)).toList());
    }
    CollectionEditor existing = session.documents(namespace);
    Collation collation = existing == null ? null : existing.state().rules().collation();
    List<IndexDefinition> wishes =
        specs.stream().map(spec -> IndexRules.parse(spec, collation)).toList();
    boolean created = existing == null;
    if (!created && session.root().collection(namespace) != null) {
      session.refuseInTransaction("createIndexes");
    }
    CollectionEditor editor = existing == null ? session.editorOrNew(namespace) : existing;
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
        made.use().begin(session.now());
        indexes.add(made);
        definitions.add(wish);
        built.add(new Change.IndexCreated(namespace, state.uuid(), wish.declared()));
      }
    }
    if (!built.isEmpty()) {
      editor.restart(state.withIndexes(indexes));
      built.forEach(change -> session.record(() -> change));
    }
    return new CreateIndexesOutcome(before, indexes.size(), created);
  }

  /** The index over that state; most of it may have been prepared. */
  private IndexState built(CollectionState state, IndexDefinition wish) {
    IndexBuild prepared = session.engine().builds().find(state.uuid(), wish);
    if (prepared == null) {
      return CollectionEditor.build(state, wish);
    }
    prepared.catchUp(state);
    return prepared.state();
  }

  int dropIndexes(Namespace namespace, BsonValue nameOrKey) {
    session.refuseInTransaction("dropIndexes");
    TimeSeriesOptions timeSeries = session.timeSeriesOptions(namespace);
    if (timeSeries != null) {
      return dropIndexes(
          Buckets.of(namespace),
          nameOrKey instanceof BsonDocument key ? MetaNames.indexKey(key, timeSeries) : nameOrKey);
    }
    CollectionEditor editor = session.documents(namespace);
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
        session.record(
            () -> new Change.IndexDropped(namespace, state.uuid(), index.definition().declared()));
      }
    }
    return before;
  }

  private static IndexState indexToDrop(CollectionState state, BsonValue nameOrKey) {
    NamedIndexes.requireOne(state, nameOrKey);
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
