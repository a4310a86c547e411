// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.handshake;

import io.fairlead.server.command.Arguments;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Failures;
import io.fairlead.server.replication.HelloStatus;
import io.fairlead.wire.message.Compressor;
import java.time.Duration;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * {@code hello}, and its older names {@code isMaster} and {@code ismaster}: who this member is,
 * what it can take, and how the connection will talk. With a topology version it waits for the next
 * change, and streams on where the client permits exhaust.
 */
final class Hello {
  static final int WIRE_VERSION_MIN = 0;
  static final int WIRE_VERSION_MAX = 25;
  static final int DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;
  static final int MESSAGE_BYTES_MAX = 48_000_000;
  static final int WRITE_BATCH_MAX = 100_000;

  private Hello() {}

  static BsonDocument run(CommandContext context) throws InterruptedException {
    BsonDocument body = context.body();
    if (Arguments.flag(body, "loadBalanced")) {
      throw Failures.of(
          354,
          "The server is being accessed through a load balancer, but is not one that supports"
              + " that");
    }
    greet(context);
    HelloStatus status = status(context);
    boolean helloOk = Arguments.flag(body, "helloOk");
    boolean legacy = !body.getFirstKey().equals("hello");

    BsonDocument reply = new BsonDocument();
    if (helloOk) {
      reply.put("helloOk", BsonBoolean.TRUE);
    }
    reply.put("topologyVersion", status.topologyVersion());
    status
        .fields()
        .forEach(
            (name, value) ->
                reply.put(legacy && name.equals("isWritablePrimary") ? "ismaster" : name, value));
    reply.put("maxBsonObjectSize", new BsonInt32(DOCUMENT_BYTES_MAX));
    reply.put("maxMessageSizeBytes", new BsonInt32(MESSAGE_BYTES_MAX));
    reply.put("maxWriteBatchSize", new BsonInt32(WRITE_BATCH_MAX));
    reply.put("localTime", new BsonDateTime(context.server().settings().clock().millis()));
    reply.put(
        "logicalSessionTimeoutMinutes",
        new BsonInt32(Math.toIntExact(context.server().settings().sessionTimeout().toMinutes())));
    reply.put("connectionId", new BsonInt32((int) context.client().connectionId()));
    reply.put("minWireVersion", new BsonInt32(WIRE_VERSION_MIN));
    reply.put("maxWireVersion", new BsonInt32(WIRE_VERSION_MAX));
    reply.put("readOnly", BsonBoolean.FALSE);
    BsonValue wished = body.get("compression");
    if (wished != null) {
      reply.put("compression", compressors(wished));
    }
    streamOn(context, status);
    return reply;
  }

  private static void greet(CommandContext context) {
    BsonDocument client = Arguments.optionalDocument(context.body(), "client");
    String application = client == null ? null : ClientMetadata.applicationName(client);
    if (client != null && context.client().metadata() != null) {
      throw Failures.of(186, "The client metadata document may only be sent in the first hello");
    }
    if (client != null || !context.client().saidHello()) {
      context.client().greet(client, application, context.get("internalClient") != null);
    }
  }

  private static HelloStatus status(CommandContext context) throws InterruptedException {
    BsonDocument known = Arguments.optionalDocument(context.body(), "topologyVersion");
    Duration wait = maxAwait(context.get("maxAwaitTimeMS"));
    if (known == null && wait != null) {
      throw Failures.of(31368, "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'");
    }
    if (known != null && wait == null) {
      throw Failures.of(31368, "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
    }
    return known == null || wait == null
        ? context.coordinator().hello()
        : context.coordinator().awaitHello(checked(known), wait);
  }

  private static BsonDocument checked(BsonDocument topologyVersion) {
    BsonValue process = topologyVersion.get("processId");
    BsonValue counter = topologyVersion.get("counter");
    if (process == null || counter == null) {
      throw Failures.missing("topologyVersion." + (process == null ? "processId" : "counter"));
    }
    if (!process.isObjectId()) {
      throw Failures.wrongType("topologyVersion.processId", process, "objectId");
    }
    return new BsonDocument("processId", process)
        .append("counter", new BsonInt64(Arguments.integer("topologyVersion.counter", counter)));
  }

  private static @Nullable Duration maxAwait(@Nullable BsonValue value) {
    if (value == null) {
      return null;
    }
    long millis = Arguments.integer("maxAwaitTimeMS", value);
    if (millis < 0) {
      throw Failures.of(31373, "'maxAwaitTimeMS' must be a non-negative integer");
    }
    return Duration.ofMillis(Math.min(millis, Integer.MAX_VALUE));
  }

  /** The next hello of a stream waits for a change from what this one has told. */
  private static void streamOn(CommandContext context, HelloStatus told) {
    if (context.get("topologyVersion") != null) {
      BsonDocument next = new BsonDocument();
      next.putAll(context.body());
      next.put("topologyVersion", told.topologyVersion());
      next.remove("client");
      context.streamOn(next);
    }
  }

  private static BsonArray compressors(BsonValue wished) {
    BsonArray common = new BsonArray();
    for (BsonValue name : Arguments.array("compression", wished)) {
      Compressor compressor = Compressor.named(Arguments.string("compression", name));
      if (compressor != null && compressor.isAvailable()) {
        common.add(new BsonString(compressor.wireName()));
      }
    }
    return common;
  }
}
