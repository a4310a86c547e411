// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinaryWriter;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWrapper;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonSerializationException;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

final class BsonOutputTest {
  private static final String[] TEXTS = {
    "", "plain", "ein Wörtchen", "語", "a\uD83D\uDE00b", "half \uD83D", "\uDE00", "߿ࠀ￿\uD800\uDC00"
  };

  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void values_of_every_type_become_the_bytes_that_the_library_makes_of_them() {
    for (int i = 0; i < 500; i++) {
      BsonDocument document = document(4);
      assertThat(written(document)).as(document::toString).isEqualTo(byLibrary(document));
    }
  }

  @Test
  void a_document_of_another_class_is_written_by_its_values() {
    BsonDocument lazy =
        new BsonDocumentWrapper<>(
            new Document("a", List.of(1, new Document("b", 2L))), new DocumentCodec());
    BsonDocument raw = new BsonDocument("inner", RawBsonDocument.parse("{x: {y: 1}}"));
    assertThat(written(lazy))
        .isEqualTo(byLibrary(BsonDocument.parse("{a: [1, {b: {$numberLong: '2'}}]}")));
    assertThat(written(raw)).isEqualTo(byLibrary(raw));
  }

  @Test
  void names_and_patterns_with_a_null_character_are_refused() {
    for (BsonDocument bad :
        List.of(
            new BsonDocument("a\0b", BsonNull.VALUE),
            new BsonDocument("a", new BsonRegularExpression("x\0")))) {
      assertThatExceptionOfType(BsonSerializationException.class).isThrownBy(() -> written(bad));
    }
  }

  @Test
  void nesting_without_end_is_refused_before_the_stack_is() {
    BsonDocument deep = new BsonDocument();
    for (int i = 0; i < 100_000; i++) {
      deep = new BsonDocument("a", deep);
    }
    BsonDocument bottomless = deep;
    assertThatExceptionOfType(BsonSerializationException.class)
        .isThrownBy(() -> written(bottomless));
  }

  private static byte[] written(BsonDocument document) {
    BsonOutput output = new BsonOutput(1);
    output.document(document);
    return Arrays.copyOf(output.bytes(), output.size());
  }

  private static byte[] byLibrary(BsonDocument document) {
    BasicOutputBuffer buffer = new BasicOutputBuffer();
    new BsonDocumentCodec()
        .encode(new BsonBinaryWriter(buffer), document, EncoderContext.builder().build());
    return buffer.toByteArray();
  }

  private BsonDocument document(int depth) {
    BsonDocument document = new BsonDocument();
    for (int i = random.nextInt(6); i > 0; i--) {
      document.put(text() + i, value(depth));
    }
    return document;
  }

  private BsonArray array(int depth) {
    BsonArray array = new BsonArray();
    int count = random.nextInt(20) == 0 ? 1100 : random.nextInt(4);
    for (int i = 0; i < count; i++) {
      array.add(count > 4 ? new BsonInt32(i) : value(depth));
    }
    return array;
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  private BsonValue value(int depth) {
    List<Supplier<BsonValue>> kinds =
        List.of(
            () -> new BsonDouble(random.nextDouble()),
            () -> new BsonString(text() + "\0" + text()),
            () -> new BsonBinary((byte) random.nextInt(8), new byte[random.nextInt(9)]),
            BsonUndefined::new,
            () -> new BsonObjectId(new ObjectId(random.nextInt(1 << 20), random.nextInt(1 << 20))),
            () -> BsonBoolean.valueOf(random.nextBoolean()),
            () -> new BsonDateTime(random.nextLong()),
            () -> BsonNull.VALUE,
            () -> new BsonRegularExpression(text(), "xi"),
            () -> new BsonDbPointer(text(), new ObjectId(1, 2)),
            () -> new BsonJavaScript(text()),
            () -> new BsonSymbol(text()),
            () -> new BsonInt32(random.nextInt()),
            () -> new BsonTimestamp(random.nextLong()),
            () -> new BsonInt64(random.nextLong()),
            () -> new BsonDecimal128(Decimal128.parse("-1.5E+3")),
            BsonMinKey::new,
            BsonMaxKey::new,
            () -> new BsonJavaScriptWithScope(text(), document(Math.max(0, depth - 1))),
            () -> depth == 0 ? BsonNull.VALUE : array(depth - 1),
            () -> depth == 0 ? BsonNull.VALUE : document(depth - 1));
    return kinds.get(random.nextInt(kinds.size())).get();
  }
}
