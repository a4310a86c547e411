// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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
    Keys keys = Keys.withRoom(wanted);
    int size = 0;
    for (byte[] key : sorted) {
      keys.set(size++, key);
    }
    for (int i = 0; i < 2_000; i++) {
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
  }

  private static byte[] key(SplittableRandom random) {
    byte[] key = new byte[random.nextInt(12)];
    int plain = random.nextInt(12);
    for (int i = 0; i < key.length; i++) {
      key[i] = i < plain ? 7 : ALPHABET[random.nextInt(ALPHABET.length)];
    }
    return key;
  }
}
