// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import io.fairlead.mapper.Id;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.Codec;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private static final CodecRegistry CODECS =
      EntityCodecs.over(MongoClientSettings.getDefaultCodecRegistry());

  enum Colour {
    RED,
    BLUE
  }

  record Wheel(int inches, @Nullable Wheel spare) {}

  record Car(
      @Id @Nullable ObjectId id,
      @BsonProperty("n") String name,
      Colour colour,
      long mileage,
      List<Wheel> wheels,
      Map<String, Integer> prices) {}

  record Named(@Id String key, int count) {}

  record Positive(int value) {
    Positive {
      if (value < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  @Test
  void a_record_with_everything_in_it_comes_back_equal() {
    Car car =
        new Car(
            new ObjectId(),
            "Ann's",
            Colour.BLUE,
            12L,
            List.of(new Wheel(17, null), new Wheel(18, new Wheel(15, null))),
            Map.of("new", 9));

    BsonDocument document = encode(Car.class, car);

    assertThat(document.getFirstKey()).isEqualTo("_id");
    assertThat(document.getString("n").getValue()).isEqualTo("Ann's");
    assertThat(document.getArray("wheels").get(0).asDocument().keySet()).containsExactly("inches");
    assertThat(decode(Car.class, document)).isEqualTo(car);
  }

  @Test
  void what_a_document_lacks_is_null_or_zero_and_what_it_has_more_is_skipped() {
    Car car = decode(Car.class, BsonDocument.parse("{n: 'x', more: {a: [1]}, colour: null}"));

    assertThat(car.name()).isEqualTo("x");
    assertThat(car.colour()).isNull();
    assertThat(car.mileage()).isZero();
    assertThat(car.wheels()).isNull();
  }

  @Test
  void an_id_is_made_for_another_record_and_only_where_there_is_none() {
    CollectibleCodec<Car> codec = (CollectibleCodec<Car>) CODECS.get(Car.class);
    Car without = new Car(null, "x", Colour.RED, 0, List.of(), Map.of());

    Car with = codec.generateIdIfAbsentFromDocument(without);

    assertThat(codec.documentHasId(without)).isFalse();
    assertThat(with.id()).isNotNull();
    assertThat(with.name()).isEqualTo("x");
    assertThat(codec.generateIdIfAbsentFromDocument(with)).isSameAs(with);
    assertThat(codec.getDocumentId(with).asObjectId().getValue()).isEqualTo(with.id());
  }

  @Test
  @SuppressWarnings("NullAway") // it is the missing id that is tested
  void an_id_of_another_type_has_to_be_given() {
    CollectibleCodec<Named> codec = (CollectibleCodec<Named>) CODECS.get(Named.class);

    assertThatThrownBy(() -> codec.generateIdIfAbsentFromDocument(new Named(null, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(encode(Named.class, new Named("k", 2)))
        .isEqualTo(BsonDocument.parse("{_id: 'k', count: 2}"));
  }

  @Test
  void what_a_records_constructor_refuses_is_told_with_its_reason() {
    assertThatThrownBy(() -> decode(Positive.class, BsonDocument.parse("{value: -1}")))
        .isInstanceOf(CodecConfigurationException.class)
        .hasRootCauseMessage("negative");
  }

  /** A class as an entity. */
  public static final class Bean {
    @Id private @Nullable ObjectId key;
    private String name = "";

    public @Nullable ObjectId getKey() {
      return key;
    }

    public void setKey(@Nullable ObjectId key) {
      this.key = key;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }
  }

  @Test
  void a_class_keeps_its_id_in_the_property_that_is_marked() {
    Bean bean = new Bean();
    bean.setName("x");

    assertThat(encode(Bean.class, bean)).doesNotContainKey("key");
    assertThat(EntityCodecs.withNewId(CODECS.get(Bean.class), bean)).isSameAs(bean);

    ObjectId key = bean.getKey();
    assertThat(key).isNotNull();
    BsonDocument document = encode(Bean.class, bean);
    assertThat(document.getObjectId("_id").getValue()).isEqualTo(key);
    assertThat(document).doesNotContainKey("key");
    assertThat(decode(Bean.class, document).getKey()).isEqualTo(key);
  }

  private static <T> BsonDocument encode(Class<T> type, T value) {
    BsonDocument document = new BsonDocument();
    Codec<T> codec = CODECS.get(type);
    codec.encode(new BsonDocumentWriter(document), value, EncoderContext.builder().build());
    return document;
  }

  private static <T> T decode(Class<T> type, BsonDocument document) {
    return CODECS
        .get(type)
        .decode(new BsonDocumentReader(document), DecoderContext.builder().build());
  }
}
