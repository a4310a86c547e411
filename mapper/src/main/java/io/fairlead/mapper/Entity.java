// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a record or class whose instances are the documents of a collection. One component or
 * property is its {@link Id}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Entity {
  /** The collection's name. */
  String collection();

  /** The database's name; empty: the mapper's own. */
  String database() default "";
}
