// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.shard;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoTimeoutException;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.topology.readpreference.InvalidReadPreferenceException;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * An error as the reply that tells it. A shard's own error is passed on as it came, with two
 * exceptions that MongoDB's routers make too: what says that a <em>shard's member</em> is not
 * primary or shutting down would make the client think so of the router, so it becomes
 * HostUnreachable; and retryable writes are labelled here.
 */
public final class ReplyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final int HOST_UNREACHABLE = 6;
  private static final int NETWORK_TIMEOUT = 89;
  private static final int FAILED_TO_SATISFY_READ_PREFERENCE = 133;
  private static final Set<Integer> STATE_CHANGES =
      Set.of(91, 189, 10058, 10107, 11600, 11602, 13435, 13436);
  private static final Set<Integer> STALE = Set.of(13388, 249);
  private static final Set<Integer> RETRYABLE_WRITE =
      Set.of(6, 7, 89, 91, 133, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);
  private static final String LABEL = "RetryableWriteError";

  private final transient BsonDocument reply;
  private final int code;

  private ReplyException(BsonDocument reply, int code, Throwable cause) {
    super(reply.getString("errmsg", new BsonString("")).getValue(), cause, false, false);
    this.reply = reply;
    this.code = code;
  }

  /** The error reply: {@code ok: 0}. */
  public BsonDocument reply() {
    return reply;
  }

  public int code() {
    return code;
  }

  /** Whether a shard refused the version that the command was routed by, without having run it. */
  public boolean isStale() {
    return STALE.contains(code);
  }

  /**
   * Whether a shard's member refused a command because it is not primary, without having run it.
   */
  static boolean refusedByNonPrimary(MongoException error) {
    return error.getCode() == 10107 || error.getCode() == 13435;
  }

  /** What a failed command to a shard means to the client. */
  public static ReplyException of(RuntimeException error, String shard) {
    return switch (error) {
      case ReplyException told -> told;
      case EngineException own -> of(own);
      case InvalidReadPreferenceException invalid ->
          new ReplyException(
              reply(invalid.code(), invalid.codeName(), String.valueOf(invalid.getMessage())),
              invalid.code(),
              invalid);
      case MongoExecutionTimeoutException late ->
          of(ErrorCodes.MAX_TIME_MS_EXPIRED, "operation exceeded time limit", late);
      case MongoCommandException answered -> ofReply(answered, shard);
      case MongoSocketReadTimeoutException late ->
          of(
              NETWORK_TIMEOUT,
              "shard " + shard + " did not answer in time: " + late.getMessage(),
              late);
      case MongoSocketException broken ->
          of(
              HOST_UNREACHABLE,
              "shard " + shard + " cannot be reached: " + broken.getMessage(),
              broken);
      case MongoTimeoutException none ->
          of(
              FAILED_TO_SATISFY_READ_PREFERENCE,
              "no suitable member of shard " + shard + ": " + none.getMessage(),
              none);
      case MongoInterruptedException stopped -> of(11601, "operation was interrupted", stopped);
      case MongoException other ->
          of(HOST_UNREACHABLE, "shard " + shard + ": " + other.getMessage(), other);
      default -> throw error;
    };
  }

  /**
   * No member was found within the operation's own {@code maxTimeMS}: 50, and what was looked for.
   */
  static ReplyException timeIsUp(MongoTimeoutException none, String shard) {
    return of(
        ErrorCodes.MAX_TIME_MS_EXPIRED,
        "operation exceeded time limit: no suitable member of shard "
            + shard
            + ": "
            + none.getMessage(),
        none);
  }

  public static ReplyException of(EngineException error) {
    BsonDocument reply = reply(error.code(), error.codeName(), error.message());
    error.details().forEach(reply::append);
    if (!error.labels().isEmpty()) {
      reply.append("errorLabels", labels(error.labels()));
    }
    return new ReplyException(reply, error.code(), error);
  }

  private static ReplyException of(int code, String message, Throwable cause) {
    return new ReplyException(reply(code, ErrorCodes.nameOf(code), message), code, cause);
  }

  private static ReplyException ofReply(MongoCommandException answered, String shard) {
    BsonDocument theirs = answered.getResponse();
    int code = answered.getErrorCode();
    if (STATE_CHANGES.contains(code)) {
      ReplyException rewritten =
          of(
              HOST_UNREACHABLE,
              "shard " + shard + " has no primary that answers: " + answered.getErrorMessage(),
              answered);
      if (theirs.get("errorLabels") instanceof BsonArray labels) {
        rewritten.reply.append("errorLabels", labels);
      }
      return rewritten;
    }
    BsonDocument copy = new BsonDocument();
    theirs.forEach(copy::append);
    return new ReplyException(copy, code, answered);
  }

  private static BsonDocument reply(int code, String codeName, String message) {
    return new BsonDocument("ok", new BsonDouble(0))
        .append("errmsg", new BsonString(message))
        .append("code", new BsonInt32(code))
        .append("codeName", new BsonString(codeName));
  }

  /** Whether a write that failed so may be sent again by a client that can do that. */
  public boolean isRetryableWriteError() {
    return RETRYABLE_WRITE.contains(code)
        || (reply.get("errorLabels") instanceof BsonArray labels
            && labels.contains(new BsonString(LABEL)));
  }

  /**
   * The same, labelled as a retryable write error where its code is one and the client can send the
   * write again.
   */
  public ReplyException labelled(boolean retryableWrite) {
    if (!retryableWrite || !RETRYABLE_WRITE.contains(code)) {
      return this;
    }
    Set<String> labels = new TreeSet<>(Set.of(LABEL));
    if (reply.get("errorLabels") instanceof BsonArray given) {
      for (BsonValue label : given) {
        labels.add(label.asString().getValue());
      }
    }
    reply.put("errorLabels", labels(labels));
    return this;
  }

  private static BsonArray labels(Set<String> names) {
    BsonArray array = new BsonArray();
    names.forEach(name -> array.add(new BsonString(name)));
    return array;
  }
}
