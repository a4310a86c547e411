// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.error.EngineException;
import io.fairlead.wire.listener.ClientConnection;
import io.fairlead.wire.message.Compressor;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OperationTest {
  private final Operation operation =
      new Operation(
          1,
          CommandSpec.named("find").runs(context -> new BsonDocument()),
          "d.c",
          new BsonDocument(),
          new ClientState(new NoConnection(), Instant.EPOCH),
          null,
          () -> 0L);

  @AfterEach
  void the_kill_leaves_no_interrupt_behind() {
    operation.finish();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void a_wait_in_the_engine_that_a_kill_ended_fails_with_the_kills_own_code() {
    operation.kill(11600);

    assertThat(operation.killedOr(new EngineException(11601, "operation was interrupted")).code())
        .isEqualTo(11600);
  }

  @Test
  void another_failure_of_a_killed_operation_stays_what_it_is() {
    operation.kill(11600);

    assertThat(operation.killedOr(new EngineException(11000, "duplicate key")).code())
        .isEqualTo(11000);
  }

  @Test
  void an_interrupt_that_is_no_kill_stays_an_interrupt() {
    assertThat(operation.killedOr(new EngineException(11601, "operation was interrupted")).code())
        .isEqualTo(11601);
  }

  @Test
  void whoever_waits_for_its_end_is_told_and_does_not_wait_once_it_has_ended() throws Exception {
    assertThat(operation.awaitEnd(Duration.ZERO)).isFalse();
    CompletableFuture<Boolean> told = new CompletableFuture<>();
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    told.complete(operation.awaitEnd(Duration.ofMinutes(1)));
                  } catch (InterruptedException e) {
                    told.completeExceptionally(e);
                  }
                });
    operation.finish();
    waiting.join();
    assertThat(told.join()).isTrue();
    assertThat(operation.awaitEnd(Duration.ZERO)).isTrue();
  }

  @Test
  void a_kill_after_the_end_reaches_nobody() {
    operation.finish();
    operation.kill(11601);
    assertThat(operation.isKilled()).isFalse();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  private static final class NoConnection implements ClientConnection {
    @Override
    public long id() {
      return 1;
    }

    @Override
    public String peer() {
      return "nobody";
    }

    @Override
    public boolean inProcess() {
      return true;
    }

    @Override
    public @Nullable Compressor compressor() {
      return null;
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
