// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.key.KeyWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of values of all types is total, and that of index keys is the same. */
final class TotalOrderTest {
  private static final BsonOrder ORDER = BsonOrder.SIMPLE;

  private static List<BsonValue> values(long seed, int count, int depth) {
    AnyValues any = new AnyValues(new SplittableRandom(seed));
    List<BsonValue> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(any.value(depth));
    }
    return values;
  }

  private static int compare(BsonValue a, BsonValue b) {
    return Integer.signum(ORDER.compare(a, b));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void it_is_antisymmetric_and_transitive(long seed) {
    List<BsonValue> values = values(seed, 90, 2);
    for (BsonValue a : values) {
      assertThat(compare(a, a)).as("seed %d: %s", seed, a).isZero();
      for (BsonValue b : values) {
        int ab = compare(a, b);
        if (compare(b, a) != -ab) {
          assertThat(compare(b, a)).as("seed %d: %s and %s", seed, a, b).isEqualTo(-ab);
        }
        for (BsonValue c : values) {
          if (ab <= 0 && compare(b, c) <= 0 && compare(a, c) > 0) {
            assertThat(compare(a, c)).as("seed %d: %s, %s, %s", seed, a, b, c).isNotPositive();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6, 7})
  void equal_values_have_one_hash_and_bytes_compare_as_values(long seed) {
    List<BsonValue> values = values(seed, 300, 2);
    for (BsonValue a : values) {
      for (BsonValue b : values) {
        int ab = compare(a, b);
        int slices = Integer.signum(ORDER.compare(Slice.of(a), Slice.of(b)));
        if (slices != ab) {
          assertThat(slices).as("seed %d: bytes of %s and %s", seed, a, b).isEqualTo(ab);
        }
        if (ab == 0 && ORDER.hash(a) != ORDER.hash(b)) {
          assertThat(ORDER.hash(a)).as("seed %d: %s and %s", seed, a, b).isEqualTo(ORDER.hash(b));
        }
      }
    }
  }

  @Test
  void values_of_every_type_come_back_from_their_bytes_as_they_were() {
    for (BsonValue value : values(12, 3_000, 3)) {
      BsonDocument document = new BsonDocument("v", value);
      RawBsonDocument written = DocumentWriter.write(document);
      assertThat(written.decode(new BsonDocumentCodec())).isEqualTo(document);
      assertThat(written.getByteBuffer().asNIO())
          .isEqualTo(
              new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer().asNIO());
      assertThat(Slice.of(value).value()).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {8, 9, 10, 11})
  void index_keys_are_ordered_as_their_values(long seed) {
    List<BsonValue> values = values(seed, 300, 2);
    List<byte[]> keys = values.stream().map(v -> new KeyWriter().value(v).toBytes()).toList();
    for (int i = 0; i < values.size(); i++) {
      for (int j = 0; j < values.size(); j++) {
        int byKey = Integer.signum(Arrays.compareUnsigned(keys.get(i), keys.get(j)));
        int byValue = compare(values.get(i), values.get(j));
        if (byKey != byValue) {
          assertThat(byKey)
              .as("seed %d: keys of %s and %s", seed, values.get(i), values.get(j))
              .isEqualTo(byValue);
        }
      }
    }
  }
}
