// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import com.mongodb.ServerApi;
import com.mongodb.connection.ConnectionDescription;
import com.mongodb.connection.ConnectionId;
import com.mongodb.connection.ServerType;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The first words on every connection. Begins with the legacy hello, as OP_QUERY, because servers
 * exist that know no other; with a server API version it is {@code hello} as OP_MSG from the start.
 * Follows MongoDB's handshake specification.
 */
public final class Handshake {
  private final @Nullable ServerApi serverApi;
  private final ClientMetadata metadata;
  private final List<Compressor> compressors;

  /**
   * @param metadata who connects
   * @param compressors to offer, in the order of preference
   * @param serverApi declared on every command; null: none
   */
  public Handshake(
      ClientMetadata metadata, List<Compressor> compressors, @Nullable ServerApi serverApi) {
    this.serverApi = serverApi;
    this.metadata = metadata;
    this.compressors = List.copyOf(compressors);
  }

  /**
   * What came of a handshake.
   *
   * @param hello the server's whole answer
   * @param roundTrip how long it took
   * @param helloOk whether the server knows {@code hello} and not only its legacy name
   * @param description the same in the public driver's words
   */
  public record Result(
      BsonDocument hello, Duration roundTrip, boolean helloOk, ConnectionDescription description) {
    /** Whether the server has logical sessions. */
    public boolean supportsSessions() {
      return description.getLogicalSessionTimeoutMinutes() != null;
    }
  }

  /** The server answered the handshake with {@code ok: 0}. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;
    private final transient BsonDocument reply;

    RefusedException(BsonDocument reply) {
      super("the handshake was refused: " + reply.toJson());
      this.reply = reply;
    }

    /** What the server answered. */
    public BsonDocument reply() {
      return reply;
    }
  }

  /**
   * Runs the handshake on a fresh channel and switches on the compression agreed upon.
   *
   * @throws RefusedException if the server answered with an error
   * @throws IOException if the connection failed
   */
  Result shake(MessageChannel channel, ConnectionId id, Duration timeout) throws IOException {
    BsonDocument command = command();
    Message request = serverApi == null ? Message.legacyCommand(command) : Message.command(command);
    long before = System.nanoTime();
    channel.send(request);
    Message answer = channel.receive(timeout);
    Duration roundTrip = Duration.ofNanos(System.nanoTime() - before);
    if (answer.responseTo() != request.requestId()) {
      throw new UnexpectedReplyException(
          channel.peer() + " answered something else than the handshake");
    }
    RawBsonDocument hello = Connection.asRaw(answer.body());
    if (!isOk(hello)) {
      throw new RefusedException(hello);
    }
    ConnectionDescription description = describe(id, hello);
    channel.compressWith(agreedCompressor(description.getCompressors()));
    return new Result(
        hello, roundTrip, isTrue(hello.get("helloOk")) || serverApi != null, description);
  }

  private BsonDocument command() {
    BsonDocument command =
        new BsonDocument(serverApi == null ? "isMaster" : "hello", new BsonInt32(1));
    command.append("helloOk", BsonBoolean.TRUE);
    command.append("backpressure", BsonBoolean.TRUE);
    command.append("client", metadata.document());
    BsonArray offered = new BsonArray();
    compressors.forEach(compressor -> offered.add(new BsonString(compressor.wireName())));
    command.append("compression", offered);
    command.append("$db", new BsonString("admin"));
    if (serverApi != null) {
      declare(serverApi, command);
    }
    return command;
  }

  /** Adds the API version to a command. */
  public static void declare(ServerApi api, BsonDocument command) {
    command.put("apiVersion", new BsonString(api.getVersion().getValue()));
    api.getStrict().ifPresent(strict -> command.put("apiStrict", BsonBoolean.valueOf(strict)));
    api.getDeprecationErrors()
        .ifPresent(errors -> command.put("apiDeprecationErrors", BsonBoolean.valueOf(errors)));
  }

  private @Nullable Compressor agreedCompressor(List<String> accepted) {
    for (Compressor compressor : compressors) {
      if (accepted.contains(compressor.wireName())) {
        return compressor;
      }
    }
    return null;
  }

  private static ConnectionDescription describe(ConnectionId id, BsonDocument hello) {
    List<String> accepted = new ArrayList<>();
    BsonValue compression = hello.get("compression");
    if (compression != null && compression.isArray()) {
      for (BsonValue name : compression.asArray()) {
        if (name.isString()) {
          accepted.add(name.asString().getValue());
        }
      }
    }
    BsonValue serverConnectionId = hello.get("connectionId");
    ConnectionId known =
        serverConnectionId != null && serverConnectionId.isNumber()
            ? id.withServerValue(serverConnectionId.asNumber().longValue())
            : id;
    BsonValue sessions = hello.get("logicalSessionTimeoutMinutes");
    return new ConnectionDescription(
        known,
        intOf(hello, "maxWireVersion", 0),
        serverTypeOf(hello),
        intOf(hello, "maxWriteBatchSize", ConnectionDescription.getDefaultMaxWriteBatchSize()),
        intOf(
            hello,
            "maxBsonObjectSize",
            com.mongodb.connection.ServerDescription.getDefaultMaxDocumentSize()),
        intOf(hello, "maxMessageSizeBytes", ConnectionDescription.getDefaultMaxMessageSize()),
        accepted,
        null,
        sessions != null && sessions.isNumber() ? sessions.asNumber().intValue() : null);
  }

  private static ServerType serverTypeOf(BsonDocument hello) {
    BsonValue message = hello.get("msg");
    if (message != null && message.isString() && message.asString().getValue().equals("isdbgrid")) {
      return ServerType.SHARD_ROUTER;
    }
    if (isTrue(hello.get("isreplicaset"))) {
      return ServerType.REPLICA_SET_GHOST;
    }
    if (!hello.containsKey("setName")) {
      return ServerType.STANDALONE;
    }
    if (isTrue(hello.get("hidden"))) {
      return ServerType.REPLICA_SET_OTHER;
    }
    if (isTrue(hello.get("isWritablePrimary")) || isTrue(hello.get("ismaster"))) {
      return ServerType.REPLICA_SET_PRIMARY;
    }
    if (isTrue(hello.get("secondary"))) {
      return ServerType.REPLICA_SET_SECONDARY;
    }
    return isTrue(hello.get("arbiterOnly"))
        ? ServerType.REPLICA_SET_ARBITER
        : ServerType.REPLICA_SET_OTHER;
  }

  /** Whether a reply says {@code ok: 1}, in any number type. */
  public static boolean isOk(BsonDocument reply) {
    BsonValue ok = reply.get("ok");
    return ok != null && (ok.isNumber() ? ok.asNumber().doubleValue() == 1 : isTrue(ok));
  }

  private static boolean isTrue(@Nullable BsonValue value) {
    return value != null && value.isBoolean() && value.asBoolean().getValue();
  }

  private static int intOf(BsonDocument hello, String field, int otherwise) {
    BsonValue value = hello.get(field);
    return value != null && value.isNumber() ? value.asNumber().intValue() : otherwise;
  }
}
