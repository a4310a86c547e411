// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.NS;
import static io.fairlead.engine.state.Store.json;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A first look at the engine's speed on one thread, and its memory, with 100,000 documents. Run its
 * main by hand.
 */
final class Throughput {
  private static final Logger LOG = LoggerFactory.getLogger(Throughput.class);
  private static final int DOCUMENTS = 100_000;
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private Throughput() {}

  public static void main(String[] arguments) {
    for (int round = 0; round < 3; round++) {
      round();
    }
  }

  private static void round() {
    RawBsonDocument[] documents = new RawBsonDocument[DOCUMENTS];
    for (int i = 0; i < DOCUMENTS; i++) {
      documents[i] =
          new RawBsonDocument(
              new BsonDocument("_id", new BsonInt32(i))
                  .append("k", new BsonInt32(Math.floorMod(i * 31, DOCUMENTS)))
                  .append("g", new BsonInt32(i % 100))
                  .append("text", new BsonString("x".repeat(100))),
              CODEC);
    }
    Engine engine = Engine.open(EngineOptions.defaults());
    WriteContext plain = WriteContext.plain();
    measure("insert one", DOCUMENTS, i -> engine.write(plain, w -> w.insert(NS, documents[i])));
    Engine batched = Engine.open(EngineOptions.defaults());
    measure(
        "insert by 1000",
        DOCUMENTS,
        i -> {
          if (i % 1000 == 0) {
            batched.write(
                plain,
                w -> {
                  for (int j = i; j < i + 1000; j++) {
                    w.insert(NS, documents[j]);
                  }
                  return true;
                });
          }
        });
    engine.write(plain, w -> w.createIndexes(NS, List.of(IndexSpec.on(json("{k: 1}")))));
    OperationContext operation = engine.operation();
    Snapshot snapshot = engine.snapshot();
    measure(
        "find by id (whole path)",
        400_000,
        i -> {
          BsonDocument filter =
              new BsonDocument("_id", new BsonInt32(Math.floorMod(i * 7919, DOCUMENTS)));
          Objects.requireNonNull(
              engine.snapshot().find(NS, FindRequest.matching(filter), operation).next());
        });
    measure(
        "findById",
        400_000,
        i ->
            Objects.requireNonNull(
                snapshot.findById(NS, new BsonInt32(Math.floorMod(i * 7919, DOCUMENTS)))));
    measure(
        "find by index",
        200_000,
        i -> {
          BsonDocument filter =
              new BsonDocument("k", new BsonInt32(Math.floorMod(i * 7919, DOCUMENTS)));
          Objects.requireNonNull(
              engine.snapshot().find(NS, FindRequest.matching(filter), operation).next());
        });
    measure(
        "count by range",
        200_000,
        i ->
            engine
                .snapshot()
                .count(NS, FindRequest.matching(json("{k: {$gte: 100, $lt: 50000}}")), operation));
    measure(
        "collection scan of 100,000",
        20,
        i -> engine.snapshot().count(NS, FindRequest.matching(json("{g: 7}")), operation));
    measure(
        "range, sort, limit 10",
        20_000,
        i -> {
          var cursor =
              engine
                  .snapshot()
                  .find(
                      NS,
                      FindRequest.matching(json("{k: {$gte: 1000}}"))
                          .withSort(json("{k: 1}"))
                          .withLimit(10),
                      operation);
          int found = 0;
          while (cursor.next() != null) {
            found++;
          }
          if (found != 10) {
            throw new AssertionError("found " + found);
          }
        });
    try {
      measure(
          "update by id, indexed field",
          100_000,
          i ->
              engine.write(
                  plain,
                  w ->
                      w.update(
                          NS,
                          UpdateRequest.one(
                              new BsonDocument(
                                  "_id", new BsonInt32(Math.floorMod(i * 7919, DOCUMENTS))),
                              new BsonDocument("$inc", new BsonDocument("k", new BsonInt32(1)))))));
    } catch (UnsupportedOperationException e) {
      LOG.info("no updates yet");
    }
    System.gc();
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    LOG.info(
        "heap with two engines and the source documents: {} MiB, {}",
        used >> 20,
        batched.snapshot().size(NS));
    batched.write(plain, w -> w.dropDatabase("db"));
    System.gc();
    long without = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    engine.write(plain, w -> w.dropDatabase("db"));
    System.gc();
    long nothing = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    // The documents' own bytes are shared with the source array, which is still there.
    LOG.info(
        "trees of 100,000 documents with two indexes: {} MiB, their bytes {} MiB",
        (without - nothing) / 1048576.0,
        documents[0].getByteBuffer().remaining() * (long) documents.length / 1048576.0);
  }

  private static void measure(String what, int count, IntConsumer operation) {
    long start = cpuNanos();
    for (int i = 0; i < count; i++) {
      operation.accept(i);
    }
    long nanos = cpuNanos() - start;
    LOG.info("{}: {} k/s of its thread's CPU time", what, Math.round(count * 1e6 / nanos));
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
