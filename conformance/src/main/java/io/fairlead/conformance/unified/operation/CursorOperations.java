// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import com.mongodb.client.MongoCursor;
import io.fairlead.conformance.unified.match.TestFailure;
import java.util.NoSuchElementException;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on cursors and change streams. */
final class CursorOperations {
  private static final Logger LOG = LoggerFactory.getLogger(CursorOperations.class);

  private CursorOperations() {}

  static Prepared prepare(String name, MongoCursor<?> cursor) {
    return switch (name) {
      case "iterateOnce" ->
          () -> cursor.tryNext() instanceof BsonValue value ? Outcome.of(value) : Outcome.NOTHING;
      case "iterateUntilDocumentOrError" -> () -> next(cursor);
      case "close" -> Prepared.nothing(() -> close(cursor));
      default -> throw new TestFailure("a cursor has no operation " + name);
    };
  }

  private static Outcome next(MongoCursor<?> cursor) {
    try {
      return cursor.next() instanceof BsonValue value ? Outcome.of(value) : Outcome.NOTHING;
    } catch (NoSuchElementException exhausted) {
      throw new TestFailure("the cursor has no more documents", exhausted);
    }
  }

  /** Errors of a cursor's close are nobody's concern here, as the format has it. */
  private static void close(MongoCursor<?> cursor) {
    try {
      cursor.close();
    } catch (RuntimeException failure) {
      LOG.debug("a cursor could not be closed", failure);
    }
  }
}
