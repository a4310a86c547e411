// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import java.time.Duration;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The arguments that any command may carry, parsed once on arrival.
 *
 * @param database {@code $db}
 * @param sessionId {@code lsid.id}, or null without a session
 * @param lsid the whole {@code lsid} document, or null
 * @param txnNumber numbers the retryable write or the transaction within its session, or null
 * @param transaction what a statement of a multi-document transaction says of it, or null
 * @param readPreference {@code $readPreference} as it came, or null
 * @param readConcern {@code readConcern} as it came, or null
 * @param writeConcern {@code writeConcern} as it came, or null
 * @param maxTime how long the command may take, or null for no limit
 * @param clusterTime {@code $clusterTime.clusterTime}, or null
 * @param comment shown with the running operation and in logs, or null
 * @param api what {@code apiVersion} and its kin ask
 * @param shardVersion {@code shardVersion} as a router stamped it, or null
 * @param databaseVersion {@code databaseVersion} as a router stamped it, or null
 */
public record GenericArguments(
    String database,
    @Nullable BsonBinary sessionId,
    @Nullable BsonDocument lsid,
    @Nullable Long txnNumber,
    @Nullable TransactionStep transaction,
    @Nullable BsonDocument readPreference,
    @Nullable BsonDocument readConcern,
    @Nullable BsonDocument writeConcern,
    @Nullable Duration maxTime,
    @Nullable BsonTimestamp clusterTime,
    @Nullable BsonValue comment,
    Api api,
    @Nullable BsonDocument shardVersion,
    @Nullable BsonDocument databaseVersion) {

  /** The stable API as a command asks for it. */
  public record Api(@Nullable String version, boolean strict, boolean deprecationErrors) {
    static final Api NONE = new Api(null, false, false);
  }

  /**
   * A statement of a multi-document transaction: {@code autocommit: false}.
   *
   * @param starts whether it is the first
   */
  public record TransactionStep(boolean starts) {}

  private static final Set<String> NAMES =
      Set.of(
          "lsid",
          "txnNumber",
          "autocommit",
          "startTransaction",
          "stmtId",
          "readConcern",
          "writeConcern",
          "maxTimeMS",
          "maxTimeMSOpOnly",
          "comment",
          "apiVersion",
          "apiStrict",
          "apiDeprecationErrors",
          "shardVersion",
          "databaseVersion",
          "clientOperationKey",
          "mayBypassWriteBlocking",
          "rawData",
          "help");

  /** Whether a field of a command is a generic argument rather than one of its own. */
  public static boolean isGeneric(String field) {
    return field.startsWith("$") || NAMES.contains(field);
  }

  /** Reads the generic arguments of a command. */
  static GenericArguments parse(BsonDocument body) {
    String database = null;
    BsonDocument lsid = null;
    Long txnNumber = null;
    BsonDocument readPreference = null;
    BsonDocument readConcern = null;
    BsonDocument writeConcern = null;
    Duration maxTime = null;
    BsonTimestamp clusterTime = null;
    BsonValue comment = null;
    String apiVersion = null;
    boolean apiStrict = false;
    boolean apiDeprecationErrors = false;
    BsonDocument shardVersion = null;
    BsonDocument databaseVersion = null;
    BsonValue autocommit = null;
    BsonValue startTransaction = null;

    boolean first = true;
    for (var field : body.entrySet()) {
      if (first) { // the command's own name may be that of an argument
        first = false;
        continue;
      }
      String name = field.getKey();
      BsonValue value = field.getValue();
      switch (name) {
        case "$db" -> database = Arguments.string(name, value);
        case "lsid" -> lsid = ShallowDocument.of(Arguments.document(name, value));
        case "txnNumber" -> txnNumber = Arguments.exactLong(name, value);
        case "$readPreference" -> readPreference = Arguments.document(name, value);
        case "readConcern" -> readConcern = Arguments.document(name, value);
        case "writeConcern" -> writeConcern = Arguments.document(name, value);
        case "maxTimeMS" -> maxTime = maxTime(value);
        case "$clusterTime" -> clusterTime = clusterTime(Arguments.document(name, value));
        case "comment" -> comment = value;
        case "apiVersion" -> apiVersion = Arguments.string(name, value);
        case "apiStrict" -> apiStrict = Arguments.bool(name, value);
        case "apiDeprecationErrors" -> apiDeprecationErrors = Arguments.bool(name, value);
        case "shardVersion" -> shardVersion = Arguments.document(name, value);
        case "databaseVersion" -> databaseVersion = Arguments.document(name, value);
        case "autocommit" -> autocommit = value;
        case "startTransaction" -> startTransaction = value;
        default -> {}
      }
    }
    if (database == null) {
      throw Failures.of(40571, "OP_MSG requests require a $db argument");
    }
    requireValidDatabase(database);
    BsonBinary sessionId = lsid == null ? null : sessionId(lsid);
    if (txnNumber != null && sessionId == null) {
      throw Failures.of(72, "Transaction number requires a session ID to also be specified");
    }
    if (txnNumber != null && txnNumber < 0) {
      throw Failures.of(72, "Transaction number cannot be negative");
    }
    TransactionStep transaction = transactionStep(txnNumber, autocommit, startTransaction);
    if (apiVersion == null && (apiStrict || apiDeprecationErrors)) {
      throw Failures.of(
          4886600, "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
    }
    if (apiVersion != null && !apiVersion.equals("1")) {
      throw Failures.of(322, "API version must be \"1\"");
    }
    Api api = apiVersion == null ? Api.NONE : new Api(apiVersion, apiStrict, apiDeprecationErrors);
    return new GenericArguments(
        database,
        sessionId,
        lsid,
        txnNumber,
        transaction,
        readPreference,
        readConcern,
        writeConcern,
        maxTime,
        clusterTime,
        comment,
        api,
        shardVersion,
        databaseVersion);
  }

  private static @Nullable TransactionStep transactionStep(
      @Nullable Long txnNumber,
      @Nullable BsonValue autocommit,
      @Nullable BsonValue startTransaction) {
    if (autocommit == null) {
      if (startTransaction != null) {
        throw Failures.of(
            72, "'startTransaction' field requires 'autocommit' field to also be specified");
      }
      return null;
    }
    if (txnNumber == null) {
      throw Failures.of(
          72, "'autocommit' field requires a transaction number to also be specified");
    }
    if (Arguments.bool("autocommit", autocommit)) {
      throw Failures.of(72, "Specifying autocommit=true is not allowed.");
    }
    if (startTransaction != null && !Arguments.bool("startTransaction", startTransaction)) {
      throw Failures.of(72, "Specifying startTransaction=false is not allowed.");
    }
    return new TransactionStep(startTransaction != null);
  }

  private static void requireValidDatabase(String database) {
    if (database.isEmpty() || database.length() > 63 || hasForbidden(database)) {
      throw Failures.of(73, "Invalid database name: '" + database + "'");
    }
  }

  private static boolean hasForbidden(String database) {
    if (database.equals("$external")) {
      return false;
    }
    for (int i = 0; i < database.length(); i++) {
      if ("/\\. \"$\0".indexOf(database.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static Duration maxTime(BsonValue value) {
    long millis = Arguments.integer("maxTimeMS", value);
    if (millis < 0 || millis > Integer.MAX_VALUE) {
      throw Failures.of(2, millis + " value for maxTimeMS is out of range [0, 2147483647]");
    }
    return Duration.ofMillis(millis);
  }

  private static @Nullable BsonTimestamp clusterTime(BsonDocument gossip) {
    BsonValue time = gossip.get("clusterTime");
    if (time == null) {
      return null;
    }
    if (!time.isTimestamp()) {
      throw Failures.wrongType("$clusterTime.clusterTime", time, "timestamp");
    }
    return time.asTimestamp();
  }

  private static BsonBinary sessionId(BsonDocument lsid) {
    BsonValue id = lsid.get("id");
    if (id == null) {
      throw Failures.of(
          40414, "BSON field 'OperationSessionInfo.lsid.id' is missing but a required field");
    }
    if (!id.isBinary() || id.asBinary().getType() != 4 || id.asBinary().getData().length != 16) {
      throw Failures.wrongType("OperationSessionInfo.lsid.id", id, "binData (UUID)");
    }
    return id.asBinary();
  }

  /** {@link #maxTime} where it limits anything: zero means no limit. */
  public @Nullable Duration timeLimit() {
    return maxTime == null || maxTime.isZero() ? null : maxTime;
  }
}
