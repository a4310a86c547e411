// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.cursor.DocumentCursor;
import org.bson.BsonValue;

/**
 * A stage that needs the server's state: the environment makes its documents, or refuses it by
 * name.
 */
final class ServerStage extends Stage {
  private final BsonValue operand;
  private final Pipeline.Target target;

  private ServerStage(String name, BsonValue operand, Pipeline.Target target) {
    super(name, operand);
    this.operand = operand;
    this.target = target;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    return new ServerStage(name, operand, context.target());
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    input.close();
    return environment.serverStage(name(), operand, target.database(), target.collection());
  }

  @Override
  boolean isSource() {
    return true;
  }
}
