// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** One compiled stage. Immutable; each run has its own state. */
public abstract class Stage {
  private final String name;
  private final BsonValue operand;

  Stage(String name, BsonValue operand) {
    this.name = name;
    this.operand = operand;
  }

  /** {@code $match}, {@code $group} … */
  public final String name() {
    return name;
  }

  /** The stage as it was given. */
  public final BsonDocument spec() {
    return new BsonDocument(name, operand);
  }

  /** The stage's output for an input. */
  public abstract DocumentCursor run(DocumentCursor input, PipelineEnvironment environment);

  /** Whether it makes its documents itself and must be the first. */
  boolean isSource() {
    return false;
  }

  /** Whether it reads the collection in a way of its own and must be the first. */
  boolean isFirstOnly() {
    return false;
  }

  /** Whether it writes and must be the last. */
  boolean writes() {
    return false;
  }
}
