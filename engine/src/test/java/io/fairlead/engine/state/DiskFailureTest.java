// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.state;

import static io.fairlead.engine.state.Store.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.engine.Engine;
import io.fairlead.engine.EngineOptions;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.durability.FailingDisk;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.write.WriteContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskFailureTest {
  private static final Namespace A = Namespace.of("db", "a");
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path temp;
  private final FailingDisk disk = new FailingDisk();

  private Engine open() {
    return StoreEngine.open(EngineOptions.defaults(), temp.resolve("data"), disk);
  }

  private static void insert(Engine engine, int id) {
    engine.write(WriteContext.plain(), writes -> writes.insert(A, json("{_id: " + id + "}")));
  }

  /** Waits until writes are let in again. */
  private static void insertWhenPossible(Engine engine, int id) throws InterruptedException {
    CountDownLatch written = new CountDownLatch(1);
    engine.whenDurable(written::countDown);
    assertThat(written.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    insert(engine, id);
    engine.awaitDurable();
  }

  @Test
  void a_full_disk_is_an_error_to_the_writer_and_refuses_further_writes() throws Exception {
    try (Engine engine = open()) {
      insert(engine, 1);
      engine.awaitDurable();
      long size = Files.size(temp.resolve("data").resolve("journal-1"));
      disk.writesFail = "No space left on device";
      insert(engine, 2);
      assertThatThrownBy(engine::awaitDurable)
          .isInstanceOfSatisfying(
              EngineException.class, error -> assertThat(error.code()).isEqualTo(14031));
      assertThatThrownBy(() -> insert(engine, 3))
          .isInstanceOfSatisfying(
              EngineException.class,
              error -> {
                assertThat(error.code()).isEqualTo(14031);
                assertThat(error.getMessage()).contains("nothing was written");
              });
      assertThat(engine.snapshot().size(A)).isEqualTo(2);
      assertThat(Files.size(temp.resolve("data").resolve("journal-1"))).isEqualTo(size);
      disk.writesFail = null;
      insertWhenPossible(engine, 4);
    }
    try (Engine engine = open()) {
      assertThat(engine.snapshot().size(A)).isEqualTo(3);
    }
  }

  @Test
  void after_a_force_that_failed_another_file_is_written() throws Exception {
    try (Engine engine = open()) {
      insert(engine, 1);
      engine.awaitDurable();
      disk.forcesFail = "Input/output error";
      insert(engine, 2);
      assertThatThrownBy(engine::awaitDurable)
          .isInstanceOfSatisfying(
              EngineException.class, error -> assertThat(error.code()).isEqualTo(39));
      disk.forcesFail = null;
      insertWhenPossible(engine, 3);
      assertThat(temp.resolve("data").resolve("journal-2")).exists();
    }
    try (Engine engine = open()) {
      assertThat(engine.snapshot().size(A)).isEqualTo(3);
      insert(engine, 4);
    }
    try (Engine engine = open()) {
      assertThat(engine.snapshot().size(A)).isEqualTo(4);
      Store.check(engine.snapshot());
    }
  }

  @Test
  void an_engine_that_cannot_write_closes_all_the_same() throws Exception {
    Engine engine = open();
    insert(engine, 1);
    engine.awaitDurable();
    disk.writesFail = "No space left on device";
    insert(engine, 2);
    engine.close();
    disk.writesFail = null;
    try (Engine again = open()) {
      assertThat(again.snapshot().size(A)).isEqualTo(1);
    }
  }
}
