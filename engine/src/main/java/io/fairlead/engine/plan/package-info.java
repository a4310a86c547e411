// SPDX-License-Identifier: Apache-2.0
/**
 * Chooses how a query is answered. Start at {@link io.fairlead.engine.plan.Planner}.
 *
 * <pre>
 *   predicate tree ── Conditions ──► intervals per path ── IndexBounds ──► ranges of an index ── Planner ──► QueryPlan
 *                      one index and its cost: Candidate          its order: ReadingOrder
 *                      special kinds of index: SpecialBounds      min and max: MinMaxPlans
 *                      $near: NearPlans                           $text: TextPlans
 *
 *   a filter of nothing but an _id ── IdLookup ──► the entry of that document
 * </pre>
 *
 * Ranges are counted exactly (the trees count their entries), so that plans are compared by what
 * they would really read.
 */
@NullMarked
package io.fairlead.engine.plan;

import org.jspecify.annotations.NullMarked;
