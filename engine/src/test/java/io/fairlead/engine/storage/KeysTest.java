// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class KeysTest {
  /** Few different bytes, so that keys are beginnings of one another and of equal heads. */
  private static final byte[] ALPHABET = {0, 1, -1};

  /** How the keys of a test are made. */
  private interface Source {
    byte[] key(SplittableRandom random);
  }

  private static final Map<String, Source> SOURCES =
      Map.of(
          "of few bytes", random -> fewBytes(random, 9, 16),
          "short", random -> fewBytes(random, 0, 8),
          "up to two words", random -> fewBytes(random, 4, 15),
          "long", random -> fewBytes(random, 12, 40),
          "of all lengths", random -> fewBytes(random, 0, 30),
          "record numbers", random -> number(random.nextInt(200)),
          "record numbers at a distance", random -> number(random.nextInt(200) * 64),
          "index entries", KeysTest::entry);

  private static Stream<Arguments> sources() {
    return SOURCES.keySet().stream()
        .sorted()
        .flatMap(name -> LongStream.rangeClosed(1, 6).mapToObj(seed -> Arguments.of(name, seed)));
  }

  @ParameterizedTest
  @MethodSource("sources")
  void every_key_is_found_where_the_order_of_its_bytes_puts_it(String name, long seed) {
    Source source = Objects.requireNonNull(SOURCES.get(name));
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    int wanted = random.nextInt(1, Node.WIDTH + 1);
    while (sorted.size() < wanted) {
      sorted.add(source.key(random));
    }
    check(of(sorted.toArray(byte[][]::new)), sorted, source, random, seed);
  }

  @ParameterizedTest
  @MethodSource("sources")
  void keys_that_come_and_go_are_found_however_they_are_kept(String name, long seed) {
    Source source = Objects.requireNonNull(SOURCES.get(name));
    SplittableRandom random = new SplittableRandom(seed);
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    Keys keys = new Keys();
    for (int i = 0; i < 600; i++) {
      byte[] key = source.key(random);
      int size = sorted.size();
      int at = sorted.headSet(key).size();
      boolean there = sorted.contains(key);
      if (random.nextInt(4) == 0) {
        keys = copy(keys, 0, size, size + random.nextInt(3));
      }
      if (there && random.nextInt(3) == 0) {
        keys.replaceKey(at, key, size);
      } else if (there && random.nextBoolean()) {
        keys.removeKey(at, size);
        sorted.remove(key);
      } else if (!there && size < Node.WIDTH) {
        keys.insertKey(at, key, size);
        sorted.add(key);
      } else if (size > 4) {
        int from = random.nextInt(size);
        int to = random.nextInt(from, size) + 1;
        keys = copy(keys, from, to, to - from);
        List<byte[]> left = List.copyOf(sorted).subList(from, to);
        sorted.retainAll(left);
      }
      if (i % 20 == 0) {
        check(keys, sorted, source, random, seed);
      }
    }
    int half = sorted.size() / 2;
    Keys joined = new Keys();
    Keys behind = copy(keys, half, sorted.size(), sorted.size() - half);
    joined.setJoined(keys, half, behind, sorted.size() - half);
    check(joined, sorted, source, random, seed);
  }

  @Test
  void a_copy_does_not_see_what_becomes_of_the_original() {
    Keys keys = of(number(1), number(2), number(3));
    Keys copy = copy(keys, 0, 3, 3);
    keys.insertKey(3, number(4), 3);
    keys.removeKey(1, 4);
    assertThat(List.of(copy.key(0), copy.key(1), copy.key(2)))
        .containsExactly(number(1), number(2), number(3));
    assertThat(List.of(keys.key(0), keys.key(1), keys.key(2)))
        .containsExactly(number(1), number(3), number(4));
  }

  private static Keys of(byte[]... sorted) {
    Keys keys = new Keys();
    keys.setKeys(sorted);
    return keys;
  }

  private static Keys copy(Keys keys, int from, int to, int room) {
    Keys copy = new Keys();
    copy.setCopy(keys, from, to, room);
    return copy;
  }

  private static void check(
      Keys keys, SortedSet<byte[]> sorted, Source source, SplittableRandom random, long seed) {
    int size = sorted.size();
    for (int i = 0; i < 500; i++) {
      byte[] key = source.key(random);
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
      assertThat(keys.key(at)).as("seed %d", seed).isEqualTo(key);
      assertThat(keys.search(key, 0, key.length, size)).as("seed %d", seed).isEqualTo(at++);
    }
  }

  private static byte[] fewBytes(SplittableRandom random, int shortest, int bound) {
    byte[] key = new byte[random.nextInt(random.nextInt(8) == 0 ? 0 : shortest, bound)];
    int plain = random.nextInt(20) == 0 ? random.nextInt(12) : 9;
    for (int i = 0; i < key.length; i++) {
      key[i] = i < plain ? 7 : ALPHABET[random.nextInt(ALPHABET.length)];
    }
    return key;
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(5).put((byte) 4).putInt(number).array();
  }

  /** A number as a double, and a record's number behind it. */
  private static byte[] entry(SplittableRandom random) {
    return ByteBuffer.allocate(15)
        .put((byte) 0x1B)
        .putDouble(1 + random.nextInt(random.nextBoolean() ? 20 : 100_000))
        .putInt(4 << 24 | random.nextInt(50))
        .putShort((short) 4)
        .array();
  }
}
