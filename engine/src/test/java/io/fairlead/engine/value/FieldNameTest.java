// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.engine.key.BsonBytes;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FieldNameTest {
  /** Of every length around that of a machine word, many the beginning of another. */
  private static final List<String> NAMES =
      List.of(
          "",
          "a",
          "ab",
          "b",
          "abcdef",
          "abcdefg",
          "abcdefgh",
          "abcdefgi",
          "abcdefghi",
          "abcdefghj",
          "abcdefghijklmnopqrstuvwxyz",
          "ä",
          "äöüß",
          "\ud83d\ude00\ud83d\ude00",
          "_id",
          "0");

  private static @Nullable BsonValue find(BsonDocument document, String name, int padding) {
    RawBsonDocument raw = new RawBsonDocument(document, new BsonDocumentCodec());
    byte[] bytes = new byte[RawBytes.length(raw) + padding];
    System.arraycopy(
        RawBytes.bytes(raw), RawBytes.offset(raw), bytes, padding, RawBytes.length(raw));
    Slice slice = new Slice();
    boolean found = slice.moveToField(bytes, padding, FieldName.of(name));
    assertThat(found).isEqualTo(!slice.isMissing());
    return slice.value();
  }

  @Test
  void a_field_is_found_by_its_whole_name() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    RandomValues values = new RandomValues(random);
    for (int round = 0; round < 20_000; round++) {
      BsonDocument document = new BsonDocument();
      for (int i = random.nextInt(6); i > 0; i--) {
        document.append(NAMES.get(random.nextInt(NAMES.size())), values.value(2));
      }
      String name = NAMES.get(random.nextInt(NAMES.size()));
      BsonValue expected = document.get(name);
      BsonValue found = find(document, name, random.nextInt(9));
      assertThat(BsonOrder.SIMPLE.compare(found, expected))
          .as("%s of %s, seed %s", name, document, seed)
          .isZero();
    }
  }

  @Test
  void names_at_the_very_end_are_told_apart() {
    for (BsonValue last : List.of(BsonNull.VALUE, new BsonMinKey(), new BsonMaxKey())) {
      for (String name : NAMES) {
        BsonDocument document = new BsonDocument("x", new BsonInt32(1)).append(name, last);
        for (String other : NAMES) {
          assertThat(find(document, other, 0)).isEqualTo(other.equals(name) ? last : null);
        }
        assertThat(find(new BsonDocument(name, last), name, 0)).isEqualTo(last);
      }
    }
  }

  @Test
  void the_first_of_two_fields_with_one_name_counts() {
    DocumentWriter twice = new DocumentWriter();
    twice.value("a", new BsonInt32(1));
    twice.value("a", new BsonInt32(2));
    RawBsonDocument document = twice.finish();
    assertThat(find(document, "a", 3)).isEqualTo(new BsonInt32(1));
  }

  @Test
  void a_name_with_a_nul_is_in_no_document() {
    DocumentWriter written = new DocumentWriter();
    written.value("a", new BsonInt64('b'));
    RawBsonDocument document = written.finish();
    assertThat(find(document, "a\0b", 3)).isNull();
    assertThat(BsonBytes.find(RawBytes.bytes(document), 0, "a\0b".getBytes(UTF_8))).isNegative();
  }
}
