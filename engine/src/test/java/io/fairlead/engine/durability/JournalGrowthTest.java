// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.collection.CollectionEditor;
import io.fairlead.engine.collection.CollectionState;
import io.fairlead.engine.collection.WriteGuard;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.key.BsonBytes;
import io.fairlead.engine.storage.Tree;
import io.fairlead.engine.storage.TreeEditor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalGrowthTest {
  private static final int BYTES_MIN = 20_000;
  private static final Namespace NAME = Namespace.of("db", "c");

  @TempDir Path temp;

  @Test
  void a_journal_that_is_written_for_long_stays_bounded() throws Exception {
    CollectionEditor editor =
        new CollectionEditor(
            CollectionState.create(NAME, new UUID(1, 2), CollectionOptions.none()),
            WriteGuard.FREE);
    Path directory = temp.resolve("data");
    AtomicReference<Content> newest = new AtomicReference<>();
    long most = 0;
    try (Journal journal = Journal.open(directory, Disk.system(), BYTES_MIN)) {
      newest.set(journal.recovered());
      journal.start(newest::get);
      byte[] record = editor.insert(document(0));
      for (int i = 1; i < 2000; i++) {
        editor.replace(record, document(i - 1), document(i));
        newest.set(new Content(newest.get().version() + 1, collections(editor.state())));
        journal.await(newest.get().version());
        most = Math.max(most, bytes(directory));
      }
    }
    // 2,000 groups of more than 1,000 bytes went through.
    assertThat(most).isLessThan(20L * BYTES_MIN);
    try (Journal again = Journal.open(directory, Disk.system(), BYTES_MIN)) {
      CollectionState found =
          Objects.requireNonNull(again.recovered().collections().get(NAME.key()));
      assertThat(found.records().size()).isEqualTo(1);
      assertThat(found.records().get(found.records().keyAt(0))).isEqualTo(document(1999));
    }
  }

  @Test
  void a_next_journal_that_cannot_be_begun_costs_nothing_that_was_acknowledged() throws Exception {
    CollectionEditor editor =
        new CollectionEditor(
            CollectionState.create(NAME, new UUID(1, 2), CollectionOptions.none()),
            WriteGuard.FREE);
    Path directory = temp.resolve("data");
    FailingDisk disk = new FailingDisk();
    AtomicReference<Content> newest = new AtomicReference<>();
    int refused = 0;
    int last = 0;
    try (Journal journal = Journal.open(directory, disk, BYTES_MIN)) {
      newest.set(journal.recovered());
      journal.start(newest::get);
      byte[] record = editor.insert(document(0));
      disk.directoriesFail = "no way";
      while (refused == 0 && last < 200) {
        editor.replace(record, document(last), document(++last));
        newest.set(new Content(newest.get().version() + 1, collections(editor.state())));
        try {
          journal.await(newest.get().version());
        } catch (EngineException cannotBeWritten) {
          refused++;
        }
      }
      disk.directoriesFail = null;
      journal.await(newest.get().version());
    }
    assertThat(refused).isEqualTo(1);
    try (Journal again = Journal.open(directory, Disk.system(), BYTES_MIN)) {
      CollectionState found =
          Objects.requireNonNull(again.recovered().collections().get(NAME.key()));
      assertThat(found.records().get(found.records().keyAt(0))).isEqualTo(document(last));
    }
  }

  private static byte[] document(int number) {
    return BsonBytes.of(
        new BsonDocument("_id", new BsonInt32(1))
            .append("n", new BsonInt32(number))
            .append("text", new BsonString("x".repeat(1000))));
  }

  private static Tree<CollectionState> collections(CollectionState state) {
    TreeEditor<CollectionState> collections = Tree.<CollectionState>empty().edit();
    collections.put(state.namespace().key(), state);
    return collections.tree();
  }

  private static long bytes(Path directory) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        try {
          bytes += Files.size(file);
        } catch (java.nio.file.NoSuchFileException goneMeanwhile) {
          bytes += 0;
        }
      }
    }
    return bytes;
  }
}
