// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import org.bson.BsonDocument;

/** One compiled stage. Immutable; each run has its own state. */
public abstract class Stage {
  /** {@code $match}, {@code $group} … */
  public abstract String name();

  /** The stage as it was given. */
  public abstract BsonDocument spec();

  /** The stage's output for an input. */
  public abstract DocumentCursor run(DocumentCursor input, PipelineEnvironment environment);
}
