// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Transaction;
import io.fairlead.engine.catalog.CollectionOptions;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.durability.DataDirectoryException;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.DeleteRequest;
import io.fairlead.engine.write.UpdateRequest;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
  private static final Namespace A = Namespace.of("db", "a");
  private static final Namespace B = Namespace.of("db", "b");

  @TempDir Path temp;

  private Path directory() {
    return temp.resolve("data");
  }

  private Engine open() {
    return Engine.open(EngineOptions.defaults(), directory());
  }

  private static <T> T write(Engine engine, Function<WriteTransaction, T> body) {
    return engine.write(WriteContext.plain(), body);
  }

  private static List<String> all(Engine engine, Namespace namespace) {
    return Store.texts(engine.snapshot().find(namespace, FindRequest.all(), engine.operation()));
  }

  /** Everything that can be seen of an engine. */
  private static List<String> everything(Engine engine) {
    List<String> seen = new ArrayList<>();
    for (var database : engine.snapshot().databases()) {
      for (var info : engine.snapshot().collections(database.name())) {
        seen.add(info.toString());
        engine.snapshot().indexes(info.namespace()).forEach(index -> seen.add(index.toJson()));
        seen.addAll(all(engine, info.namespace()));
      }
    }
    return seen;
  }

  private void survives(Engine engine) {
    List<String> before = everything(engine);
    engine.close();
    try (Engine again = open()) {
      assertThat(everything(again)).isEqualTo(before);
      Store.check(again.snapshot());
    }
  }

  @Test
  void documents_indexes_and_options_are_there_again() {
    Engine engine = open();
    assertThat(engine.isDurable()).isTrue();
    write(
        engine,
        writes -> {
          writes.createCollection(
              A,
              CollectionOptions.of(json("{validator: {n: {$gte: 0}}, validationLevel: 'strict'}")));
          writes.createIndexes(
              A,
              List.of(
                  new IndexSpec(json("{key: {n: 1}, name: 'n_1', unique: true}")),
                  new IndexSpec(json("{key: {tags: -1, n: 1}, name: 'tags', sparse: true}")),
                  new IndexSpec(
                      json(
                          "{key: {p: 1}, name: 'p', partialFilterExpression: {n: {$gt: 5}}, hidden:"
                              + " true}"))));
          for (int i = 0; i < 300; i++) {
            writes.insert(A, json("{_id: " + i + ", n: " + i + ", tags: ['x', " + i % 7 + "]}"));
          }
          return true;
        });
    write(
        engine,
        writes -> {
          writes.createCollection(
              B, CollectionOptions.of(json("{capped: true, size: 4096, max: 3}")));
          for (int i = 0; i < 10; i++) {
            writes.insert(B, json("{_id: " + i + "}"));
          }
          return writes.delete(A, DeleteRequest.many(json("{n: {$lt: 20}}")));
        });
    write(
        engine,
        writes ->
            writes.update(
                A, UpdateRequest.many(json("{n: {$lt: 40}}"), json("{$inc: {n: 1000}}"))));
    survives(engine);
  }

  @Test
  void a_collection_keeps_its_documents_through_a_new_name() {
    Engine engine = open();
    write(engine, writes -> writes.insert(A, json("{_id: 1}")));
    write(engine, writes -> writes.insert(B, json("{_id: 'goes'}")));
    await(engine);
    write(
        engine,
        writes -> {
          writes.renameCollection(A, B, true);
          return writes.insert(A, json("{_id: 2}"));
        });
    await(engine);
    write(engine, writes -> writes.dropIndexes(B, new BsonString("*")));
    survives(engine);
  }

  @Test
  void records_that_are_ordered_by_a_field_are_so_again() {
    Engine engine = open();
    write(
        engine,
        writes -> {
          writes.createCollection(A, CollectionOptions.none().withRecordKeyField("ts"));
          for (int i = 50; i > 0; i--) {
            writes.insert(A, json("{ts: " + i + "}"));
          }
          return true;
        });
    survives(engine);
  }

  @Test
  void a_transaction_is_there_whole() {
    Engine engine = open();
    write(engine, writes -> writes.insert(A, json("{_id: 1, n: 0}")));
    write(engine, writes -> writes.insert(B, json("{_id: 1, n: 0}")));
    Transaction transaction = engine.begin(WriteContext.plain());
    transaction.writes().update(A, UpdateRequest.one(json("{_id: 1}"), json("{$inc: {n: 1}}")));
    transaction.writes().update(B, UpdateRequest.one(json("{_id: 1}"), json("{$inc: {n: -1}}")));
    transaction.writes().insert(A, json("{_id: 2}"));
    transaction.commit();
    survives(engine);
  }

  @Test
  void going_back_to_an_earlier_state_is_kept_too() {
    Engine engine = open();
    write(engine, writes -> writes.insert(A, json("{_id: 1}")));
    var earlier = engine.snapshot();
    write(engine, writes -> writes.insert(A, json("{_id: 2}")));
    write(engine, writes -> writes.dropCollection(A));
    await(engine);
    engine.resetTo(earlier, name -> false);
    survives(engine);
  }

  @Test
  void what_is_kept_of_now_is_never_on_disk_as_it_was_earlier() {
    Engine engine = open();
    write(engine, writes -> writes.insert(A, json("{_id: 1}")));
    write(engine, writes -> writes.insert(B, json("{_id: 'first vote'}")));
    var earlier = engine.snapshot();
    write(engine, writes -> writes.insert(A, json("{_id: 2}")));
    write(engine, writes -> writes.insert(B, json("{_id: 'second vote'}")));
    engine.resetTo(earlier, B::equals);
    assertThat(all(engine, A)).containsExactly("{\"_id\": 1}");
    assertThat(all(engine, B))
        .containsExactly("{\"_id\": \"first vote\"}", "{\"_id\": \"second vote\"}");
    survives(engine);
  }

  @Test
  void new_documents_come_after_those_of_the_last_run() {
    Engine engine = open();
    write(engine, writes -> writes.insert(A, json("{_id: 'first'}")));
    engine.close();
    try (Engine again = open()) {
      write(again, writes -> writes.insert(A, json("{_id: 'second'}")));
      assertThat(all(again, A)).containsExactly("{\"_id\": \"first\"}", "{\"_id\": \"second\"}");
    }
  }

  @Test
  void a_directory_is_for_one_engine() {
    try (Engine engine = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining("open in this process already");
      assertThat(engine.isDurable()).isTrue();
    }
    open().close();
  }

  @Test
  void a_directory_with_something_else_in_it_is_left_alone() throws IOException {
    Files.createDirectories(directory());
    Files.writeString(directory().resolve("holiday.txt"), "photos");
    assertThatThrownBy(this::open)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("not a data directory");
  }

  @Test
  void another_format_is_refused_by_name() throws IOException {
    open().close();
    Files.writeString(directory().resolve("format"), "fairlead data, format 99\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("format 99");
  }

  /** A directory with some groups in its journal: the ends of the groups in the file. */
  private List<Long> groups() throws IOException {
    List<Long> ends = new ArrayList<>();
    Engine engine = open();
    ends.add(Files.size(journal()));
    for (int i = 0; i < 5; i++) {
      int id = i;
      write(engine, writes -> writes.insert(A, json("{_id: " + id + ", text: 'some text'}")));
      await(engine);
      ends.add(Files.size(journal()));
    }
    engine.close();
    return ends;
  }

  private Path journal() {
    return directory().resolve("journal-1");
  }

  @Test
  void a_write_that_was_cut_off_anywhere_is_as_if_it_had_not_begun() throws IOException {
    List<Long> ends = groups();
    byte[] whole = Files.readAllBytes(journal());
    for (int length = Math.toIntExact(ends.get(3)); length < whole.length; length++) {
      Files.write(journal(), Arrays.copyOf(whole, length));
      long kept = length < ends.get(4) ? 3 : 4;
      try (Engine engine = open()) {
        assertThat(engine.snapshot().size(A)).as("cut at %s", length).isEqualTo(kept);
        Store.check(engine.snapshot());
      }
      assertThat(Files.size(journal())).isEqualTo(ends.get((int) kept));
    }
  }

  @Test
  void a_last_write_with_wrong_bytes_is_taken_away_and_writing_goes_on() throws IOException {
    List<Long> ends = groups();
    byte[] whole = Files.readAllBytes(journal());
    whole[Math.toIntExact(ends.get(4)) + 30] ^= 1;
    Files.write(journal(), whole);
    try (Engine engine = open()) {
      assertThat(engine.snapshot().size(A)).isEqualTo(4);
      write(engine, writes -> writes.insert(A, json("{_id: 'after'}")));
    }
    try (Engine engine = open()) {
      assertThat(engine.snapshot().size(A)).isEqualTo(5);
    }
  }

  @Test
  void a_wrong_byte_with_intact_writes_behind_it_is_reported_and_nothing_is_changed()
      throws IOException {
    List<Long> ends = groups();
    byte[] whole = Files.readAllBytes(journal());
    for (int at = Math.toIntExact(ends.get(1)); at < ends.get(3); at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(journal(), damaged);
      assertThatThrownBy(this::open)
          .as("byte %s", at)
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining("journal-1 is damaged")
          .hasMessageContaining("at byte");
      assertThat(Files.readAllBytes(journal())).isEqualTo(damaged);
    }
  }

  @Test
  void a_damaged_checkpoint_is_reported() throws IOException {
    groups();
    Path checkpoint = directory().resolve("checkpoint-1");
    byte[] bytes = Files.readAllBytes(checkpoint);
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 4;
      Files.write(checkpoint, damaged);
      assertThatThrownBy(this::open)
          .as("byte %s", at)
          .isInstanceOf(DataDirectoryException.class)
          .hasMessageContaining("checkpoint-1 is damaged");
    }
  }

  @Test
  void a_large_write_that_was_cut_off_between_its_frames_is_as_if_it_had_not_begun()
      throws IOException {
    Engine engine = open();
    write(engine, writes -> writes.insert(A, json("{_id: 'before'}")));
    await(engine);
    long before = Files.size(journal());
    write(
        engine,
        writes -> {
          for (int i = 0; i < 40; i++) {
            writes.insert(A, new BsonDocument("text", new BsonString("x".repeat(100_000))));
          }
          return true;
        });
    engine.close();
    byte[] whole = Files.readAllBytes(journal());
    assertThat(whole.length - before).as("several frames").isGreaterThan(3_000_000);
    for (int length = whole.length - 1; length > before; length -= 300_001) {
      Files.write(journal(), Arrays.copyOf(whole, length));
      try (Engine again = open()) {
        assertThat(again.snapshot().size(A)).as("cut at %s", length).isEqualTo(1);
      }
      assertThat(Files.size(journal())).isEqualTo(before);
    }
  }

  @Test
  void a_first_start_that_was_cut_off_anywhere_is_as_if_it_had_not_begun() throws IOException {
    open().close();
    List<String> inOrder = List.of("lock", "journal-1", "checkpoint-1", "format");
    for (int there = 0; there < inOrder.size(); there++) {
      for (String name : inOrder.subList(there, inOrder.size())) {
        Files.deleteIfExists(directory().resolve(name));
      }
      try (Engine engine = open()) {
        assertThat(engine.snapshot().databases()).as("%s files were there", there).isEmpty();
      }
    }
  }

  @Test
  void a_missing_checkpoint_is_reported() throws IOException {
    groups();
    Files.delete(directory().resolve("checkpoint-1"));
    assertThatThrownBy(this::open)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("checkpoint-1 is missing: without it");
    Files.delete(journal());
    assertThatThrownBy(this::open)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("holds neither checkpoint nor journal");
    Files.delete(directory().resolve("format"));
    open().close();
  }

  @Test
  void data_without_its_format_is_left_alone() throws IOException {
    groups();
    Files.delete(directory().resolve("format"));
    assertThatThrownBy(this::open)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("not a data directory: it has ")
        .hasMessageContaining("journal-1");
  }

  @Test
  void a_file_where_a_directory_should_be_is_named() throws IOException {
    Files.writeString(directory(), "a letter");
    assertThatThrownBy(this::open)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessage(directory() + " is not a directory");
    assertThatThrownBy(
            () -> Engine.open(EngineOptions.defaults(), directory().resolve("below").resolve("it")))
        .isInstanceOf(DataDirectoryException.class)
        .hasMessage(directory() + " is not a directory");
  }

  @Test
  void files_that_are_no_journals_by_their_names_are_left_alone() throws IOException {
    groups();
    for (String name : List.of("journal-1.bak", "journal-99999999999999999999", "journal-01")) {
      Files.writeString(directory().resolve(name), "not ours");
    }
    try (Engine engine = open()) {
      assertThat(engine.snapshot().size(A)).isEqualTo(5);
    }
    assertThat(directory().resolve("journal-01")).hasContent("not ours");
  }

  @Test
  void a_missing_journal_is_reported() throws IOException {
    groups();
    Files.delete(journal());
    assertThatThrownBy(this::open)
        .isInstanceOf(DataDirectoryException.class)
        .hasMessageContaining("journal-1 is missing");
  }

  @Test
  void an_empty_engine_has_an_empty_directory_that_opens_again() throws IOException {
    open().close();
    try (Engine engine = open()) {
      assertThat(engine.snapshot().databases()).isEmpty();
    }
    try (Stream<Path> files = Files.list(directory())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("lock", "format", "checkpoint-1", "journal-1");
    }
  }

  private static void await(Engine engine) {
    try {
      engine.awaitDurable();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
