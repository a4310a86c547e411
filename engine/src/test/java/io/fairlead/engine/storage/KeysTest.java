// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeysTest {
  /** Few different bytes, so that keys are beginnings of one another and of equal heads. */
  private static final byte[] ALPHABET = {0, 1, -1};

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void every_key_is_found_where_the_order_of_its_bytes_puts_it(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    int wanted = random.nextInt(1, Node.WIDTH + 1);
    while (sorted.size() < wanted) {
      sorted.add(key(random));
    }
    check(Keys.of(sorted.toArray(byte[][]::new)), sorted, random, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void keys_that_come_and_go_are_found_while_what_they_share_changes(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    Keys keys = Keys.withRoom(0);
    for (int i = 0; i < 400; i++) {
      byte[] key = key(random);
      int size = sorted.size();
      int at = sorted.headSet(key).size();
      boolean there = sorted.contains(key);
      if (there && random.nextBoolean()) {
        if (random.nextBoolean()) {
          keys.remove(at, size, new byte[0]);
        } else {
          keys = keys.removed(at, size);
        }
        sorted.remove(key);
      } else if (!there && size < Node.WIDTH) {
        if (random.nextBoolean()) {
          keys = keys.inserted(at, key, size);
        } else {
          if (keys.room() == size) {
            keys.grow(size + 5);
          }
          keys.insert(at, key, size);
        }
        sorted.add(key);
      } else if (size > 4) {
        int from = random.nextInt(size);
        int to = random.nextInt(from, size) + 1;
        keys = keys.copied(from, to);
        List<byte[]> left = List.copyOf(sorted).subList(from, to);
        sorted.retainAll(left);
      }
      if (i % 20 == 0) {
        check(keys, sorted, random, seed);
      }
    }
    Keys half = Keys.joined(keys, 0, keys, sorted.size());
    check(half, sorted, random, seed);
  }

  private static void check(
      Keys keys, SortedSet<byte[]> sorted, SplittableRandom random, long seed) {
    int size = sorted.size();
    for (int i = 0; i < 500; i++) {
      byte[] key = key(random);
      int lesser = sorted.headSet(key).size();
      int expected = sorted.contains(key) ? lesser : -lesser - 1;
      assertThat(keys.search(key, 0, key.length, size))
          .as("seed %d, key %s", seed, Arrays.toString(key))
          .isEqualTo(expected);
      byte[] within = new byte[key.length + 5];
      System.arraycopy(key, 0, within, 2, key.length);
      assertThat(keys.search(within, 2, 2 + key.length, size)).isEqualTo(expected);
    }
    int at = 0;
    for (byte[] key : sorted) {
      assertThat(keys.search(key, 0, key.length, size)).as("seed %d", seed).isEqualTo(at++);
    }
  }

  private static byte[] key(SplittableRandom random) {
    byte[] key = new byte[random.nextInt(random.nextInt(8) == 0 ? 0 : 9, 16)];
    int plain = random.nextInt(20) == 0 ? random.nextInt(12) : 9;
    for (int i = 0; i < key.length; i++) {
      key[i] = i < plain ? 7 : ALPHABET[random.nextInt(ALPHABET.length)];
    }
    return key;
  }
}
