// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.durability;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * The process that is killed. Each of its threads counts: a commit adds the next number to two
 * collections, moves the thread's own counter, and takes an old number out of both. When the commit
 * is on disk the thread says so, as {@code thread number}. Now and then the first thread makes a
 * collection with an index, and drops the one before. Argument: the directory.
 */
final class KilledWriter {
  static final int THREADS = 3;

  /** How many of the newest numbers of a thread are there. */
  static final int KEPT = 40;

  static final Namespace FIRST = Namespace.of("kills", "first");
  static final Namespace SECOND = Namespace.of("kills", "second");
  static final Namespace COUNTERS = Namespace.of("kills", "counters");
  static final String EXTRA = "extra";

  private static final int EXTRA_EVERY = 10;

  private KilledWriter() {}

  public static void main(String[] args) throws InterruptedException {
    PrintStream out = System.out;
    Engine engine = Engine.open(EngineOptions.defaults(), Path.of(args[0]));
    engine.write(
        WriteContext.plain(),
        writes -> {
          writes.createIndexes(
              FIRST,
              List.of(
                  IndexSpec.on(BsonDocument.parse("{thread: 1, n: 1}")).unique(),
                  IndexSpec.on(BsonDocument.parse("{tags: 1}"))));
          return true;
        });
    engine.awaitDurable();
    say(out, "ready");
    // Threads that nobody ends: this process is killed.
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      Thread.ofPlatform().start(() -> count(engine, thread, out));
    }
  }

  private static void say(PrintStream out, String line) {
    byte[] bytes = (line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
    out.write(bytes, 0, bytes.length);
    out.flush();
  }

  private static void count(Engine engine, int thread, PrintStream out) {
    try {
      for (long n = last(engine, thread) + 1; ; n++) {
        long number = n;
        engine.write(
            WriteContext.plain(),
            writes -> {
              step(writes, thread, number);
              return true;
            });
        engine.awaitDurable();
        say(out, thread + " " + number);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error failure) {
      say(out, FAILED + thread + " " + failure.toString().replace('\n', ' '));
    }
  }

  /** How a line begins that tells that a thread could not go on. */
  static final String FAILED = "failed ";

  static long last(Engine engine, int thread) {
    RawBsonDocument counter = engine.snapshot().findById(COUNTERS, new BsonInt32(thread));
    return counter == null ? 0 : counter.getInt64("n").getValue();
  }

  private static void step(WriteTransaction writes, int thread, long n) {
    BsonDocument document =
        new BsonDocument("_id", id(thread, n))
            .append("thread", new BsonInt32(thread))
            .append("n", new BsonInt64(n))
            .append("tags", BsonDocument.parse("{a: ['x', " + n % 5 + "]}").get("a"))
            .append("text", new BsonString("x".repeat((int) (n % 700))));
    writes.insert(FIRST, document);
    writes.insert(SECOND, document);
    writes.update(
        COUNTERS,
        UpdateRequest.one(
                new BsonDocument("_id", new BsonInt32(thread)),
                new BsonDocument("$set", new BsonDocument("n", new BsonInt64(n))))
            .withUpsert(true));
    if (n > KEPT) {
      writes.deleteById(FIRST, id(thread, n - KEPT));
      writes.deleteById(SECOND, id(thread, n - KEPT));
    }
    if (thread == 0 && n % EXTRA_EVERY == 0) {
      Namespace extra = Namespace.of("kills", EXTRA + n);
      writes.createIndexes(extra, List.of(IndexSpec.on(BsonDocument.parse("{a: -1}"))));
      writes.insert(extra, BsonDocument.parse("{_id: 1, a: 1}"));
      writes.dropCollection(Namespace.of("kills", EXTRA + (n - EXTRA_EVERY)));
    }
  }

  static BsonString id(int thread, long n) {
    return new BsonString(thread + "-" + n);
  }
}
