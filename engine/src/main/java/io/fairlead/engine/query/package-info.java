// SPDX-License-Identifier: Apache-2.0
/**
 * The query language. {@link io.fairlead.engine.query.Matcher} compiles a filter; {@link
 * io.fairlead.engine.query.Predicate} is its tree, which the planner reads.
 */
@NullMarked
package io.fairlead.engine.query;

import org.jspecify.annotations.NullMarked;
