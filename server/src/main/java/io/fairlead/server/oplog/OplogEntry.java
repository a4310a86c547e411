// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.oplog;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.value.Values;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.retryable.StatementOutcome;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the log, read in place.
 *
 * @param document in MongoDB's format: {@code {lsid?, txnNumber?, op, ns, ui?, o, o2?, stmtId?, ts,
 *     t, v: 2, wall, prevOpTime?}}
 */
public record OplogEntry(RawBsonDocument document) {

  public OpTime opTime() {
    return new OpTime(timestamp(), get("t").asInt64().getValue());
  }

  public BsonTimestamp timestamp() {
    return get("ts").asTimestamp();
  }

  /** {@code i}, {@code u}, {@code d}, {@code c} for a command, {@code n} for a note. */
  public String operation() {
    return get("op").asString().getValue();
  }

  /** Whether it changes nothing: it opens a term, or keeps an image. */
  public boolean isNote() {
    return operation().equals("n");
  }

  public Namespace namespace() {
    return Namespace.parse(get("ns").asString().getValue());
  }

  /** Whether it is all that a multi-document transaction wrote. */
  public boolean isTransaction() {
    return operation().equals("c") && object().containsKey("applyOps");
  }

  /** The collection's identity; null for commands on a database and for notes. */
  public @Nullable UUID collection() {
    BsonValue uuid = Values.field(document, "ui");
    return uuid == null ? null : uuid.asBinary().asUuid();
  }

  /**
   * The document inserted, the document after an update, the {@code _id} deleted, the command, or
   * the note.
   */
  public BsonDocument object() {
    return get("o").asDocument();
  }

  public long wallMillis() {
    return get("wall").asDateTime().getValue();
  }

  /** The session in its stored form; null for an entry of no retryable write. */
  public @Nullable BsonDocument lsid() {
    BsonValue lsid = Values.field(document, "lsid");
    return lsid == null ? null : lsid.asDocument();
  }

  public long txnNumber() {
    return get("txnNumber").asInt64().getValue();
  }

  public int statement() {
    return get("stmtId").asInt32().getValue();
  }

  /**
   * The timestamp of the note that keeps the image a {@code findAndModify} answers with; null when
   * there is none.
   */
  public @Nullable Long imageTimestamp() {
    BsonValue image = Values.field(document, "preImageOpTime");
    if (image == null) {
      image = Values.field(document, "postImageOpTime");
    }
    return image == null ? null : OpTime.parse(image).timestamp().getValue();
  }

  /** What the statement behind this entry did. */
  public StatementOutcome outcome(@Nullable BsonDocument image) {
    return switch (operation()) {
      case "i" -> new StatementOutcome(StatementOutcome.Kind.INSERT, object().get("_id"), image);
      case "u" -> new StatementOutcome(StatementOutcome.Kind.UPDATE, null, image);
      case "d" -> new StatementOutcome(StatementOutcome.Kind.DELETE, null, image);
      default -> throw new IllegalStateException("no statement: " + document);
    };
  }

  /** A field that every entry of its kind has. */
  private BsonValue get(String field) {
    BsonValue value = Values.field(document, field);
    if (value == null) {
      throw new IllegalStateException("a log entry without " + field + ": " + document);
    }
    return value;
  }
}
