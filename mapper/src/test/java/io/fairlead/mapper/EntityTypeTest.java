// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EntityTypeTest {
  @Entity(collection = "plain")
  record Plain(@Id String id) {}

  @Entity(collection = "near", database = "elsewhere")
  @DefaultReadPreference(
      value = ReadMode.NEAREST,
      tagSets = {"dc:ams, rack:1", ""},
      maxStalenessSeconds = 120)
  record Near(@Id String id) {}

  @Entity(collection = "wrong")
  @DefaultReadPreference(value = ReadMode.PRIMARY, maxStalenessSeconds = 120)
  record Contradiction(@Id String id) {}

  @Entity(collection = "wrong")
  @DefaultReadPreference(value = ReadMode.NEAREST, tagSets = "ams")
  record BadTag(@Id String id) {}

  record Stranger(@Id String id) {}

  @Test
  void an_entity_has_a_collection_and_perhaps_nothing_else() {
    EntityType<Plain> type = EntityType.of(Plain.class);

    assertThat(type.collection()).isEqualTo("plain");
    assertThat(type.database()).isNull();
    assertThat(type.readPreference()).isNull();
  }

  @Test
  void an_entity_has_its_own_read_preference() {
    EntityType<Near> type = EntityType.of(Near.class);

    assertThat(type.database()).isEqualTo("elsewhere");
    assertThat(type.readPreference())
        .isEqualTo(
            ReadPreference.nearest(
                List.of(
                    new TagSet(List.of(new Tag("dc", "ams"), new Tag("rack", "1"))), new TagSet()),
                120,
                TimeUnit.SECONDS));
  }

  @Test
  void what_can_not_be_had_is_refused_when_it_is_first_used() {
    for (Class<?> type : List.of(Contradiction.class, BadTag.class, Stranger.class)) {
      assertThatThrownBy(() -> EntityType.of(type)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
