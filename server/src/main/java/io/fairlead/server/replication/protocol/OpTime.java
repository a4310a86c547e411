// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

import io.fairlead.engine.value.Values;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * A position in the replicated log: a timestamp and the term of the primary that wrote it. Ordered
 * by term first, so that the log of a later primary is always newer, whatever the clocks said.
 *
 * @param timestamp seconds and increment, compared as one unsigned number
 * @param term the primary's term; -1 where no term was known
 */
public record OpTime(BsonTimestamp timestamp, long term) implements Comparable<OpTime> {

  /** Before every entry. */
  public static final OpTime NONE = new OpTime(new BsonTimestamp(0L), -1);

  /** The form in commands and status documents: {@code {ts: Timestamp, t: long}}. */
  public BsonDocument toDocument() {
    return new BsonDocument("ts", timestamp).append("t", new BsonInt64(term));
  }

  /** Reads {@link #toDocument()}; {@link #NONE} when the value is not of that form. */
  public static OpTime parse(BsonValue value) {
    if (!value.isDocument()) {
      return NONE;
    }
    BsonDocument document = value.asDocument();
    return Values.field(document, "ts") instanceof BsonTimestamp timestamp
            && Values.field(document, "t") instanceof BsonNumber term
        ? new OpTime(timestamp, term.longValue())
        : NONE;
  }

  public boolean isNone() {
    return timestamp.getValue() == 0;
  }

  public boolean isAtLeast(OpTime other) {
    return compareTo(other) >= 0;
  }

  @Override
  public int compareTo(OpTime other) {
    int byTerm = Long.compare(term, other.term);
    return byTerm != 0
        ? byTerm
        : Long.compareUnsigned(timestamp.getValue(), other.timestamp.getValue());
  }

  @Override
  public String toString() {
    return "(" + timestamp.getTime() + "," + timestamp.getInc() + ",t" + term + ")";
  }
}
