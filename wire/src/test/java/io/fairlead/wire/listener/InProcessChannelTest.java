// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.ConnectException;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

final class InProcessChannelTest extends ChannelContract {

  private static final AtomicInteger HOSTS = new AtomicInteger();

  @Override
  Started start(ListenerSettings limits, ServiceFactory services) {
    ListenerSettings here =
        new ListenerSettings(
            "contract-" + HOSTS.incrementAndGet() + ".inprocess",
            0,
            limits.connectionsMax(),
            limits.messageBytesMax(),
            limits.handshakeTimeout(),
            limits.messageTimeout(),
            limits.idleTimeout());
    InProcessListener listener = InProcessListener.start(here, services);
    return new Started(listener, new Address(listener.host(), listener.port()));
  }

  @Test
  void documents_in_bytes_change_hands_without_a_copy() throws Exception {
    try (MessageChannel channel = connect()) {
      RawBsonDocument body = RawBsonDocument.parse("{echo: 1}");
      RawBsonDocument document = RawBsonDocument.parse("{a: 1}");
      channel.send(
          Message.command(body, List.of(new DocumentSequence("documents", List.of(document)))));
      channel.receive(SOON);
      Message message = received.remove();
      assertThat(message.body()).isSameAs(body);
      assertThat(message.sequences().getFirst().documents().getFirst()).isSameAs(document);
    }
  }

  @Test
  void an_address_nobody_serves_is_refused_without_asking_a_resolver() {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> Dialer.dial("nobody.inprocess", 27017, DialOptions.DEFAULT))
        .withMessageContaining("nobody listens there in this JVM");
  }

  @Test
  void an_address_is_served_once_at_a_time() {
    try (InProcessListener first =
        InProcessListener.start("once.inprocess", 0, connection -> unused())) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () ->
                  InProcessListener.start("ONCE.inprocess", first.port(), connection -> unused())
                      .close());
    }
    InProcessListener.start("once.inprocess", 27017, connection -> unused()).close();
  }

  @Test
  void closing_takes_no_address_from_the_one_who_serves_it_since() {
    InProcessListener first =
        InProcessListener.start("heir.inprocess", 27017, connection -> unused());
    first.stopAccepting();
    try (InProcessListener heir =
        InProcessListener.start("heir.inprocess", first.port(), connection -> unused())) {
      first.close();
      assertThatExceptionOfType(IllegalStateException.class)
          .as("the heir serves it still")
          .isThrownBy(
              () -> InProcessListener.start(heir.host(), heir.port(), connection -> unused()));
    }
  }

  private static ConnectionService unused() {
    throw new IllegalStateException("nobody connects in this test");
  }
}
