// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.retryable;

import io.fairlead.engine.value.Values;
import io.fairlead.server.replication.protocol.OpTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One session's latest retryable write and what its statements did: a document of {@code
 * config.transactions}. Immutable.
 *
 * <pre>
 *   {_id: lsid, txnNum, lastWriteOpTime, lastWriteDate,
 *    state?: "committed", statements: [ {s: first, e: last, op: "i" | "u" | "d", id?, image?}, … ]}
 * </pre>
 *
 * Neighbouring statements that did the same, without an id or image of their own, share one
 * element.
 *
 * @param lsid in its stored form
 * @param txnNumber of the latest write; older ones are forgotten
 * @param lastWrite its last log entry
 * @param lastWriteMillis when, in milliseconds since 1970
 * @param runs what its statements did
 * @param committed whether it is a multi-document transaction, which is recorded when it is
 *     committed
 */
public record SessionRecord(
    BsonDocument lsid,
    long txnNumber,
    OpTime lastWrite,
    long lastWriteMillis,
    List<Run> runs,
    boolean committed) {

  /** Statements {@code from} to {@code to}, which did the same. */
  public record Run(int from, int to, StatementOutcome outcome) {
    private boolean continuedBy(int statement, StatementOutcome other) {
      return to + 1 == statement
          && outcome.kind() == other.kind()
          && outcome.upsertedId() == null
          && outcome.image() == null
          && other.upsertedId() == null
          && other.image() == null;
    }
  }

  public SessionRecord {
    runs = List.copyOf(runs);
  }

  /** What that statement did; empty when it has not been executed. */
  public Optional<StatementOutcome> outcome(int statement) {
    return runs.stream()
        .filter(run -> run.from() <= statement && statement <= run.to())
        .map(Run::outcome)
        .findFirst();
  }

  /** Gathers what the entries of one commit or batch did in one session. */
  public static final class Builder {
    private final BsonDocument lsid;
    private final List<Run> runs = new ArrayList<>();
    private long txnNumber = -1;
    private OpTime lastWrite = OpTime.NONE;
    private long lastWriteMillis;
    private boolean committed;

    /** Goes on from {@code before}, or begins with nothing. */
    public Builder(BsonDocument lsid, @Nullable SessionRecord before) {
      this.lsid = lsid;
      if (before != null) {
        txnNumber = before.txnNumber;
        lastWrite = before.lastWrite;
        lastWriteMillis = before.lastWriteMillis;
        runs.addAll(before.runs);
        committed = before.committed;
      }
    }

    public long txnNumber() {
      return txnNumber;
    }

    public OpTime lastWrite() {
      return lastWrite;
    }

    /** Whether that statement of the present write has an outcome already. */
    public boolean contains(int statement) {
      return runs.stream().anyMatch(run -> run.from() <= statement && statement <= run.to());
    }

    /**
     * Begins the write of that number, and forgets the one before, unless it is this one already.
     */
    public void begin(long number) {
      if (number != txnNumber) {
        txnNumber = number;
        runs.clear();
        committed = false;
        lastWrite = OpTime.NONE;
      }
    }

    /** Adds what one statement did. */
    public void add(int statement, StatementOutcome outcome, OpTime opTime, long millis) {
      Run last = runs.isEmpty() ? null : runs.getLast();
      if (last != null && last.continuedBy(statement, outcome)) {
        runs.set(runs.size() - 1, new Run(last.from(), statement, outcome));
      } else {
        runs.add(new Run(statement, statement, outcome));
      }
      lastWrite = opTime;
      lastWriteMillis = millis;
    }

    /** The transaction of the present number was committed. */
    public void commit(OpTime opTime, long millis) {
      committed = true;
      lastWrite = opTime;
      lastWriteMillis = millis;
    }

    public SessionRecord build() {
      return new SessionRecord(lsid, txnNumber, lastWrite, lastWriteMillis, runs, committed);
    }
  }

  BsonDocument toDocument() {
    BsonArray statements = new BsonArray();
    for (Run run : runs) {
      StatementOutcome outcome = run.outcome();
      BsonDocument element =
          new BsonDocument("s", new BsonInt32(run.from()))
              .append("e", new BsonInt32(run.to()))
              .append("op", new BsonString(letter(outcome.kind())));
      if (outcome.upsertedId() != null) {
        element.append("id", outcome.upsertedId());
      }
      if (outcome.image() != null) {
        element.append("image", outcome.image());
      }
      statements.add(element);
    }
    BsonDocument document =
        new BsonDocument("_id", lsid)
            .append("txnNum", new BsonInt64(txnNumber))
            .append("lastWriteOpTime", lastWrite.toDocument())
            .append("lastWriteDate", new BsonDateTime(lastWriteMillis));
    if (committed) {
      document.append("state", new BsonString("committed"));
    }
    return document.append("statements", statements);
  }

  /** The number of the write that a stored record is of, read in place. */
  static long txnNumber(RawBsonDocument document) {
    return Values.field(document, "txnNum") instanceof BsonInt64 number ? number.getValue() : -1;
  }

  static SessionRecord parse(BsonDocument document) {
    List<Run> runs = new ArrayList<>();
    for (BsonValue value : document.getArray("statements")) {
      BsonDocument element = value.asDocument();
      BsonValue image = element.get("image");
      runs.add(
          new Run(
              element.getInt32("s").getValue(),
              element.getInt32("e").getValue(),
              new StatementOutcome(
                  kind(element.getString("op").getValue()),
                  element.get("id"),
                  image == null ? null : image.asDocument())));
    }
    return new SessionRecord(
        document.getDocument("_id"),
        document.getInt64("txnNum").getValue(),
        OpTime.parse(document.getDocument("lastWriteOpTime")),
        document.getDateTime("lastWriteDate").getValue(),
        runs,
        document.containsKey("state"));
  }

  private static String letter(StatementOutcome.Kind kind) {
    return switch (kind) {
      case INSERT -> "i";
      case UPDATE -> "u";
      case DELETE -> "d";
    };
  }

  private static StatementOutcome.Kind kind(String letter) {
    return switch (letter) {
      case "i" -> StatementOutcome.Kind.INSERT;
      case "u" -> StatementOutcome.Kind.UPDATE;
      case "d" -> StatementOutcome.Kind.DELETE;
      default -> throw new IllegalArgumentException("no kind of statement: " + letter);
    };
  }
}
