// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.durability;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.slf4j.LoggerFactory;

/**
 * Starts a {@link KilledWriter}, kills it (SIGKILL) after a random time, and looks at what is in
 * its directory: of each thread every number that was acknowledged and at most the one behind it,
 * the same in both collections, and indexes that agree with the documents. Then again on the same
 * directory.
 */
public final class Kills {
  /** A writer is killed after it has acknowledged so many commits at most, and after this time. */
  private static final int LINES_MOST = 60;

  private static final int LONGEST_MILLIS = 10;

  private final Path directory;
  private final SplittableRandom random;
  private final long[] acknowledged = new long[KilledWriter.THREADS];
  private final List<String> wrong = new ArrayList<>();
  private long total;

  private Kills(Path directory, long seed) {
    this.directory = directory;
    this.random = new SplittableRandom(seed);
  }

  /**
   * What came of it.
   *
   * @param acknowledged how many commits were
   * @param wrong what was not as promised, in words; empty when all was well
   */
  public record Result(int kills, long acknowledged, List<String> wrong) {}

  /** Kills that many writers, one after the other, on a new directory. */
  public static Result run(int kills, Path directory, long seed)
      throws IOException, InterruptedException {
    Kills run = new Kills(directory, seed);
    int killed = 0;
    for (int kill = 1; kill <= kills && run.wrong.isEmpty(); kill++) {
      run.writeAndKill();
      killed = kill;
      if (run.wrong.isEmpty()) {
        run.check("kill " + kill + " of seed " + seed);
      }
    }
    return new Result(killed, run.total, List.copyOf(run.wrong));
  }

  private void writeAndKill() throws IOException, InterruptedException {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                "-cp",
                classPath(),
                KilledWriter.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
      String first = said.readLine();
      if (!"ready".equals(first)) {
        wrong.add("the writer did not start on what the one before left");
        return;
      }
      StringBuilder all = new StringBuilder();
      // Some are killed at once, most while they write.
      for (int lines = random.nextInt(LINES_MOST); lines > 0; lines--) {
        String line = said.readLine();
        if (line == null) {
          wrong.add("the writer ended by itself");
          return;
        }
        all.append(line).append('\n');
      }
      writer.waitFor(random.nextInt(LONGEST_MILLIS), TimeUnit.MILLISECONDS);
      // By its handle, which leaves open the stream in which there may be more that it said.
      writer.toHandle().destroyForcibly();
      int next;
      while ((next = said.read()) >= 0) {
        all.append((char) next);
      }
      acknowledged(all);
    } finally {
      writer.destroyForcibly();
      writer.waitFor();
    }
  }

  /** Where the writer's classes are, however this JVM was started. */
  private static String classPath() {
    return Stream.of(KilledWriter.class, Engine.class, RawBsonDocument.class, LoggerFactory.class)
        .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(URI.create(location.toString())).toString())
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Only whole lines count: the last one may have been cut off. */
  private void acknowledged(StringBuilder said) {
    int end = said.lastIndexOf("\n");
    if (end < 0) {
      return;
    }
    for (String line : said.substring(0, end).split("\n", -1)) {
      if (line.startsWith(KilledWriter.FAILED)) {
        wrong.add(line);
        continue;
      }
      int space = line.indexOf(' ');
      int thread = Integer.parseInt(line.substring(0, space));
      acknowledged[thread] = Long.parseLong(line.substring(space + 1));
      total++;
    }
  }

  private void check(String when) {
    try (Engine engine = Engine.open(EngineOptions.defaults(), directory)) {
      long documents = 0;
      for (int thread = 0; thread < KilledWriter.THREADS; thread++) {
        long last = KilledWriter.last(engine, thread);
        if (last < acknowledged[thread] || last > acknowledged[thread] + 1) {
          wrong.add(
              when
                  + ": thread "
                  + thread
                  + " was told "
                  + acknowledged[thread]
                  + ", and there is "
                  + last);
        }
        documents += checkNumbers(engine, thread, last, when);
        acknowledged[thread] = last;
      }
      checkTotal(engine, KilledWriter.FIRST, documents, when);
      checkTotal(engine, KilledWriter.SECOND, documents, when);
      checkExtra(engine, when);
    }
  }

  private long checkNumbers(Engine engine, int thread, long last, String when) {
    long first = Math.max(1, last - KilledWriter.KEPT + 1);
    for (long n = first; n <= last; n++) {
      for (Namespace namespace : List.of(KilledWriter.FIRST, KilledWriter.SECOND)) {
        if (engine.snapshot().findById(namespace, KilledWriter.id(thread, n)) == null) {
          wrong.add(when + ": " + thread + "-" + n + " is not in " + namespace);
        }
      }
    }
    return last - first + 1;
  }

  private void checkTotal(Engine engine, Namespace namespace, long documents, String when) {
    if (engine.snapshot().size(namespace) != documents) {
      wrong.add(
          when
              + ": "
              + namespace
              + " has "
              + engine.snapshot().size(namespace)
              + " documents and not "
              + documents);
    }
    if (engine.snapshot().collection(namespace).isEmpty()) {
      return; // killed before the first commit
    }
    for (BsonDocument index : engine.snapshot().indexes(namespace)) {
      long found = 0;
      FindRequest byIndex =
          FindRequest.all().withHint(new BsonString(index.getString("name").getValue()));
      try (DocumentCursor cursor = engine.snapshot().find(namespace, byIndex, engine.operation())) {
        for (RawBsonDocument next = cursor.next(); next != null; next = cursor.next()) {
          found++;
        }
      }
      if (found != documents) {
        wrong.add(when + ": index " + index + " leads to " + found + " of " + documents);
      }
    }
  }

  /** The collection of the newest ten, with its index and its document, and no other. */
  private void checkExtra(Engine engine, String when) {
    List<String> extra = new ArrayList<>();
    for (CollectionInfo info : engine.snapshot().collections("kills")) {
      if (info.namespace().collection().startsWith(KilledWriter.EXTRA)) {
        extra.add(info.namespace().collection());
        if (engine.snapshot().size(info.namespace()) != 1
            || engine.snapshot().indexes(info.namespace()).size() != 2) {
          wrong.add(when + ": " + info.namespace() + " is half made");
        }
      }
    }
    long tens = KilledWriter.last(engine, 0) / 10 * 10;
    List<String> expected = tens == 0 ? List.of() : List.of(KilledWriter.EXTRA + tens);
    if (!extra.equals(expected)) {
      wrong.add(when + ": there are " + extra + " and not " + expected);
    }
  }
}
