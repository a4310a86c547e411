// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * What a read may see.
 *
 * @param level the guarantee; {@link Level#LOCAL} where none is given
 * @param afterClusterTime the read waits until this member has reached that time; null for no wait
 * @param atClusterTime for {@link Level#SNAPSHOT}: read exactly there; null lets the server choose
 */
public record ReadConcern(
    Level level, @Nullable BsonTimestamp afterClusterTime, @Nullable BsonTimestamp atClusterTime) {

  /** The guarantees, by their names on the wire in lower case. */
  public enum Level {
    LOCAL,
    AVAILABLE,
    MAJORITY,
    LINEARIZABLE,
    SNAPSHOT;

    /** {@code local}, {@code majority} … */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ReadConcern LOCAL = new ReadConcern(Level.LOCAL, null, null);

  /**
   * Reads a command's {@code readConcern}; absent means {@link #LOCAL}.
   *
   * @throws io.fairlead.engine.error.EngineException 9 FailedToParse for an unknown field, level or
   *     a wrong type, 72 InvalidOptions for a combination MongoDB refuses
   */
  public static ReadConcern parse(@Nullable BsonDocument document) {
    return ReadConcernParser.parse(document);
  }
}
