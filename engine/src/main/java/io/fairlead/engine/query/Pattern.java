// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.context.OperationContext.Interrupt;
import io.fairlead.engine.value.BsonTypes;
import io.fairlead.engine.value.FieldPath;
import io.fairlead.engine.value.Regex;
import io.fairlead.engine.value.Slice;
import org.bson.BsonRegularExpression;

/**
 * {@code $regex}: a string or symbol that the pattern is found in, or the very same pattern as a
 * value.
 */
record Pattern(BsonRegularExpression source, Regex regex, Interrupt interrupt)
    implements ValueTest {
  static Pattern of(BsonRegularExpression source, Interrupt interrupt) {
    return new Pattern(source, Regex.compile(source.getPattern(), source.getOptions()), interrupt);
  }

  @Override
  public boolean test(Slice value, Evaluation evaluation) {
    return switch (value.type()) {
      case BsonTypes.STRING, BsonTypes.SYMBOL -> regex.found(value.string(), interrupt);
      case BsonTypes.REGEX -> source.equals(value.value());
      default -> false;
    };
  }

  @Override
  public Predicate predicate(FieldPath path) {
    return new Predicate.Regex(path, source);
  }
}
