// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Commands to one other member. Keeps a few idle connections; each carries one command at a time,
 * and one that failed is never used again. Any thread may call; {@link #close()} wakes them all.
 */
final class PeerLink implements AutoCloseable {
  private static final int IDLE_MAX = 3;

  private final String host;
  private final PeerDialer dialer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<MessageChannel> idle = new ArrayDeque<>();
  private final Set<MessageChannel> busy = new HashSet<>();
  private volatile boolean closed;

  PeerLink(String host, PeerDialer dialer) {
    this.host = host;
    this.dialer = dialer;
  }

  String host() {
    return host;
  }

  /**
   * Runs one administrative command there.
   *
   * @param timeout for connecting and for the answer, each
   * @throws PeerRefusedException when the answer is an error
   */
  BsonDocument call(BsonDocument command, Duration timeout)
      throws WireException, PeerRefusedException {
    return checked(exchange("admin", command, timeout));
  }

  /**
   * Runs one command there; the answer as it came, an error too.
   *
   * @param timeout for connecting and for the answer, each
   */
  BsonDocument exchange(String database, BsonDocument command, Duration timeout)
      throws WireException {
    MessageChannel channel = checkOut(timeout);
    BsonDocument reply;
    try {
      reply = exchange(channel, command.append("$db", new BsonString(database)), timeout);
    } catch (WireException | RuntimeException failure) {
      discard(channel);
      throw failure;
    }
    checkIn(channel);
    return reply;
  }

  private BsonDocument exchange(MessageChannel channel, BsonDocument command, Duration timeout)
      throws WireException {
    Message request = Message.command(command);
    channel.send(request);
    Message reply = channel.receive(timeout);
    if (reply.responseTo() != request.requestId()) {
      throw new ConnectionClosedException(
          host + " answered another request than the one that was sent");
    }
    return reply.body();
  }

  private static BsonDocument checked(BsonDocument reply) throws PeerRefusedException {
    BsonValue ok = reply.get("ok");
    if (ok != null && ok.isNumber() && ok.asNumber().doubleValue() == 1) {
      return reply;
    }
    BsonValue code = reply.get("code");
    BsonValue message = reply.get("errmsg");
    throw new PeerRefusedException(
        code != null && code.isNumber() ? code.asNumber().intValue() : 8,
        message != null && message.isString() ? message.asString().getValue() : reply.toString());
  }

  private MessageChannel checkOut(Duration timeout) throws WireException {
    lock.lock();
    try {
      refuseClosed();
      for (MessageChannel channel = idle.poll(); channel != null; channel = idle.poll()) {
        if (channel.isOpen()) {
          busy.add(channel);
          return channel;
        }
      }
    } finally {
      lock.unlock();
    }
    MessageChannel channel = dialer.dial(host, timeout);
    lock.lock();
    try {
      if (!closed) {
        busy.add(channel);
      }
    } finally {
      lock.unlock();
    }
    try {
      refuseClosed();
      greet(channel, timeout);
    } catch (WireException | RuntimeException failure) {
      discard(channel);
      throw failure;
    }
    return channel;
  }

  /** Says what this connection is: one between members. */
  private void greet(MessageChannel channel, Duration timeout) throws WireException {
    BsonDocument versions =
        new BsonDocument("minWireVersion", new BsonInt32(0))
            .append("maxWireVersion", new BsonInt32(25));
    exchange(
        channel,
        new BsonDocument("hello", new BsonInt32(1))
            .append("internalClient", versions)
            .append("$db", new BsonString("admin")),
        timeout);
  }

  private void refuseClosed() throws ConnectionClosedException {
    if (closed) {
      throw new ConnectionClosedException("this member is shutting down");
    }
  }

  private void checkIn(MessageChannel channel) {
    boolean keep;
    lock.lock();
    try {
      busy.remove(channel);
      keep = !closed && channel.isOpen() && idle.size() < IDLE_MAX;
      if (keep) {
        idle.push(channel);
      }
    } finally {
      lock.unlock();
    }
    if (!keep) {
      channel.close();
    }
  }

  private void discard(MessageChannel channel) {
    lock.lock();
    try {
      busy.remove(channel);
    } finally {
      lock.unlock();
    }
    channel.close();
  }

  /** Cuts every connection; commands under way fail. */
  @Override
  public void close() {
    Set<MessageChannel> all = new HashSet<>();
    lock.lock();
    try {
      closed = true;
      all.addAll(idle);
      all.addAll(busy);
      idle.clear();
      busy.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(MessageChannel::close);
  }
}
