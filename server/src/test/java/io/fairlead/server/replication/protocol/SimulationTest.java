// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dfairlead.simulations=N} runs N seeds of each kind; a failure names the seed that repeats
 * it.
 */
final class SimulationTest {
  private static final int SEEDS = Integer.getInteger("fairlead.simulations", 60);

  @Test
  void whatever_happens_there_is_one_primary_per_term_and_nothing_committed_is_lost() {
    for (int seed = 0; seed < SEEDS; seed++) {
      int members = seed % 3 == 0 ? 5 : 3;
      try {
        World.of(seed, World.config(members))
            .runFor(Duration.ofSeconds(2))
            .chaos(Duration.ofSeconds(12))
            .heal()
            .runFor(Duration.ofSeconds(8))
            .checkConverged();
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError(
            "seed " + seed + ", " + members + " members: " + failure.getMessage(), failure);
      }
    }
  }

  @Test
  void a_lost_primary_is_replaced_within_three_seconds() {
    for (int seed = 0; seed < SEEDS; seed++) {
      World world = World.of(seed, World.config(3)).runFor(Duration.ofSeconds(4));
      int primary = world.writablePrimaries().getFirst();
      world.crash(primary).runFor(Duration.ofSeconds(3));
      assertThat(world.writablePrimaries()).as("seed " + seed).hasSize(1).doesNotContain(primary);
    }
  }

  @Test
  void a_primary_whose_disk_is_full_gives_way_to_one_that_can_write() {
    for (int seed = 0; seed < SEEDS / 10; seed++) {
      World world = World.of(seed, World.config(3)).runFor(Duration.ofSeconds(4));
      int primary = world.writablePrimaries().getFirst();
      world.fillDisk(primary).runFor(Duration.ofSeconds(3));
      assertThat(world.writablePrimaries()).as("seed " + seed).hasSize(1).doesNotContain(primary);
      world.heal().runFor(Duration.ofSeconds(6)).checkConverged();
    }
  }

  @Test
  void where_every_disk_is_full_the_primary_stays_to_be_read() {
    for (int seed = 0; seed < SEEDS / 10; seed++) {
      World world = World.of(seed, World.config(3)).runFor(Duration.ofSeconds(4));
      List<Integer> primary = world.writablePrimaries();
      world.fillDisk(0).fillDisk(1).fillDisk(2).runFor(Duration.ofSeconds(10));
      assertThat(world.writablePrimaries()).as("seed " + seed).isEqualTo(primary);
    }
  }

  @Test
  void a_primary_that_lost_its_majority_steps_down_and_the_others_elect_one() {
    for (int seed = 0; seed < SEEDS / 10; seed++) {
      World world = World.of(seed, World.config(5)).runFor(Duration.ofSeconds(4));
      int primary = world.writablePrimaries().getFirst();
      world.partition(Set.of(primary)).runFor(Duration.ofSeconds(4));
      assertThat(world.writablePrimaries()).as("seed " + seed).hasSize(1).doesNotContain(primary);
      world.heal().runFor(Duration.ofSeconds(6)).checkConverged();
    }
  }

  @Test
  void a_healthy_set_keeps_its_primary() {
    for (int seed = 0; seed < SEEDS / 10; seed++) {
      World world = World.of(seed, World.config(3)).runFor(Duration.ofSeconds(60));
      assertThat(world.elections).as("elections with seed " + seed).isEqualTo(1);
    }
  }

  @Test
  void a_step_down_hands_over_to_a_member_that_has_everything() {
    for (int seed = 0; seed < SEEDS / 10; seed++) {
      World world = World.of(seed, World.config(3)).runFor(Duration.ofSeconds(4));
      int primary = world.writablePrimaries().getFirst();
      world.stepDown(primary);
      world.runFor(Duration.ofMillis(1200));
      assertThat(world.writablePrimaries()).as("seed " + seed).hasSize(1);
    }
  }

  @Test
  void the_member_of_the_highest_priority_takes_over() {
    ReplicaSetConfig plain = World.config(3);
    ReplicaSetConfig config =
        new ReplicaSetConfig(
            "rs",
            1,
            -1,
            java.util.List.of(
                plain.members().get(0),
                plain.members().get(1),
                plain.members().get(2).withPriority(5)),
            plain.settings());
    for (int seed = 0; seed < SEEDS / 10; seed++) {
      World world = World.of(seed, config).runFor(Duration.ofSeconds(10));
      assertThat(world.writablePrimaries()).as("seed " + seed).containsExactly(2);
      world.crash(2).runFor(Duration.ofSeconds(3));
      assertThat(world.writablePrimaries()).as("seed " + seed).hasSize(1);
      world.restart(2).runFor(Duration.ofSeconds(8));
      assertThat(world.writablePrimaries()).as("seed " + seed).containsExactly(2);
    }
  }
}
