// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.cursor.AggregateRequest;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.ExplainVerbosity;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.FindAndModifyRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/** An engine with one collection, driven by JSON. */
final class Store {
  static final Namespace NS = Namespace.of("db", "c");

  final Engine engine = Engine.open(EngineOptions.defaults());

  static BsonDocument json(String text) {
    return BsonDocument.parse(text);
  }

  /** The code with which a call is refused; 0 when it is not. */
  static int code(Runnable call) {
    try {
      call.run();
      return 0;
    } catch (EngineException refused) {
      return refused.code();
    }
  }

  Store insert(String... documents) {
    for (String document : documents) {
      insert(json(document));
    }
    return this;
  }

  /** Inserts a document with all its types, which JSON may lose. */
  Store insert(BsonDocument document) {
    engine.write(WriteContext.plain(), writes -> writes.insert(NS, document));
    return this;
  }

  Store create(String options) {
    engine.write(
        WriteContext.plain(),
        writes -> {
          writes.createCollection(NS, CollectionOptions.of(json(options)));
          return true;
        });
    return this;
  }

  /** Creates an index on those fields under its usual name, with further options. */
  Store index(String key, String... options) {
    BsonDocument declared = IndexSpec.on(json(key)).declared().clone();
    for (String more : options) {
      declared.putAll(json(more));
    }
    return indexDeclared(declared);
  }

  Store indexDeclared(BsonDocument declared) {
    engine.write(
        WriteContext.plain(), writes -> writes.createIndexes(NS, List.of(new IndexSpec(declared))));
    return this;
  }

  WriteTransaction.UpdateOutcome update(UpdateRequest request) {
    return engine.write(WriteContext.plain(), writes -> writes.update(NS, request));
  }

  WriteTransaction.UpdateOutcome updateOne(String filter, String update) {
    return update(UpdateRequest.one(json(filter), json(update)));
  }

  WriteTransaction.UpdateOutcome updateMany(String filter, String update) {
    return update(UpdateRequest.many(json(filter), json(update)));
  }

  long deleteMany(String filter) {
    return engine
        .write(WriteContext.plain(), writes -> writes.delete(NS, DeleteRequest.many(json(filter))))
        .deleted();
  }

  WriteTransaction.FindAndModifyOutcome findAndModify(FindAndModifyRequest request) {
    return engine.write(WriteContext.plain(), writes -> writes.findAndModify(NS, request));
  }

  List<String> find(String filter) {
    return find(FindRequest.matching(json(filter)));
  }

  List<String> find(FindRequest request) {
    return texts(engine.snapshot().find(NS, request, engine.operation()));
  }

  List<String> aggregate(String... stages) {
    return texts(
        engine
            .snapshot()
            .aggregate(
                NS,
                AggregateRequest.of(Arrays.stream(stages).map(Store::json).toList()),
                engine.operation()));
  }

  long count(String filter) {
    return engine.snapshot().count(NS, FindRequest.matching(json(filter)), engine.operation());
  }

  /** The names of the plan's stages from the outside in, with the index's name. */
  String plan(FindRequest request) {
    BsonDocument stage =
        engine
            .snapshot()
            .explain(NS, request, ExplainVerbosity.QUERY_PLANNER, engine.operation())
            .getDocument("queryPlanner")
            .getDocument("winningPlan");
    List<String> names = new ArrayList<>();
    while (true) {
      names.add(
          stage.getString("stage").getValue()
              + (stage.containsKey("indexName")
                  ? ":" + stage.getString("indexName").getValue()
                  : ""));
      if (stage.containsKey("inputStages")) {
        stage
            .getArray("inputStages")
            .forEach(
                input ->
                    names.add(
                        input.asDocument().getString("indexName", new BsonString("?")).getValue()));
      }
      if (!stage.containsKey("inputStage")) {
        return String.join(" ", names);
      }
      stage = stage.getDocument("inputStage");
    }
  }

  String plan(String filter) {
    return plan(FindRequest.matching(json(filter)));
  }

  /** Documents and keys examined by running it. */
  BsonDocument stats(FindRequest request) {
    return engine
        .snapshot()
        .explain(NS, request, ExplainVerbosity.EXECUTION_STATS, engine.operation())
        .getDocument("executionStats");
  }

  static List<String> texts(DocumentCursor cursor) {
    List<String> texts = new ArrayList<>();
    for (RawBsonDocument next = cursor.next(); next != null; next = cursor.next()) {
      texts.add(next.toJson());
    }
    cursor.close();
    return texts;
  }

  /** Fails unless every index holds exactly the keys of the documents, and the counts are right. */
  Store check() {
    check(engine.snapshot());
    return this;
  }

  static void check(Snapshot snapshot) {
    ((StoreSnapshot) snapshot).root().collectionsOf(null).forEach(IndexCheck::check);
  }
}
