// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.time.Duration;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * How many members must have a write before it is acknowledged.
 *
 * @param w who must have it
 * @param journal whether {@code j: true} was asked for
 * @param timeout after which the wait ends with a write concern error; zero waits as long as the
 *     operation may
 */
public record WriteConcern(W w, boolean journal, Duration timeout) {

  /** Who must have a write. */
  public sealed interface W {
    /** That many data-bearing members, this one included; 0 asks for no acknowledgement at all. */
    record Members(int count) implements W {}

    /** A majority of the voting data-bearing members. */
    record Majority() implements W {}

    /** A mode named in {@code settings.getLastErrorModes}. */
    record Mode(String name) implements W {}
  }

  /** The server's default where a command has none: majority, as MongoDB since 5.0. */
  public static final WriteConcern MAJORITY =
      new WriteConcern(new W.Majority(), false, Duration.ZERO);

  public static final WriteConcern ONE = new WriteConcern(new W.Members(1), false, Duration.ZERO);

  /** Whether the client waits for an answer at all. */
  public boolean acknowledged() {
    return !(w instanceof W.Members members && members.count() == 0);
  }

  /**
   * Reads a command's {@code writeConcern}; absent means {@code otherwise}.
   *
   * @throws io.fairlead.engine.error.EngineException 9 FailedToParse for an unknown field or a
   *     wrong type, 2 BadValue for a number out of range
   */
  public static WriteConcern parse(@Nullable BsonDocument document, WriteConcern otherwise) {
    return WriteConcernParser.parse(document, otherwise);
  }

  /** The form in replies ({@code errInfo.writeConcern}). */
  public BsonDocument toDocument() {
    BsonDocument document = new BsonDocument();
    switch (w) {
      case W.Members members -> document.append("w", new BsonInt32(members.count()));
      case W.Majority majority -> document.append("w", new BsonString("majority"));
      case W.Mode mode -> document.append("w", new BsonString(mode.name()));
    }
    if (journal) {
      document.append("j", BsonBoolean.TRUE);
    }
    return document.append("wtimeout", new BsonInt32(Math.toIntExact(timeout.toMillis())));
  }
}
