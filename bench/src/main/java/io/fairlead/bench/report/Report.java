// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.json.JsonWriterSettings;

/** Every row, and on what it was measured. Used by one thread. */
public final class Report {
  private static final String[] HEAD = {"measure", "ours", "peer", "ratio", "target", "holds"};

  private final List<Row> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final String conditions;
  private final Instant when;
  private final boolean quick;
  private final Consumer<String> progress;

  /**
   * Begins a report.
   *
   * @param quick whether the figures prove no more than that the measurement runs
   * @param progress told what has just been done, for whoever waits
   */
  public Report(Instant when, boolean quick, Consumer<String> progress) {
    this.progress = progress;
    this.when = when;
    this.quick = quick;
    this.conditions =
        Runtime.getRuntime().availableProcessors()
            + " processors, "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch")
            + ", Java "
            + System.getProperty("java.vm.version")
            + (quick ? "; quick: the figures prove only that the measurement runs" : "");
  }

  public void add(Row row) {
    rows.add(row);
  }

  /** Tells whoever waits what has just been done. */
  public void progress(String done) {
    progress.accept(done);
  }

  /** Something that a reader of the table must know. */
  public void note(String note) {
    notes.add(note);
  }

  /** Whether every stated target was met; a quick run is not judged. */
  public boolean holds() {
    return quick || rows.stream().allMatch(Row::holds);
  }

  public void print(PrintStream out) {
    List<String[]> lines = new ArrayList<>();
    lines.add(HEAD);
    rows.forEach(row -> lines.add(row.cells(!quick)));
    int[] widths = new int[HEAD.length];
    for (String[] line : lines) {
      for (int i = 0; i < line.length; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    for (String[] line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < line.length; i++) {
        boolean left = i == 0 || i == 4;
        String blanks = " ".repeat(widths[i] - line[i].length());
        text.append(left ? line[i] + blanks : blanks + line[i]);
        text.append(i == line.length - 1 ? "" : "  ·  ");
      }
      out.println(text.toString().stripTrailing());
    }
    notes.forEach(out::println);
    out.println(when + ", " + conditions);
  }

  public void write(Path file) throws IOException {
    BsonArray measures = new BsonArray();
    rows.forEach(row -> measures.add(row.toDocument()));
    BsonArray said = new BsonArray();
    notes.forEach(note -> said.add(new BsonString(note)));
    BsonDocument document =
        new BsonDocument("when", new BsonString(when.toString()))
            .append("conditions", new BsonString(conditions))
            .append("holds", org.bson.BsonBoolean.valueOf(holds()))
            .append("measures", measures)
            .append("notes", said);
    JsonWriterSettings settings = JsonWriterSettings.builder().indent(true).build();
    Files.writeString(file, document.toJson(settings) + "\n", StandardCharsets.UTF_8);
  }
}
