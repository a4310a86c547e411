// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** A client that sends commands as they are and shows replies as they come. */
public final class RawClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final MessageChannel channel;

  private RawClient(MessageChannel channel) {
    this.channel = channel;
  }

  public static RawClient of(Server server) throws WireException {
    int colon = server.address().lastIndexOf(':');
    return new RawClient(
        Dialer.dial(server.address().substring(0, colon), server.port(), DialOptions.DEFAULT));
  }

  /** Runs a command against a database; the reply, good or bad. */
  public BsonDocument run(String database, String command) throws WireException {
    return run(database, BsonDocument.parse(command));
  }

  public BsonDocument run(String database, BsonDocument command) throws WireException {
    return send(Message.command(command.append("$db", new BsonString(database)), List.of()));
  }

  public BsonDocument run(String database, String command, DocumentSequence sequence)
      throws WireException {
    BsonDocument body = BsonDocument.parse(command).append("$db", new BsonString(database));
    return send(Message.command(body, List.of(sequence)));
  }

  /** Sends a message and waits for its reply. */
  public BsonDocument send(Message message) throws WireException {
    channel.send(message);
    return receive().body();
  }

  /** Sends a message only. */
  public void sendOnly(Message message) throws WireException {
    channel.send(message);
  }

  public Message receive() throws WireException {
    return channel.receive(PATIENCE);
  }

  @Override
  public void close() {
    channel.close();
  }

  public static boolean isOk(BsonDocument reply) {
    return reply.getNumber("ok").intValue() == 1;
  }

  public static int code(BsonDocument reply) {
    return reply.getNumber("code").intValue();
  }
}
