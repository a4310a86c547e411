// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The replies of several shards to the parts of one write, as one reply: counts added up, indexes
 * those of the client's batch. Used by the request's thread.
 */
final class WriteResults {

  private final Map<Integer, BsonDocument> errors = new TreeMap<>();
  private final Map<Integer, BsonDocument> upserted = new TreeMap<>();
  private final TreeSet<Integer> retried = new TreeSet<>();
  private final TreeSet<String> labels = new TreeSet<>();
  private int n;
  private int modified;
  private BsonDocument writeConcernError = new BsonDocument();

  boolean hasErrors() {
    return !errors.isEmpty();
  }

  void fail(int index, int code, String codeName, String message) {
    BsonDocument error =
        new BsonDocument("index", new BsonInt32(index)).append("code", new BsonInt32(code));
    if (!codeName.isEmpty()) {
      error.append("codeName", new BsonString(codeName));
    }
    errors.putIfAbsent(index, error.append("errmsg", new BsonString(message)));
  }

  void add(BsonDocument reply, List<Integer> indexes, String shard) {
    n += number(reply, "n");
    modified += number(reply, "nModified");
    for (BsonValue error : array(reply, "writeErrors")) {
      int index = indexes.get(number(error.asDocument(), "index"));
      errors.putIfAbsent(index, withIndex(error.asDocument(), index));
    }
    for (BsonValue upsert : array(reply, "upserted")) {
      int index = indexes.get(number(upsert.asDocument(), "index"));
      upserted.putIfAbsent(index, withIndex(upsert.asDocument(), index));
    }
    for (BsonValue id : array(reply, "retriedStmtIds")) {
      retried.add(id.asNumber().intValue());
    }
    for (BsonValue label : array(reply, "errorLabels")) {
      labels.add(label.asString().getValue());
    }
    if (reply.get("writeConcernError") instanceof BsonDocument error
        && writeConcernError.isEmpty()) {
      writeConcernError = new BsonDocument();
      error.forEach(writeConcernError::append);
      writeConcernError.put(
          "errmsg",
          new BsonString(
              error.getString("errmsg", new BsonString("")).getValue() + " at " + shard));
    }
  }

  BsonDocument reply(WriteCommand.Kind kind) {
    BsonDocument reply = new BsonDocument("n", new BsonInt32(n));
    if (kind == WriteCommand.Kind.UPDATE) {
      reply.append("nModified", new BsonInt32(modified));
    }
    append(reply, "upserted", upserted);
    append(reply, "writeErrors", errors);
    if (!writeConcernError.isEmpty()) {
      reply.append("writeConcernError", writeConcernError);
    }
    if (!retried.isEmpty()) {
      BsonArray ids = new BsonArray();
      retried.forEach(id -> ids.add(new BsonInt32(id)));
      reply.append("retriedStmtIds", ids);
    }
    if (!labels.isEmpty()) {
      BsonArray names = new BsonArray();
      labels.forEach(label -> names.add(new BsonString(label)));
      reply.append("errorLabels", names);
    }
    return reply;
  }

  private static void append(BsonDocument reply, String field, Map<Integer, BsonDocument> byIndex) {
    if (!byIndex.isEmpty()) {
      reply.append(field, new BsonArray(List.copyOf(byIndex.values())));
    }
  }

  private static BsonDocument withIndex(BsonDocument entry, int index) {
    BsonDocument copy = new BsonDocument();
    entry.forEach(copy::append);
    copy.put("index", new BsonInt32(index));
    return copy;
  }

  private static int number(BsonDocument reply, String field) {
    BsonValue value = reply.get(field);
    return value != null && value.isNumber() ? value.asNumber().intValue() : 0;
  }

  private static BsonArray array(BsonDocument reply, String field) {
    return reply.get(field) instanceof BsonArray array ? array : new BsonArray();
  }
}
