// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.query.Matcher;
import io.fairlead.engine.query.Special;
import io.fairlead.engine.value.RawBytes;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** {@code $match}: lets matching documents through. */
final class Match extends Stage {
  private final Matcher matcher;
  private final Interrupt interrupt;

  private Match(String name, Matcher matcher, Interrupt interrupt) {
    super(name, matcher.filter());
    this.matcher = matcher;
    this.interrupt = interrupt;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(15959, "the match filter must be an expression in an object");
    }
    Matcher matcher = Matcher.compile(operand.asDocument(), context.operation());
    if (Special.near(matcher.predicate()) != null) {
      throw nearNotAllowed();
    }
    return new Match(name, matcher, context.operation().interrupt());
  }

  static EngineException nearNotAllowed() {
    return new EngineException(
        5626500,
        "$geoNear, $near, and $nearSphere are not allowed in this context, as these operators"
            + " require sorting geospatial data. If you do not need sort, consider using $geoWithin"
            + " instead.");
  }

  /** Whether it searches for words, which needs the collection's text index. */
  boolean searchesText() {
    return Special.text(matcher.predicate()) != null;
  }

  BsonDocument filter() {
    return matcher.filter();
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    Matcher.Pass pass = matcher.pass();
    return () -> {
      int seen = 0;
      RawBsonDocument document;
      while ((document = input.next()) != null) {
        if (pass.matches(RawBytes.bytes(document), RawBytes.offset(document))) {
          return document;
        }
        if ((++seen & 0x3ff) == 0) {
          interrupt.check();
        }
      }
      return null;
    };
  }
}
