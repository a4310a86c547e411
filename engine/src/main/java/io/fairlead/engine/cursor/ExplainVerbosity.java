// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.cursor;

/** How much explain tells: the plan, or the plan and what running it took. */
public enum ExplainVerbosity {
  QUERY_PLANNER,
  EXECUTION_STATS,
  /** As {@link #EXECUTION_STATS}: there is one candidate plan, and it ran. */
  ALL_PLANS_EXECUTION
}
