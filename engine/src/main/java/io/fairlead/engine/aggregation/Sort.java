// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.aggregation;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.sort.SortPattern;
import io.fairlead.engine.sort.Sorter;
import io.fairlead.engine.value.BsonOrder;
import io.fairlead.engine.value.MetaDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * {@code $sort}; together with a following {@code $limit} it keeps only as many documents as are
 * let through.
 */
final class Sort extends Stage {
  private final SortPattern pattern;
  private final OperationContext context;

  private Sort(String name, SortPattern pattern, OperationContext context) {
    super(name, pattern.spec());
    this.pattern = pattern;
    this.context = context;
  }

  static Stage parse(String name, BsonValue operand, StageContext context) {
    if (!operand.isDocument()) {
      throw new EngineException(15973, "the $sort key specification must be an object");
    }
    if (operand.asDocument().isEmpty()) {
      throw new EngineException(15976, "$sort stage must have at least one sort key");
    }
    return new Sort(name, SortPattern.parse(operand.asDocument()), context.operation());
  }

  SortPattern pattern() {
    return pattern;
  }

  @Override
  public DocumentCursor run(DocumentCursor input, PipelineEnvironment environment) {
    return run(input, Long.MAX_VALUE, false);
  }

  /**
   * The first {@code most} documents in order.
   *
   * @param keyed whether the values by which they are sorted go along
   */
  DocumentCursor run(DocumentCursor input, long most, boolean keyed) {
    BsonOrder order = context.order();
    if (keyed && order.strings() != null) {
      throw new EngineException(
          ErrorCodes.COMMAND_NOT_SUPPORTED,
          "the sort key of a sort with a collation is not supported");
    }
    return new DocumentCursor() {
      private @Nullable DocumentCursor sorted;

      @Override
      public @Nullable RawBsonDocument next() {
        DocumentCursor ready = sorted;
        if (ready == null) {
          Sorter sorter = new Sorter(pattern, context, most);
          RawBsonDocument document;
          while ((document = input.next()) != null) {
            sorter.add(document);
          }
          ready = DocumentCursor.of(sorter.sorted());
          sorted = ready;
        }
        RawBsonDocument next = ready.next();
        return next == null || !keyed
            ? next
            : MetaDocument.sorted(next, pattern.values(next, order));
      }
    };
  }
}
