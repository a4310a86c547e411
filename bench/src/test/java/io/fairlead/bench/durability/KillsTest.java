// SPDX-License-Identifier: Apache-2.0
package io.fairlead.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KillsTest {
  /** More with {@code -Dfairlead.kills=200}, as {@code bench/run durability} does. */
  private static final int KILLS = Integer.getInteger("fairlead.kills", 8);

  @TempDir Path temp;

  @Test
  void what_was_acknowledged_survives_a_killed_process_and_nothing_else_does() throws Exception {
    long seed = Long.getLong("fairlead.seed", System.nanoTime());
    Kills.Result result = Kills.run(KILLS, temp.resolve("data"), seed);
    assertThat(result.wrong()).as("seed %s", seed).isEmpty();
    assertThat(result.acknowledged()).as("seed %s", seed).isPositive();
  }
}
