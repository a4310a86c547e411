// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * From where an entity is read when its reader does not say. It goes before what is set on database
 * and client, and behind {@link Mapper#reading}. {@link Mapper#reread} asks the primary, whatever
 * is set here.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface DefaultReadPreference {
  /** Which members may be read from. */
  ReadMode value();

  /**
   * Tag sets, tried in order, each as {@code "dc:ams,rack:1"}; an empty string is the empty set,
   * which every member matches.
   */
  String[] tagSets() default {};

  /** How far a secondary may lag, in seconds; at least 90 where set. Negative: not set. */
  long maxStalenessSeconds() default -1;
}
