// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.Replies;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.WireException;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One connection's commands, one after the other, and its streams of replies. Runs on the
 * connection's thread.
 */
final class ConnectionHandler implements ConnectionService {
  private final Dispatcher dispatcher;
  private final ClientState client;
  private final Consumer<ClientState> gone;

  ConnectionHandler(Dispatcher dispatcher, ClientState client, Consumer<ClientState> gone) {
    this.dispatcher = dispatcher;
    this.client = client;
    this.gone = gone;
  }

  @Override
  public @Nullable BsonDocument handle(Message request, Replies more) throws InterruptedException {
    Message message = request;
    while (true) {
      Dispatcher.Answer answer = dispatcher.answer(message, client);
      BsonDocument next = answer.next();
      if (next == null) {
        return answer.reply();
      }
      try {
        more.more(answer.reply());
      } catch (WireException peerIsGone) {
        return null; // nobody is left to answer
      }
      message =
          new Message(
              message.kind(),
              message.requestId(),
              message.responseTo(),
              message.flagBits(),
              next,
              message.sequences());
    }
  }

  @Override
  public void close() {
    gone.accept(client);
  }
}
