// SPDX-License-Identifier: Apache-2.0
package io.fairlead.mapper;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the component or property that is the document's {@code _id}. Where it is null when saved,
 * an {@code ObjectId} is made for it; every other type of id has to be given.
 */
@Documented
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
public @interface Id {}
