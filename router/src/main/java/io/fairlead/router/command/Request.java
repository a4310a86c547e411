// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.bytes.Elements;
import io.fairlead.router.bytes.Splice;
import io.fairlead.topology.readpreference.Mode;
import io.fairlead.topology.readpreference.ReadPreference;
import io.fairlead.wire.listener.Replies;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client, read as far as routing needs it. Used by its connection's thread, its
 * times also by the threads that ask several shards.
 */
final class Request {

  /** What a shard gets from the router and never from a client. */
  private static final Set<String> OURS =
      Set.of("$readPreference", "shardVersion", "databaseVersion", "$queryOptions");

  private static final Set<String> GENERIC =
      Set.of(
          "lsid",
          "txnNumber",
          "comment",
          "maxTimeMS",
          "readConcern",
          "writeConcern",
          "apiVersion",
          "apiStrict",
          "apiDeprecationErrors");

  private final Message message;
  private final RawBsonDocument body;
  private final String name;
  private final String database;
  private final ClientState client;
  private final Replies replies;
  private final Instant now;
  private final ClusterTimes times = new ClusterTimes();

  Request(Message message, ClientState client, Replies replies, Instant now) {
    this.message = message;
    this.body = Splice.raw(message.body());
    this.client = client;
    this.replies = replies;
    this.now = now;
    Elements elements = Elements.of(body);
    this.name = elements.next() ? elements.name() : "";
    this.database = body.get("$db") instanceof BsonString db ? db.getValue() : "";
  }

  String name() {
    return name;
  }

  String database() {
    return database;
  }

  RawBsonDocument body() {
    return body;
  }

  Message message() {
    return message;
  }

  ClientState client() {
    return client;
  }

  Replies replies() {
    return replies;
  }

  Instant now() {
    return now;
  }

  /** The greatest times that shards have answered with. */
  ClusterTimes times() {
    return times;
  }

  @Nullable BsonValue get(String field) {
    return body.get(field);
  }

  boolean has(String field) {
    return body.containsKey(field);
  }

  /**
   * The collection that is the command's own value.
   *
   * @throws EngineException 73 when it is not one
   */
  String collection() {
    BsonValue value = get(name);
    if (value instanceof BsonString text
        && !text.getValue().isEmpty()
        && text.getValue().indexOf('\0') < 0) {
      return text.getValue();
    }
    throw new EngineException(
        73,
        "collection name has invalid type or is empty: "
            + (value == null ? "missing" : value.getBsonType()));
  }

  String namespace() {
    return database + "." + collection();
  }

  /** The whole number of a field, or a default. */
  long number(String field, long otherwise) {
    BsonValue value = get(field);
    if (value == null || value.isNull()) {
      return otherwise;
    }
    if (!value.isNumber()) {
      throw new EngineException(
          14,
          "BSON field '"
              + name
              + "."
              + field
              + "' is the wrong type '"
              + value.getBsonType()
              + "', expected a number");
    }
    return value.asNumber().longValue();
  }

  boolean flag(String field) {
    BsonValue value = get(field);
    if (value == null) {
      return false;
    }
    if (value.isNumber()) {
      return value.asNumber().doubleValue() != 0;
    }
    if (!value.isBoolean()) {
      throw new EngineException(
          14,
          "BSON field '"
              + name
              + "."
              + field
              + "' is the wrong type '"
              + value.getBsonType()
              + "', expected 'bool'");
    }
    return value.asBoolean().getValue();
  }

  /**
   * Refuses fields that nobody here would honour.
   *
   * @throws EngineException 40415 for the first of them
   */
  void requireOnly(String... own) {
    Set<String> known = Set.of(own);
    for (String field : body.keySet()) {
      if (!known.contains(field)
          && !GENERIC.contains(field)
          && !field.startsWith("$")
          && !field.equals(name)) {
        throw new EngineException(
            40415, "BSON field '" + name + "." + field + "' is an unknown field.");
      }
    }
  }

  BsonDocument document(String field) {
    BsonValue value = get(field);
    if (value == null) {
      return new BsonDocument();
    }
    if (!value.isDocument()) {
      throw new EngineException(
          14,
          "BSON field '"
              + name
              + "."
              + field
              + "' is the wrong type '"
              + value.getBsonType()
              + "', expected 'object'");
    }
    return value.asDocument();
  }

  String text(String field) {
    if (get(field) instanceof BsonString text) {
      return text.getValue();
    }
    throw new EngineException(
        14, "BSON field '" + name + "." + field + "' is missing or not a string");
  }

