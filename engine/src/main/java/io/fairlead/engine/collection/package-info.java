// SPDX-License-Identifier: Apache-2.0
/**
 * One collection: {@link io.fairlead.engine.collection.CollectionState} is its whole content as a
 * value, {@link io.fairlead.engine.collection.CollectionEditor} makes the next one, with an
 * IndexEditor for each index.
 */
@NullMarked
package io.fairlead.engine.collection;

import org.jspecify.annotations.NullMarked;
