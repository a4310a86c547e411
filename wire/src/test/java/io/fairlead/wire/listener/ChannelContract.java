// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.wire.channel.DialOptions;
import io.fairlead.wire.channel.Dialer;
import io.fairlead.wire.channel.MessageChannel;
import io.fairlead.wire.message.ConnectException;
import io.fairlead.wire.message.ConnectionClosedException;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.MessageTooLargeException;
import io.fairlead.wire.message.ReadTimeoutException;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users of a connection rely on, whichever way it goes. */
abstract class ChannelContract {

  static final Duration SOON = Duration.ofSeconds(10);
  private static final BsonDocument OK = BsonDocument.parse("{ok: 1}");

  final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
  final CountDownLatch serviceClosed = new CountDownLatch(1);
  final CountDownLatch blocked = new CountDownLatch(1);
  final CountDownLatch release = new CountDownLatch(1);
  private @Nullable AutoCloseable listener;
  private @Nullable Address address;

  record Address(String host, int port) {}

  record Started(AutoCloseable listener, Address address) {}

  abstract Started start(ListenerSettings limits, ServiceFactory services);

  @AfterEach
  void stop() throws Exception {
    release.countDown();
    if (listener != null) {
      listener.close();
    }
  }

  /** Answers by the name of the command, each a way of behaving. */
  private final class Actor implements ConnectionService {

    @Override
    public @Nullable BsonDocument handle(Message request, Replies more)
        throws InterruptedException {
      received.add(request);
      return switch (request.body().getFirstKey()) {
        case "echo" -> request.commandWithSequences();
        case "fail" -> throw new IllegalStateException("secret detail");
        case "hangUp" -> throw new CloseConnectionException("asked to");
        case "block" -> {
          blocked.countDown();
          release.await();
          yield OK;
        }
        case "stream" -> {
          for (int i = 0; i < 3; i++) {
            sendMore(more, new BsonDocument("i", new BsonInt32(i)));
          }
          yield new BsonDocument("i", new BsonInt32(3));
        }
        case "large" -> new BsonDocument("data", new org.bson.BsonBinary(new byte[200_000]));
        default -> OK;
      };
    }

    private static void sendMore(Replies more, BsonDocument reply) {
      try {
        more.more(reply);
      } catch (WireException gone) {
        throw new java.io.UncheckedIOException(gone);
      }
    }

    @Override
    public void close() {
      serviceClosed.countDown();
    }
  }

  ListenerSettings limits() {
    return ListenerSettings.loopback(0);
  }

  MessageChannel connect() throws WireException {
    return connect(limits(), DialOptions.DEFAULT);
  }

  MessageChannel connect(ListenerSettings limits, DialOptions options) throws WireException {
    if (listener == null) {
      Started started = start(limits, connection -> new Actor());
      listener = started.listener();
      address = started.address();
    }
    Address to = java.util.Objects.requireNonNull(address);
    return Dialer.dial(to.host(), to.port(), options);
  }

  static Message command(String json) {
    return Message.command(BsonDocument.parse(json));
  }

  static BsonDocument call(MessageChannel channel, Message request) throws WireException {
    channel.send(request);
    Message reply = channel.receive(SOON);
    assertThat(reply.responseTo()).isEqualTo(request.requestId());
    return reply.body();
  }

  @Test
  void a_command_with_sequences_is_answered() throws Exception {
    try (MessageChannel channel = connect()) {
      Message request =
          Message.command(
              BsonDocument.parse("{echo: 1}"),
              List.of(new DocumentSequence("documents", List.of(RawBsonDocument.parse("{a: 1}")))));
      assertThat(call(channel, request))
          .isEqualTo(BsonDocument.parse("{echo: 1, documents: [{a: 1}]}"));
      assertThat(received.remove().body()).isInstanceOf(RawBsonDocument.class);
    }
  }

  @Test
  void what_the_sender_changes_later_the_receiver_does_not_see() throws Exception {
    try (MessageChannel channel = connect()) {
      Message request = command("{echo: 1, a: 1}");
      channel.send(request);
      request.body().put("a", new BsonInt32(2));
      assertThat(channel.receive(SOON).body()).isEqualTo(BsonDocument.parse("{echo: 1, a: 1}"));
      assertThat(received.remove().body()).isEqualTo(BsonDocument.parse("{echo: 1, a: 1}"));
    }
  }

