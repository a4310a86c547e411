// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonValue;

/**
 * What became of the operations of a {@code bulkWrite}: counts of all, and a document for each that
 * failed and, unless only errors are asked for, for each that went well. Used by the request's
 * thread.
 */
final class BulkWriteResults {

  private final boolean errorsOnly;
  private final TreeMap<Integer, BsonDocument> each = new TreeMap<>();
  private BsonDocument writeConcernError = new BsonDocument();
  private final BsonArray labels = new BsonArray();
  private int errors;
  private long inserted;
  private long matched;
  private long modified;
  private long upserted;
  private long deleted;

  BulkWriteResults(boolean errorsOnly) {
    this.errorsOnly = errorsOnly;
  }

  boolean hasErrors() {
    return errors > 0;
  }

  /** Each operation that went well or failed, in the order of the request. */
  List<BsonDocument> each() {
    return List.copyOf(each.values());
  }

  /**
   * Takes in the reply to a write command.
   *
   * @param indexes of its statements among the operations; a single one unless it inserts or only
   *     errors are asked for, as a reply tells nothing about one of several
   */
  void add(WriteCommand.Kind kind, List<Integer> indexes, BsonDocument reply, boolean ordered) {
    Map<Integer, BsonDocument> failed = failed(indexes, reply);
    long n = number(reply, "n");
    BsonArray upserts = array(reply, "upserted");
    switch (kind) {
      case INSERT -> inserted += n;
      case DELETE -> deleted += n;
      case UPDATE -> {
        matched += n - upserts.size();
        modified += number(reply, "nModified");
        upserted += upserts.size();
      }
    }
    if (!errorsOnly) {
      for (int index : indexes) {
        if (failed.containsKey(index)) {
          if (ordered) {
            break;
          }
        } else {
          each.put(index, success(kind, index, reply, upserts));
        }
      }
    }
    failed.forEach(this::fail);
    if (reply.get("writeConcernError") instanceof BsonDocument error
        && writeConcernError.isEmpty()) {
      writeConcernError = error;
    }
    for (BsonValue label : array(reply, "errorLabels")) {
      if (!labels.contains(label)) {
        labels.add(label);
      }
    }
  }

  private static Map<Integer, BsonDocument> failed(List<Integer> indexes, BsonDocument reply) {
    Map<Integer, BsonDocument> failed = new TreeMap<>();
    for (BsonValue error : array(reply, "writeErrors")) {
      BsonDocument own = error.asDocument();
      failed.put(indexes.get((int) number(own, "index")), own);
    }
    return failed;
  }

  private static BsonDocument success(
      WriteCommand.Kind kind, int index, BsonDocument reply, BsonArray upserts) {
    boolean insert = kind == WriteCommand.Kind.INSERT;
    BsonDocument document =
        new BsonDocument("ok", new BsonDouble(1))
            .append("idx", new BsonInt32(index))
            .append("n", insert ? new BsonInt32(1) : Request.number(number(reply, "n")));
    if (kind == WriteCommand.Kind.UPDATE) {
      document.append("nModified", Request.number(number(reply, "nModified")));
      if (!upserts.isEmpty() && upserts.get(0) instanceof BsonDocument upsert) {
        document.append("upserted", new BsonDocument("_id", upsert.get("_id")));
      }
    }
    return document;
  }

  /** Takes in an operation's error: its code, message and what else it says. */
  void fail(int index, BsonDocument error) {
    BsonDocument document =
        new BsonDocument("ok", new BsonDouble(0)).append("idx", new BsonInt32(index));
    error.forEach(
        (field, value) -> {
          if (!field.equals("index") && !field.equals("ok") && !field.equals("codeName")) {
            document.append(field, value);
          }
        });
    each.put(index, document.append("n", new BsonInt32(0)));
    errors++;
  }

  /** Puts the counts behind the cursor of a reply. */
  BsonDocument addTo(BsonDocument reply) {
    reply
        .append("nErrors", new BsonInt32(errors))
        .append("nInserted", Request.number(inserted))
        .append("nMatched", Request.number(matched))
        .append("nModified", Request.number(modified))
        .append("nUpserted", Request.number(upserted))
        .append("nDeleted", Request.number(deleted));
    if (!writeConcernError.isEmpty()) {
      reply.append("writeConcernError", writeConcernError);
    }
    return labels.isEmpty()
        ? reply
        : reply.append("errorLabels", new BsonArray(new ArrayList<>(labels)));
  }

  private static long number(BsonDocument reply, String field) {
    return reply.get(field) instanceof BsonNumber number ? number.longValue() : 0;
  }

  private static BsonArray array(BsonDocument reply, String field) {
    return reply.get(field) instanceof BsonArray array ? array : new BsonArray();
  }
}
