// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.codec.Frames;
import io.fairlead.wire.message.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** Hostile clients beside an honest one. */
final class ListenerFuzzTest {

  private static final int HOSTILE_CLIENTS = 1500;
  private static final long SEED = 7;

  @Test
  @SuppressWarnings("try") // closing early is what is tested
  void a_listener_serves_the_honest_while_others_send_rubbish() throws Exception {
    Random random = new Random(SEED);
    Frames frames = new Frames();
    AtomicInteger open = new AtomicInteger();
    ListenerSettings limits =
        ListenerSettings.loopback(0)
            .withTimeouts(Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofSeconds(30));
    try (WireListener listener = WireListener.start(limits, connection -> new Echo(open));
        MessageChannel honest =
            Dialer.dial(listener.host(), listener.port(), DialOptions.DEFAULT)) {
      for (int i = 0; i < HOSTILE_CLIENTS; i++) {
        hostile(listener.port(), frames.mutated(random), random.nextBoolean());
        if (i % 10 == 0) {
          honestCall(honest, i);
        }
      }
      honestCall(honest, -1);
      honest.close();
      listener.close();
      assertThat(listener.connections()).isEmpty();
      assertThat(open).hasValue(0);
    }
  }

  @Test
  void a_message_that_nests_too_deep_is_answered_and_its_connection_goes_on() throws Exception {
    try (WireListener listener =
            WireListener.start(
                ListenerSettings.loopback(0), connection -> new Echo(new AtomicInteger()));
        MessageChannel client =
            Dialer.dial(listener.host(), listener.port(), DialOptions.DEFAULT)) {
      honestCall(client, 1);
      BsonDocument deep = new BsonDocument();
      for (int i = 0; i < 600; i++) {
        deep = new BsonDocument("a", deep);
      }
      Message request = Message.command(deep);
      client.send(request);
      Message reply = client.receive(Duration.ofSeconds(10));
      assertThat(reply.responseTo()).isEqualTo(request.requestId());
      assertThat(reply.body().getInt32("code").getValue()).isEqualTo(15);
      assertThat(reply.body().getString("codeName").getValue()).isEqualTo("Overflow");
      honestCall(client, 2);
    }
  }

  private static void hostile(int port, byte[] bytes, boolean twice) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(bytes);
      if (twice) {
        socket.getOutputStream().write(bytes);
      }
    } catch (java.net.SocketException closedOnUs) {
      assertThat(closedOnUs).hasMessageMatching("(?i).*(reset|broken pipe).*");
    }
  }

  private static void honestCall(MessageChannel honest, int i) throws Exception {
    Message request = Message.command(BsonDocument.parse("{echo: " + i + "}"));
    honest.send(request);
    Message reply = honest.receive(Duration.ofSeconds(10));
    assertThat(reply.responseTo()).isEqualTo(request.requestId());
    assertThat(reply.body()).isEqualTo(request.body());
  }

  private static final class Echo implements ConnectionService {

    private final AtomicInteger open;

    Echo(AtomicInteger open) {
      this.open = open;
      open.incrementAndGet();
    }

    @Override
    public BsonDocument handle(Message request, Replies more) {
      return request.body();
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}
