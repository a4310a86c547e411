// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.ServerAddress;
import io.fairlead.topology.retry.Failure;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Error replies, read: into the public driver's exceptions and into what the retry policy goes by.
 */
final class ReplyErrors {
  private static final Set<Integer> NOT_PRIMARY = Set.of(10107, 13435, 10058);
  private static final Set<Integer> RECOVERING = Set.of(11600, 11602, 13436, 189, 91);
  private static final int EXECUTION_TIMEOUT = 50;
  private static final int NO_CODE = -1;

  private ReplyErrors() {}

  /** The exception that the public driver throws for such a reply. */
  static MongoException exceptionOf(BsonDocument reply, ServerAddress server) {
    int code = codeOf(reply);
    String message = messageOf(reply);
    if (code == EXECUTION_TIMEOUT) {
      return new MongoExecutionTimeoutException(code, message, reply);
    }
    boolean recovering =
        code == NO_CODE
            ? message.contains("node is recovering") || message.contains("not master or secondary")
            : RECOVERING.contains(code);
    if (recovering) {
      return new MongoNodeIsRecoveringException(reply, server);
    }
    boolean notPrimary =
        code == NO_CODE ? message.contains("not master") : NOT_PRIMARY.contains(code);
    return notPrimary
        ? new MongoNotPrimaryException(reply, server)
        : new MongoCommandException(reply, server);
  }

  /** What the retry policy needs of a reply with {@code ok: 0}. */
  static Failure.Reply failureOf(BsonDocument reply) {
    return new Failure.Reply(
        codeOf(reply), summaryOf(reply), labelsOf(reply), false, baseBackoffOf(reply));
  }

  /** What the retry policy needs of a reply with {@code ok: 1} and a write concern error. */
  static Failure.Reply writeConcernFailureOf(BsonDocument reply, BsonDocument error) {
    return new Failure.Reply(
        codeOf(error), summaryOf(error), labelsOf(reply), true, baseBackoffOf(reply));
  }

  /** The write concern error inside a reply; null when there is none. */
  static @Nullable BsonDocument writeConcernErrorOf(BsonDocument reply) {
    BsonValue error = reply.get("writeConcernError");
    return error != null && error.isDocument() ? error.asDocument() : null;
  }

  private static int codeOf(BsonDocument error) {
    BsonValue code = error.get("code");
    return code != null && code.isNumber() ? code.asNumber().intValue() : NO_CODE;
  }

  private static String messageOf(BsonDocument error) {
    BsonValue message = error.get("errmsg");
    return message != null && message.isString() ? message.asString().getValue() : "";
  }

  private static String summaryOf(BsonDocument error) {
    BsonValue name = error.get("codeName");
    String code = "code " + codeOf(error);
    return name != null && name.isString() ? code + " " + name.asString().getValue() : code;
  }

  private static Set<String> labelsOf(BsonDocument reply) {
    BsonValue labels = reply.get("errorLabels");
    if (labels == null || !labels.isArray()) {
      return Set.of();
    }
    Set<String> names = new LinkedHashSet<>();
    for (BsonValue label : labels.asArray()) {
      if (label.isString()) {
        names.add(label.asString().getValue());
      }
    }
    return names;
  }

  private static @Nullable Duration baseBackoffOf(BsonDocument reply) {
    BsonValue millis = reply.get("baseBackoffMS");
    return millis != null && millis.isNumber() && millis.asNumber().longValue() > 0
        ? Duration.ofMillis(millis.asNumber().longValue())
        : null;
  }
}
