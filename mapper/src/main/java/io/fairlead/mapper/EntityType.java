// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a type says about itself.
 *
 * @param database null: the mapper's own
 * @param readPreference null: none of its own
 */
record EntityType<T>(
    Class<T> type,
    @Nullable String database,
    String collection,
    @Nullable ReadPreference readPreference) {

  /**
   * Reads the annotations.
   *
   * @throws IllegalArgumentException if it is no entity, or asks for what can't be had
   */
  static <T> EntityType<T> of(Class<T> type) {
    Entity entity = type.getAnnotation(Entity.class);
    if (entity == null) {
      throw new IllegalArgumentException(type.getName() + " is no entity: it has no @Entity");
    }
    DefaultReadPreference preference = type.getAnnotation(DefaultReadPreference.class);
    return new EntityType<>(
        type,
        entity.database().isEmpty() ? null : entity.database(),
        entity.collection(),
        preference == null ? null : readPreference(type, preference));
  }

  private static ReadPreference readPreference(Class<?> type, DefaultReadPreference wanted) {
    List<TagSet> tagSets = new ArrayList<>();
    for (String text : wanted.tagSets()) {
      tagSets.add(tagSet(type, text));
    }
    String mode = wanted.value().wireName();
    boolean bounded = wanted.maxStalenessSeconds() >= 0;
    if (wanted.value() == ReadMode.PRIMARY) {
      if (bounded || !tagSets.isEmpty()) {
        throw new IllegalArgumentException(
            "@DefaultReadPreference of "
                + type.getName()
                + ": mode primary takes neither tag sets nor staleness");
      }
      return ReadPreference.primary();
    }
    return bounded
        ? ReadPreference.valueOf(mode, tagSets, wanted.maxStalenessSeconds(), TimeUnit.SECONDS)
        : ReadPreference.valueOf(mode, tagSets);
  }

  private static TagSet tagSet(Class<?> type, String text) {
    List<Tag> tags = new ArrayList<>();
    if (!text.isBlank()) {
      for (String pair : text.split(",", -1)) {
        int colon = pair.indexOf(':');
        if (colon < 1) {
          throw new IllegalArgumentException(
              "@DefaultReadPreference of "
                  + type.getName()
                  + ": a tag is written name:value, was "
                  + pair);
        }
        tags.add(new Tag(pair.substring(0, colon).strip(), pair.substring(colon + 1).strip()));
      }
    }
    return new TagSet(tags);
  }
}