  @Test
  void a_legacy_request_gets_a_legacy_reply() throws Exception {
    try (MessageChannel channel = connect()) {
      channel.send(Message.legacyCommand(BsonDocument.parse("{isMaster: 1, $db: 'admin'}")));
      assertThat(channel.receive(SOON).kind()).isEqualTo(Message.Kind.LEGACY_REPLY);
      assertThat(received.remove().body().getString("$db").getValue()).isEqualTo("admin");
    }
  }

  @Test
  void a_request_with_more_to_come_gets_no_reply_not_even_for_an_error() throws Exception {
    try (MessageChannel channel = connect()) {
      channel.send(command("{echo: 1}").withFlags(Message.MORE_TO_COME));
      channel.send(command("{fail: 1}").withFlags(Message.MORE_TO_COME));
      assertThat(call(channel, command("{echo: 2}"))).isEqualTo(BsonDocument.parse("{echo: 2}"));
    }
  }

  @Test
  void an_exhaust_request_gets_several_replies_each_answering_the_one_before() throws Exception {
    try (MessageChannel channel = connect()) {
      Message request = command("{stream: 1}").withFlags(Message.EXHAUST_ALLOWED);
      channel.send(request);
      int responseTo = request.requestId();
      for (int i = 0; i < 4; i++) {
        Message reply = channel.receive(SOON);
        assertThat(reply.responseTo()).isEqualTo(responseTo);
        assertThat(reply.body().getInt32("i").getValue()).isEqualTo(i);
        assertThat(reply.moreToCome()).isEqualTo(i < 3);
        responseTo = reply.requestId();
      }
    }
  }

  @Test
  void an_error_of_the_service_becomes_a_reply_that_tells_nothing_of_its_inside() throws Exception {
    try (MessageChannel channel = connect()) {
      BsonDocument reply = call(channel, command("{fail: 1}"));
      assertThat(reply.getDouble("ok").getValue()).isZero();
      assertThat(reply.getInt32("code").getValue()).isEqualTo(1);
      assertThat(reply.getString("codeName").getValue()).isEqualTo("InternalError");
      assertThat(reply.toJson()).doesNotContain("secret").doesNotContain("Exception");
      assertThat(call(channel, command("{ping: 1}"))).isEqualTo(OK);
    }
  }

