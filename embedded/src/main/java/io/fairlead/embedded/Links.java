// SPDX-License-Identifier: Apache-2.0
package io.fairlead.embedded;

import io.fairlead.server.replication.PeerDialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.ConnectException;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The network between the members of a set: each direction of each pair may be cut or slow. A cut
 * breaks what uses the link, at once or with its next message. Any thread may change it at any
 * time.
 */
final class Links {
  private record Link(String from, String to) {}

  private final Set<Link> cut = ConcurrentHashMap.newKeySet();
  private final Map<Link, Duration> delays = new ConcurrentHashMap<>();

  /** Cuts both directions. */
  void cut(String one, String other) {
    cut.add(new Link(one, other));
    cut.add(new Link(other, one));
  }

  void mendAll() {
    cut.clear();
    delays.clear();
  }

  /** Every message takes that much longer, in both directions. */
  void delay(String one, String other, Duration duration) {
    delays.put(new Link(one, other), duration);
    delays.put(new Link(other, one), duration);
  }

  /**
   * The dialer of one member.
   *
   * @param silent whether it says nothing to anybody at the moment
   */
  PeerDialer of(String from, BooleanSupplier silent) {
    return (to, timeout) -> {
      Link there = new Link(from, to);
      if (cut.contains(there) || silent.getAsBoolean()) {
        throw new ConnectException("the link from " + from + " to " + to + " is cut");
      }
      return new Channel(PeerDialer.DIRECT.dial(to, timeout), there, new Link(to, from), silent);
    };
  }

  private final class Channel implements MessageChannel {
    private final MessageChannel real;
    private final Link there;
    private final Link back;
    private final BooleanSupplier silent;

    Channel(MessageChannel real, Link there, Link back, BooleanSupplier silent) {
      this.real = real;
      this.there = there;
      this.back = back;
      this.silent = silent;
    }

    private void pass(Link link) throws WireException {
      if (cut.contains(link) || silent.getAsBoolean()) {
        real.close();
        throw new ConnectionClosedException(
            "the link from " + link.from + " to " + link.to + " is cut");
      }
      Duration delay = delays.get(link);
      if (delay != null) {
        try {
          Thread.sleep(delay);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          real.close();
          throw new ConnectionClosedException("interrupted");
        }
      }
    }

    @Override
    public void send(Message message) throws WireException {
      pass(there);
      real.send(message);
    }

    @Override
    public Message receive(Duration untilBegun, Duration untilWhole) throws WireException {
      Message message = real.receive(untilBegun, untilWhole);
      pass(back);
      return message;
    }

    @Override
    public void compressWith(@Nullable Compressor compressor) {
      real.compressWith(compressor);
    }

    @Override
    public @Nullable Compressor receivedWith() {
      return real.receivedWith();
    }

    @Override
    public void close() {
      real.close();
    }

    @Override
    public boolean isOpen() {
      return real.isOpen();
    }

    @Override
    public String peer() {
      return real.peer();
    }
  }
}
