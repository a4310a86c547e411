// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.channel.TcpChannel;
import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.MalformedMessageException;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.MessageTooLargeException;
import io.fairlead.wire.message.NestedTooDeepException;
import io.fairlead.wire.message.ReadTimeoutException;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One accepted connection and the loop that answers it. {@link #run} is the connection's own
 * thread; {@link #close} may come from any.
 */
final class ServedConnection implements ClientConnection, Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ServedConnection.class);

  private final long id;
  private final MessageChannel channel;
  private final ListenerSettings settings;
  private final ServiceFactory services;
  private final ConnectionTable table;
  private volatile @Nullable Thread thread;

  ServedConnection(
      long id,
      MessageChannel channel,
      ListenerSettings settings,
      ServiceFactory services,
      ConnectionTable table) {
    this.id = id;
    this.channel = channel;
    this.settings = settings;
    this.services = services;
    this.table = table;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      serve(services.open(this));
    } catch (CloseConnectionException wanted) {
      LOG.debug("connection {} of {} closed: {}", id, peer(), wanted.getMessage());
    } catch (MalformedMessageException malformed) {
      LOG.warn(
          "connection {} of {} closed, it sent what is not a message: {}",
          id,
          peer(),
          malformed.getMessage());
    } catch (ReadTimeoutException silent) {
      LOG.info("connection {} of {} closed: {}", id, peer(), silent.getMessage());
    } catch (WireException gone) {
      LOG.debug("connection {} of {} ended: {}", id, peer(), gone.getMessage());
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException failed) {
      LOG.error("connection {} of {} closed, its service failed", id, peer(), failed);
    } finally {
      channel.close();
      table.ended(this);
    }
  }

  private void serve(ConnectionService service) throws WireException, InterruptedException {
    try {
      answerRequests(service);
    } finally {
      Thread.interrupted(); // the interrupt of close() has done its work and must not disturb the
      // service's own closing
      service.close();
    }
  }

  private void answerRequests(ConnectionService service)
      throws WireException, InterruptedException {
    answerNext(service, settings.handshakeTimeout(), settings.handshakeTimeout());
    while (true) {
      answerNext(service, settings.idleTimeout(), settings.messageTimeout());
    }
  }

  private void answerNext(ConnectionService service, Duration idle, Duration whole)
      throws WireException, InterruptedException {
    Message request;
    try {
      request = channel.receive(idle, whole);
    } catch (NestedTooDeepException deep) {
      refuse(deep);
      return;
    }
    channel.compressWith(channel.receivedWith());
    answer(request, service);
  }

  private void refuse(NestedTooDeepException deep) throws WireException {
    if (!deep.head().moreToCome()) {
      channel.send(
          Message.reply(
              deep.head(),
              error(15, "Overflow", "a message in which " + deep.getMessage() + " levels")));
    }
  }

  private void answer(Message request, ConnectionService service)
      throws WireException, InterruptedException {
    Exhaust exhaust = new Exhaust(channel, request);
    BsonDocument reply;
    try {
      reply = service.handle(request, exhaust);
    } catch (CloseConnectionException wanted) {
      throw wanted;
    } catch (RuntimeException | StackOverflowError failed) {
      if (!channel.isOpen()) {
        throw new ConnectionClosedException(
            "connection to " + peer() + " closed while its request was answered", failed);
      }
      LOG.error("connection {} of {}: a request could not be answered", id, peer(), failed);
      reply =
          error(
              1,
              "InternalError",
              "the server could not answer because of an error of its own, which its log"
                  + " describes");
    }
    if (reply == null || request.moreToCome()) {
      return;
    }
    try {
      channel.send(exhaust.last(reply));
    } catch (MessageTooLargeException large) {
      channel.send(
          exhaust.last(error(10334, "BSONObjectTooLarge", "the reply is " + large.getMessage())));
    }
  }

  private static BsonDocument error(int code, String codeName, String message) {
    return new BsonDocument("ok", new BsonDouble(0))
        .append("errmsg", new BsonString(message))
        .append("code", new BsonInt32(code))
        .append("codeName", new BsonString(codeName));
  }

  /** Closes the connection when its peer has not sent a request or taken a reply in time. */
  void closeIfLate() {
    if (!(channel instanceof TcpChannel tcp)) {
      return;
    }
    tcp.closeIfLate();
    if (tcp.sendingLongerThan(settings.messageTimeout())) {
      LOG.info(
          "connection {} of {} closed: it has not taken a reply for {} ms",
          id,
          peer(),
          settings.messageTimeout().toMillis());
      close();
    }
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public String peer() {
    return channel.peer();
  }

  @Override
  public boolean inProcess() {
    return !(channel instanceof TcpChannel);
  }

  @Override
  public @Nullable Compressor compressor() {
    return channel.receivedWith();
  }

  @Override
  public void close() {
    channel.close();
    Thread running = thread;
    if (running != null && running != Thread.currentThread()) {
      running.interrupt();
    }
  }

  @Override
  public String toString() {
    return "connection " + id + " of " + peer();
  }

  /**
   * The replies to one request; each answers the one before, as drivers expect of an exhaust
   * stream.
   */
  private static final class Exhaust implements Replies {

    private final MessageChannel channel;
    private final Message request;
    private int responseTo;

    Exhaust(MessageChannel channel, Message request) {
      this.channel = channel;
      this.request = request;
      this.responseTo = request.requestId();
    }

    @Override
    public void more(BsonDocument reply) throws WireException {
      if (!request.exhaustAllowed()) {
        throw new IllegalStateException("the request does not allow more than one reply");
      }
      Message plain = last(reply);
      responseTo = plain.requestId();
      channel.send(plain.withFlags(plain.flagBits() | Message.MORE_TO_COME));
    }

    Message last(BsonDocument reply) {
      Message answer = Message.reply(request, reply);
      return responseTo == request.requestId() ? answer : answer.withResponseTo(responseTo);
    }
  }
}