  /** The documents of an array field, from the body or from beside it. */
  List<RawBsonDocument> documents(String field) {
    for (DocumentSequence sequence : message.sequences()) {
      if (sequence.identifier().equals(field)) {
        return sequence.documents();
      }
    }
    Elements elements = Elements.of(body);
    List<RawBsonDocument> found = new ArrayList<>();
    if (!elements.find(field) || elements.type() != Elements.ARRAY) {
      throw new EngineException(
          40414, "BSON field '" + name + "." + field + "' is missing but a required field");
    }
    Elements inside = elements.inside();
    while (inside.next()) {
      if (inside.type() != Elements.DOCUMENT) {
        throw new EngineException(
            14, "BSON field '" + name + "." + field + "' must be an array of objects");
      }
      found.add(inside.document());
    }
    return found;
  }

  /**
   * Whether the client may send this very write again, as its session and transaction number say.
   */
  boolean isRetryableWrite() {
    return has("txnNumber");
  }

  /**
   * The statement ids that the client gives the statements of a write: its own, or counted up.
   *
   * @throws EngineException 72 when it gives another number of them than there are statements
   */
  long[] statementIds(int count) {
    BsonArray given = get("stmtIds") instanceof BsonArray ids ? ids : null;
    if (given != null && given.size() != count) {
      throw new EngineException(
          72, "Number of statement ids must match the number of batch entries");
    }
    long first = number("stmtId", 0);
    long[] ids = new long[count];
    for (int i = 0; i < count; i++) {
      ids[i] = given != null && given.get(i) instanceof BsonNumber id ? id.longValue() : first + i;
    }
    return ids;
  }

  /** A command that is made here on behalf of this one, for the commands of this router. */
  Request madeOf(Message command) {
    return new Request(command, client, replies, now);
  }

  /** Whether strings are compared otherwise than byte by byte. */
  boolean isCollated() {
    return get("collation") instanceof BsonDocument collation
        && !(collation.get("locale") instanceof BsonString locale
            && locale.getValue().equals("simple"));
  }

  /**
   * What is merged or compared here is compared byte by byte.
   *
   * @throws EngineException 115 when the client wants it otherwise
   */
  void requireSimpleCollation(String what) {
    if (isCollated()) {
      throw new EngineException(
          115, what + " over several shards with a collation is not supported yet");
    }
  }

  /** The caller's own read preference, primary when there is none. */
  ReadPreference readPreference() {
    BsonValue value = get("$readPreference");
    if (value == null) {
      return ReadPreference.PRIMARY;
    }
    if (!value.isDocument()) {
      throw new EngineException(14, "$readPreference must be an object");
    }
    return ReadPreference.parse(value.asDocument());
  }

  /** The client's {@code maxTimeMS}; null when it set none. */
  @Nullable Duration timeLimit() {
    BsonValue limit = get("maxTimeMS");
    return limit instanceof BsonNumber millis && millis.longValue() > 0
        ? Duration.ofMillis(millis.longValue())
        : null;
  }

  boolean isPrimaryRead() {
    return readPreference().mode() == Mode.PRIMARY;
  }

  /**
   * The command as a shard gets it: without what is the router's business, and with what it adds.
   */
  RawBsonDocument forwarded(BsonDocument extra, String... without) {
    Set<String> left = new HashSet<>(OURS);
    left.addAll(List.of(without));
    return Splice.of(body, left, extra);
  }

  /**
   * The fields that belong to the client rather than to the command, for commands that are made
   * here on its behalf.
   */
  BsonDocument generic() {
    BsonDocument generic = new BsonDocument();
    for (String field :
        List.of(
            "lsid",
            "$clusterTime",
            "apiVersion",
            "apiStrict",
            "apiDeprecationErrors",
            "comment",
            "maxTimeMS",
            "readConcern")) {
      BsonValue value = get(field);
      if (value != null) {
        generic.append(field, value);
      }
    }
    return generic;
  }

  /**
   * A session for cursors of a client without one: a cursor's commands must all come in the same
   * session. Empty when the client has its own.
   */
  BsonDocument sessionIfNone() {
    return has("lsid")
        ? new BsonDocument()
        : new BsonDocument("lsid", new BsonDocument("id", new BsonBinary(UUID.randomUUID())));
  }

  /** What expressions and filters are evaluated with here. */
  OperationContext context() {
    return OperationContext.at(now);
  }

  /** A number as MongoDB tells counts: 32 bits where they suffice. */
  static BsonNumber number(long value) {
    return value == (int) value ? new BsonInt32((int) value) : new BsonInt64(value);
  }

  static BsonInt64 int64(long value) {
    return new BsonInt64(value);
  }
}
