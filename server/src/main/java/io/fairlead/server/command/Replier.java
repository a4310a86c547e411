// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.server.command.Dispatcher.Progress;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Completes replies with what all of them carry, and makes the replies of failures. */
final class Replier {
  private final ServerParts server;

  Replier(ServerParts server) {
    this.server = server;
  }

  /**
   * The reply of a command that ran, with {@code ok: 1}, cluster time, and labels for a write
   * concern error.
   */
  BsonDocument complete(BsonDocument reply, Progress progress) {
    BsonValue writeConcernError = reply.get("writeConcernError");
    List<String> labels = List.of();
    if (writeConcernError != null && writeConcernError.isDocument()) {
      labels =
          labels(
              progress,
              code(writeConcernError.asDocument()),
              progress.writeConcernLabels,
              false,
              false);
    }
    reply.put("ok", new BsonDouble(1));
    appendLabels(reply, labels);
    appendTimes(reply);
    return reply;
  }

  /**
   * The reply of a failure: {@code ok: 0}, message, code, its name, what belongs to the code, and
   * labels.
   */
  BsonDocument error(EngineException failure, Progress progress) {
    BsonDocument reply = new BsonDocument("ok", new BsonDouble(0));
    reply.put("errmsg", new BsonString(failure.message()));
    reply.put("code", new BsonInt32(failure.code()));
    reply.put("codeName", new BsonString(failure.codeName()));
    failure.details().forEach(reply::putIfAbsent);
    CommandContext context = progress.context;
    boolean wroteNothing =
        context != null && context.spec().has(Trait.RETRYABLE) && ranButWroteNothing(context);
    appendLabels(reply, labels(progress, failure.code(), failure.labels(), wroteNothing, true));
    if (ErrorLabels.isStateChange(failure.code())) {
      reply.put("topologyVersion", server.coordinator().hello().topologyVersion());
    }
    appendTimes(reply);
    return reply;
  }

  /**
   * Only a command that got as far as writing knows that it wrote nothing; one refused before says
   * nothing about it.
   */
  private static boolean ranButWroteNothing(CommandContext context) {
    return context.triedToWrite() && !context.changedSomething();
  }

  private static List<String> labels(
      Progress progress,
      @Nullable Integer code,
      Set<String> own,
      boolean wroteNothing,
      boolean failed) {
    if (progress.labels != null) {
      return progress.labels;
    }
    GenericArguments generic = progress.generic;
    ClientState client = progress.client;
    CommandContext context = progress.context;
    boolean within = context != null && context.inTransaction();
    boolean ends = context != null && within && context.spec().has(Trait.ENDS_TRANSACTION);
    boolean statement = within && !ends;
    boolean retryableWrite = generic != null && generic.txnNumber() != null && !statement;
    return ErrorLabels.of(
        code,
        own,
        retryableWrite,
        statement && failed,
        ends && failed,
        client != null && client.isInternal(),
        wroteNothing);
  }

  private static @Nullable Integer code(BsonDocument error) {
    BsonValue code = error.get("code");
    return code != null && code.isNumber() ? code.asNumber().intValue() : null;
  }

  private static void appendLabels(BsonDocument reply, List<String> labels) {
    if (!labels.isEmpty()) {
      BsonArray array = new BsonArray();
      labels.forEach(label -> array.add(new BsonString(label)));
      reply.put("errorLabels", array);
    }
  }

  /** {@code $clusterTime} and {@code operationTime}, on members of a replica set. */
  private void appendTimes(BsonDocument reply) {
    BsonTimestamp clusterTime = server.coordinator().clusterTime();
    if (clusterTime.getValue() == 0) {
      return;
    }
    reply.put(
        "$clusterTime",
        new BsonDocument("clusterTime", clusterTime)
            .append(
                "signature",
                new BsonDocument("hash", new BsonBinary(new byte[20]))
                    .append("keyId", new BsonInt64(0))));
    // a command that the primary has run for this member tells the primary's time
    reply.putIfAbsent("operationTime", server.coordinator().lastApplied().timestamp());
  }
}
