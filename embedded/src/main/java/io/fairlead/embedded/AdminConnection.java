// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.WireException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Runs commands of administration on a server or router, as a client would. One thread at a time.
 */
final class AdminConnection implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final MessageChannel channel;

  AdminConnection(String address) {
    try {
      channel = Dialer.dial(Addresses.host(address), Addresses.port(address), DialOptions.DEFAULT);
    } catch (WireException unreachable) {
      throw new UncheckedIOException(unreachable);
    }
  }

  /**
   * Runs a command on the database admin.
   *
   * @throws IllegalStateException when the answer is an error
   */
  BsonDocument run(BsonDocument command) {
    try {
      channel.send(Message.command(command.append("$db", new BsonString("admin"))));
      BsonDocument reply = channel.receive(TIMEOUT).body();
      BsonValue ok = reply.get("ok");
      if (ok == null || !ok.isNumber() || ok.asNumber().doubleValue() != 1) {
        throw new IllegalStateException(command.getFirstKey() + " failed: " + reply.toJson());
      }
      return reply;
    } catch (WireException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
