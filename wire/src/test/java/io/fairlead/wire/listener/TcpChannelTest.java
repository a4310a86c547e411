// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.ConnectException;
import io.fairlead.wire.message.Message;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

final class TcpChannelTest extends ChannelContract {

  @Override
  Started start(ListenerSettings limits, ServiceFactory services) {
    WireListener listener = WireListener.start(limits, services);
    return new Started(listener, new Address(listener.host(), listener.port()));
  }

  @Test
  void a_compressed_request_gets_a_compressed_reply_and_a_plain_one_a_plain_one() throws Exception {
    try (MessageChannel channel = connect()) {
      channel.compressWith(Compressor.ZLIB);
      String text = "fairlead".repeat(1000);
      assertThat(call(channel, command("{echo: '" + text + "'}")).getString("echo").getValue())
          .isEqualTo(text);
      assertThat(channel.receivedWith()).isEqualTo(Compressor.ZLIB);
      channel.compressWith(null);
      call(channel, command("{echo: 1}"));
      assertThat(channel.receivedWith()).isNull();
    }
  }

  @Test
  void a_checksummed_request_gets_a_checksummed_reply() throws Exception {
    try (MessageChannel channel = connect()) {
      channel.send(command("{echo: 1}").withFlags(Message.CHECKSUM_PRESENT));
      assertThat(channel.receive(SOON).checksumPresent()).isTrue();
    }
  }

  @Test
  void large_and_small_messages_alternate_on_one_connection() throws Exception {
    try (MessageChannel channel = connect()) {
      for (int size : new int[] {10, 8_000, 9_000, 70_000, 300_000, 5_000_000, 20, 16_000_000, 5}) {
        BsonDocument body = new BsonDocument("echo", new org.bson.BsonBinary(new byte[size]));
        assertThat(call(channel, Message.command(body))).isEqualTo(body);
      }
    }
  }

  @Test
  void a_refused_connection_says_where() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(
            () ->
                Dialer.dial(
                    "127.0.0.1",
                    port,
                    DialOptions.DEFAULT.withConnectTimeout(Duration.ofSeconds(2))))
        .withMessageContaining("127.0.0.1:" + port);
  }

  @Test
  void a_taken_port_cannot_be_listened_on() {
    try (WireListener first =
        WireListener.start(ListenerSettings.loopback(0), connection -> new NoService())) {
      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(
              () ->
                  WireListener.start(
                          ListenerSettings.loopback(first.port()), connection -> new NoService())
                      .close())
          .withMessageContaining("cannot listen on 127.0.0.1:" + first.port());
    }
  }

  @Test
  void a_listener_that_accepts_no_more_serves_those_who_are_there() throws Exception {
    try (WireListener listener =
            WireListener.start(ListenerSettings.loopback(0), connection -> new NoService());
        MessageChannel channel = Dialer.dial("127.0.0.1", listener.port(), DialOptions.DEFAULT)) {
      assertThat(call(channel, command("{ping: 1}"))).isEmpty();
      assertThat(listener.isAccepting()).isTrue();
      listener.stopAccepting();
      assertThat(listener.isAccepting()).isFalse();
      assertThat(call(channel, command("{ping: 1}"))).isEmpty();
      assertThatExceptionOfType(ConnectException.class)
          .isThrownBy(() -> Dialer.dial("127.0.0.1", listener.port(), DialOptions.DEFAULT));
    }
  }

  private static final class NoService implements ConnectionService {

    @Override
    public BsonDocument handle(Message request, Replies more) {
      return new BsonDocument();
    }

    @Override
    public void close() {}
  }
}