  @Test
  void a_service_may_hang_up_without_an_answer() throws Exception {
    try (MessageChannel channel = connect()) {
      channel.send(command("{hangUp: 1}"));
      assertThatExceptionOfType(ConnectionClosedException.class)
          .isThrownBy(() -> channel.receive(SOON))
          .withMessageContaining("by the peer");
      assertThat(channel.isOpen()).isFalse();
      assertThat(serviceClosed.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void after_a_read_timeout_the_late_reply_is_what_comes_next() throws Exception {
    try (MessageChannel channel = connect()) {
      Message slow = command("{block: 1}");
      channel.send(slow);
      assertThatExceptionOfType(ReadTimeoutException.class)
          .isThrownBy(() -> channel.receive(Duration.ofMillis(30)));
      release.countDown();
      assertThat(channel.receive(SOON).responseTo()).isEqualTo(slow.requestId());
    }
  }

  @Test
  @SuppressWarnings("try") // closing early is what is tested
  void closing_from_another_thread_wakes_the_receiver() throws Exception {
    try (MessageChannel channel = connect()) {
      assertThat(call(channel, command("{ping: 1}"))).isEqualTo(OK);
      AtomicReference<@Nullable Throwable> woken = new AtomicReference<>();
      CountDownLatch started = new CountDownLatch(1);
      Thread receiver =
          Thread.ofVirtual()
              .start(
                  () -> {
                    started.countDown();
                    try {
                      channel.receive(Duration.ZERO);
                    } catch (WireException closed) {
                      woken.set(closed);
                    }
                  });
      started.await();
      channel.close();
      assertThat(receiver.join(SOON)).isTrue();
      assertThat(woken.get())
          .isInstanceOf(ConnectionClosedException.class)
          .hasMessageContaining("on this side");
      assertThatExceptionOfType(ConnectionClosedException.class)
          .isThrownBy(() -> channel.send(command("{ping: 1}")));
    }
  }

  @Test
  @SuppressWarnings("try") // closing early is what is tested
  void closing_from_another_thread_wakes_a_sender_whose_peer_does_not_read() throws Exception {
    try (MessageChannel channel = connect()) {
      channel.send(command("{block: 1}"));
      assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
      AtomicReference<@Nullable Throwable> woken = new AtomicReference<>();
      Message large =
          Message.command(new BsonDocument("data", new org.bson.BsonBinary(new byte[1_000_000])));
      CountDownLatch sentFirst = new CountDownLatch(1);
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 1000; i++) {
                        channel.send(large);
                        sentFirst.countDown();
                      }
                    } catch (WireException closed) {
                      woken.set(closed);
                    }
                  });
      assertThat(sentFirst.await(10, TimeUnit.SECONDS)).isTrue();
      channel.close();
      assertThat(sender.join(SOON)).isTrue();
      assertThat(woken.get()).isInstanceOf(ConnectionClosedException.class);
    }
  }

  @Test
  void an_interrupt_closes_the_channel() throws Exception {
    try (MessageChannel channel = connect()) {
      assertThat(call(channel, command("{ping: 1}"))).isEqualTo(OK);
      AtomicReference<@Nullable Throwable> woken = new AtomicReference<>();
      Thread receiver =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      channel.receive(Duration.ZERO);
                    } catch (WireException closed) {
                      woken.set(closed);
                    }
                  });
      receiver.interrupt();
      assertThat(receiver.join(SOON)).isTrue();
      assertThat(woken.get()).isInstanceOf(ConnectionClosedException.class);
      assertThat(channel.isOpen()).isFalse();
    }
  }

  @Test
  void a_message_above_the_clients_limit_is_refused_before_it_is_sent() throws Exception {
    try (MessageChannel channel = connect(limits(), new DialOptions(SOON, 100_000))) {
      Message large =
          Message.command(new BsonDocument("data", new org.bson.BsonBinary(new byte[200_000])));
      assertThatExceptionOfType(MessageTooLargeException.class)
          .isThrownBy(() -> channel.send(large));
      assertThat(call(channel, command("{ping: 1}"))).isEqualTo(OK);
    }
  }

  @Test
  void a_reply_above_the_limit_becomes_an_error_reply() throws Exception {
    try (MessageChannel channel =
        connect(limits().withMessageBytesMax(100_000), DialOptions.DEFAULT)) {
      assertThat(call(channel, command("{large: 1}")).getInt32("code").getValue()).isEqualTo(10334);
      assertThat(call(channel, command("{ping: 1}"))).isEqualTo(OK);
    }
  }

  @Test
  void clients_above_the_limit_are_turned_away_and_the_others_served() throws Exception {
    try (MessageChannel first = connect(limits().withConnectionsMax(1), DialOptions.DEFAULT)) {
      assertThat(call(first, command("{ping: 1}"))).isEqualTo(OK);
      try (MessageChannel second = connect()) {
        assertThatExceptionOfType(ConnectionClosedException.class)
            .isThrownBy(() -> call(second, command("{ping: 1}")));
      }
      assertThat(call(first, command("{ping: 1}"))).isEqualTo(OK);
    }
  }

  @Test
  void a_silent_client_is_closed_after_the_handshake_timeout() throws Exception {
    try (MessageChannel silent =
        connect(limits().withTimeouts(Duration.ofMillis(50), SOON, SOON), DialOptions.DEFAULT)) {
      assertThatExceptionOfType(ConnectionClosedException.class)
          .isThrownBy(() -> silent.receive(SOON))
          .withMessageContaining("by the peer");
    }
  }

  @Test
  void an_idle_client_is_closed_after_the_idle_timeout() throws Exception {
    try (MessageChannel idle =
        connect(limits().withTimeouts(SOON, SOON, Duration.ofMillis(50)), DialOptions.DEFAULT)) {
      assertThat(call(idle, command("{ping: 1}"))).isEqualTo(OK);
      assertThatExceptionOfType(ConnectionClosedException.class)
          .isThrownBy(() -> idle.receive(SOON))
          .withMessageContaining("by the peer");
    }
  }

  @Test
  void closing_the_listener_interrupts_requests_waits_for_its_threads_and_frees_the_address()
      throws Exception {
    MessageChannel channel = connect();
    channel.send(command("{block: 1}"));
    assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
    stop0();
    assertThat(serviceClosed.getCount()).isZero();
    assertThatExceptionOfType(ConnectionClosedException.class)
        .isThrownBy(() -> channel.receive(SOON));
    Address to = java.util.Objects.requireNonNull(address);
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> Dialer.dial(to.host(), to.port(), DialOptions.DEFAULT));
  }

  private void stop0() throws Exception {
    java.util.Objects.requireNonNull(listener).close();
  }
}
