// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.engine;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.DocumentCodec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One thread on an engine with 100,000 documents: the engine's own cost, without a server. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class EngineBenchmark {
  private static final Namespace DOCS = Namespace.of("bench", "docs");
  private static final Namespace MORE = Namespace.of("bench", "more");

  /** An engine with documents and indexes on {@code k} and {@code r}. */
  @State(Scope.Thread)
  public static class Loaded {
    final SplittableRandom random = new SplittableRandom(1);
    final OperationContext now;
    final Engine engine = Engine.open(EngineOptions.defaults());

    /** The empty collection's next documents, without {@code _id}. */
    final RawBsonDocument[] fresh = new RawBsonDocument[1024];

    int next;
    int inserted;

    public Loaded() {
      now = engine.operation();
    }

    @Setup
    public void load() {
      engine.write(
          WriteContext.plain(),
          transaction -> {
            for (int i = 0; i < Rows.COUNT; i++) {
              transaction.insert(DOCS, raw(Rows.numbered(i)));
            }
            index(transaction, "k");
            index(transaction, "r");
            return true;
          });
      for (int i = 0; i < fresh.length; i++) {
        fresh[i] = raw(Rows.anonymous(random));
      }
    }

    private static void index(WriteTransaction transaction, String field) {
      transaction.createIndexes(
          DOCS,
          List.of(
              new IndexSpec(
                  new BsonDocument("key", new BsonDocument(field, new BsonInt32(1)))
                      .append("name", new BsonString(field + "_1")))));
    }

    private static RawBsonDocument raw(Document document) {
      return new RawBsonDocument(document, new DocumentCodec());
    }

    @Setup(Level.Iteration)
    public void forgetInserted() {
      engine.write(WriteContext.plain(), transaction -> transaction.dropCollection(MORE));
      inserted = 0;
    }

    @TearDown
    public void close() {
      engine.close();
    }
  }

  @Benchmark
  public RawBsonDocument findById(Loaded state) {
    BsonDocument filter = byId(state);
    try (DocumentCursor cursor =
        state.engine.snapshot().find(DOCS, FindRequest.matching(filter).withLimit(1), state.now)) {
      RawBsonDocument found = cursor.next();
      if (found == null) {
        throw new IllegalStateException("not found: " + filter);
      }
      return found;
    }
  }

  /** Into a collection that grows to 100,000 documents and is dropped then. */
  @Benchmark
  public Object insert(Loaded state) {
    if (state.inserted++ == Rows.COUNT) {
      state.forgetInserted();
    }
    RawBsonDocument document = state.fresh[state.next++ & 1023];
    return state.engine.write(
        WriteContext.plain(), transaction -> transaction.insert(MORE, document));
  }

  /** Finds by {@code _id} and changes a value that is in an index. */
  @Benchmark
  public Object indexedUpdate(Loaded state) {
    UpdateRequest request =
        UpdateRequest.one(
            byId(state),
            new BsonDocument(
                "$set", new BsonDocument("r", new BsonInt32(state.random.nextInt(Rows.COUNT)))));
    return state.engine.write(
        WriteContext.plain(), transaction -> transaction.update(DOCS, request));
  }

  private static BsonDocument byId(Loaded state) {
    return new BsonDocument("_id", new BsonInt32(state.random.nextInt(Rows.COUNT)));
  }
}
