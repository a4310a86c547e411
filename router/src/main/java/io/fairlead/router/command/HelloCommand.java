// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.error.EngineException;
import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.WireException;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * {@code hello} and its older names: a router, always writable, whose topology version never
 * changes while it runs. A client that waits for a change waits as long as it asks to, again and
 * again where it permits exhaust.
 */
final class HelloCommand implements Command {

  private static final int WIRE_VERSION_MIN = 0;
  private static final int WIRE_VERSION_MAX = 25;
  private static final int BAD_AWAIT = 31368;

  private final Parts parts;

  HelloCommand(Parts parts) {
    this.parts = parts;
  }

  @Override
  public BsonDocument run(Request request) throws InterruptedException {
    request.client().greet(request.get("client"));
    if (request.flag("loadBalanced")) {
      throw new EngineException(
          354,
          "The server is being accessed through a load balancer, but is not one that supports"
              + " that");
    }
    boolean awaits = request.has("topologyVersion");
    if (awaits != request.has("maxAwaitTimeMS")) {
      throw new EngineException(
          BAD_AWAIT, "'topologyVersion' and 'maxAwaitTimeMS' come together or not at all");
    }
    if (!awaits) {
      return reply(request);
    }
    boolean known = knowsUs(request.document("topologyVersion"));
    long millis = Math.clamp(request.number("maxAwaitTimeMS", 0), 0L, TimeUnit.HOURS.toMillis(1));
    if (known) {
      TimeUnit.MILLISECONDS.sleep(millis);
    }
    while (request.message().exhaustAllowed()) {
      try {
        request.replies().more(reply(request));
      } catch (WireException gone) {
        throw new InterruptedException("the client of an awaitable hello is gone");
      }
      TimeUnit.MILLISECONDS.sleep(Math.max(1, millis));
    }
    return reply(request);
  }

  private boolean knowsUs(BsonDocument version) {
    return version.get("processId") instanceof BsonObjectId id
        && id.getValue().equals(parts.processId());
  }

  private BsonDocument reply(Request request) {
    BsonDocument reply = new BsonDocument();
    if (request.flag("helloOk")) {
      reply.append("helloOk", BsonBoolean.TRUE);
    }
    reply
        .append(request.name().equals("hello") ? "isWritablePrimary" : "ismaster", BsonBoolean.TRUE)
        .append("msg", new BsonString("isdbgrid"))
        .append(
            "topologyVersion",
            new BsonDocument("processId", new BsonObjectId(parts.processId()))
                .append("counter", new BsonInt64(0)))
        .append("maxBsonObjectSize", new BsonInt32(16 * 1024 * 1024))
        .append("maxMessageSizeBytes", new BsonInt32(48_000_000))
        .append("maxWriteBatchSize", new BsonInt32(100_000))
        .append("localTime", new BsonDateTime(parts.clock().millis()))
        .append("logicalSessionTimeoutMinutes", new BsonInt32(30))
        .append("connectionId", new BsonInt64(request.client().connectionId()))
        .append("minWireVersion", new BsonInt32(WIRE_VERSION_MIN))
        .append("maxWireVersion", new BsonInt32(WIRE_VERSION_MAX));
    BsonValue wished = request.get("compression");
    if (wished != null && wished.isArray()) {
      reply.append("compression", common(wished.asArray()));
    }
    return reply.append("ok", new BsonDouble(1));
  }

  private static BsonArray common(BsonArray wished) {
    BsonArray common = new BsonArray();
    for (BsonValue name : wished) {
      Compressor compressor = name.isString() ? Compressor.named(name.asString().getValue()) : null;
      if (compressor != null && compressor.isAvailable()) {
        common.add(name);
      }
    }
    return common;
  }
}
