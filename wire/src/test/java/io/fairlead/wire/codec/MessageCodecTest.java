// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.MalformedMessageException;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.MessageTooLargeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageCodecTest {

  private static final int MAX = 48_000_000;
  private final MessageEncoder encoder = new MessageEncoder(MAX);
  private final MessageDecoder decoder = new MessageDecoder(MAX);

  @Test
  void a_command_with_document_sequences_arrives_as_it_was_sent() throws Exception {
    Message sent =
        Message.command(
            BsonDocument.parse("{insert: 'c', $db: 'd'}"),
            List.of(
                new DocumentSequence(
                    "documents",
                    List.of(
                        RawBsonDocument.parse("{a: 1}"),
                        RawBsonDocument.parse("{b: [1, {c: 'é'}]}"))),
                new DocumentSequence("other", List.of())));
    Message received = through(sent, null);
    assertThat(received).isEqualTo(sent);
    assertThat(received.body()).isInstanceOf(RawBsonDocument.class);
    assertThat(received.commandWithSequences())
        .isEqualTo(
            BsonDocument.parse(
                "{insert: 'c', $db: 'd', documents: [{a: 1}, {b: [1, {c: 'é'}]}], other: []}"));
  }

  @Test
  void flags_travel_and_unknown_optional_ones_are_left_alone() throws Exception {
    Message sent =
        Message.command(BsonDocument.parse("{ping: 1}"))
            .withFlags(Message.MORE_TO_COME | Message.EXHAUST_ALLOWED | 1 << 20);
    Message received = through(sent, null);
    assertThat(received.flagBits()).isEqualTo(sent.flagBits());
    assertThat(received.moreToCome()).isTrue();
    assertThat(received.exhaustAllowed()).isTrue();
  }

  @Test
  void an_unknown_required_flag_is_refused() throws Exception {
    byte[] frame = frame(Message.command(BsonDocument.parse("{ping: 1}")), null);
    frame[16] |= 4;
    refused(frame, "required flag");
  }

  @Test
  void a_checksum_is_written_verified_and_returned_in_kind() throws Exception {
    Message sent =
        Message.command(BsonDocument.parse("{ping: 1}")).withFlags(Message.CHECKSUM_PRESENT);
    byte[] frame = frame(sent, null);
    Message received = decoder.decode(frame, 0, frame.length);
    assertThat(received).isEqualTo(sent);
    assertThat(Message.reply(received, new BsonDocument()).checksumPresent()).isTrue();
    frame[frame.length - 6] ^= 1;
    refused(frame, "checksum");
  }

  @Test
  void the_checksum_is_castagnolis() throws Exception {
    byte[] frame =
        frame(
            Message.command(BsonDocument.parse("{ping: 1}")).withFlags(Message.CHECKSUM_PRESENT),
            null);
    assertThat(ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(frame.length - 4))
        .isEqualTo(castagnoli(frame, frame.length - 4));
  }

  /** The definition, bit by bit. */
  private static int castagnoli(byte[] bytes, int length) {
    int crc = -1;
    for (int i = 0; i < length; i++) {
      crc ^= bytes[i] & 0xFF;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) != 0 ? crc >>> 1 ^ 0x82F63B78 : crc >>> 1;
      }
    }
    return ~crc;
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void every_compressor_brings_a_message_through(Compressor compressor) throws Exception {
    Message sent =
        Message.command(
            BsonDocument.parse(
                "{insert: 'c', $db: 'd', comment: '" + "fairlead ".repeat(5000) + "'}"));
    byte[] frame = frame(sent, compressor);
    assertThat(frame.length).isLessThan(10_000);
    assertThat(decoder.decode(frame, 0, frame.length)).isEqualTo(sent);
    assertThat(decoder.compressor()).isEqualTo(compressor);
  }

  @ParameterizedTest
  @EnumSource(Compressor.class)
  void a_compressed_message_that_lies_about_its_size_is_refused(Compressor compressor)
      throws Exception {
    for (int size : new int[] {-1, 0, 10, 45_017, 45_019, 47_000_000, Integer.MAX_VALUE}) {
      byte[] frame =
          frame(
              Message.command(BsonDocument.parse("{a: '" + "fairlead ".repeat(5000) + "'}")),
              compressor);
      ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(20, size);
      refused(frame, "");
    }
  }

  @Test
  void the_handshake_and_authentication_never_travel_compressed() throws Exception {
    for (String name : List.of("hello", "isMaster", "saslStart", "saslContinue", "createUser")) {
      byte[] frame =
          frame(Message.command(BsonDocument.parse("{" + name + ": 1}")), Compressor.ZLIB);
      assertThat(ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(12))
          .isEqualTo(Protocol.OP_MSG);
    }
  }

  @Test
  void a_legacy_hello_arrives_like_any_command() throws Exception {
    Message sent =
        Message.legacyCommand(BsonDocument.parse("{isMaster: 1, helloOk: true, $db: 'admin'}"));
    Message received = through(sent, null);
    assertThat(received.kind()).isEqualTo(Message.Kind.LEGACY_QUERY);
    assertThat(received.body())
        .isEqualTo(
            BsonDocument.parse(
                "{isMaster: 1, helloOk: true, $readPreference: {mode: 'secondaryPreferred'}, $db:"
                    + " 'admin'}"));
    Message reply = Message.reply(received, BsonDocument.parse("{ok: 1}"));
    assertThat(reply.kind()).isEqualTo(Message.Kind.LEGACY_REPLY);
    assertThat(through(reply, null)).isEqualTo(reply);
  }

  @Test
  void a_wrapped_legacy_query_is_unwrapped_with_its_read_preference() throws Exception {
    Message sent =
        Message.legacyCommand(
            BsonDocument.parse(
                "{$query: {ping: 1}, $readPreference: {mode: 'nearest'}, $db: 'test'}"));
    assertThat(through(sent, null).body())
        .isEqualTo(
            BsonDocument.parse("{ping: 1, $readPreference: {mode: 'nearest'}, $db: 'test'}"));
  }

  @Test
  void a_legacy_query_of_a_collection_is_refused() throws Exception {
    byte[] frame = frame(Message.legacyCommand(BsonDocument.parse("{a: 1, $db: 'test'}")), null);
    int at = new String(frame, StandardCharsets.ISO_8859_1).indexOf("$cmd");
    frame[at] = 'x';
    refused(frame, "for commands only");
  }

  @Test
  void retired_opcodes_are_refused_by_name() throws Exception {
    byte[] frame = frame(Message.command(BsonDocument.parse("{ping: 1}")), null);
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(12, 2002);
    refused(frame, "opcode 2002");
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 15, 20, 48_000_001, Integer.MAX_VALUE})
  void an_impossible_length_is_refused_from_the_header_alone(int length) throws Exception {
    byte[] header =
        Arrays.copyOf(frame(Message.command(BsonDocument.parse("{ping: 1}")), null), 16);
    ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).putInt(0, length);
    assertThatExceptionOfType(MalformedMessageException.class)
        .isThrownBy(() -> decoder.lengthOf(header, 0));
  }

  @Test
  void every_truncation_of_a_message_is_refused() throws Exception {
    Message message =
        Message.command(
            BsonDocument.parse(
                "{insert: 'c', a: [1, 'x', {b: null}], d: {$date: 0}, r: /a/i, $db: 'd'}"),
            List.of(new DocumentSequence("documents", List.of(RawBsonDocument.parse("{a: 1}")))));
    byte[] whole = frame(message, null);
    int bodyEnd = 21 + ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(21);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      if (length >= 4) {
        ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putInt(0, length);
      }
      if (length != bodyEnd) { // cut there, it is a command without documents
        refused(cut, "");
      }
    }
  }

  @Test
  void a_message_needs_exactly_one_body_and_distinct_sequences() throws Exception {
    RawBsonDocument document = RawBsonDocument.parse("{a: 1}");
    byte[] bytes = new byte[document.getByteBuffer().remaining()];
    document.getByteBuffer().get(bytes);
    refused(frameOf(new byte[] {0}, bytes, new byte[] {0}, bytes), "two bodies");
    byte[] sequence =
        ByteBuffer.allocate(7)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) 1)
            .putInt(6)
            .put((byte) 'x')
            .put((byte) 0)
            .array();
    refused(frameOf(sequence), "without a body");
    refused(frameOf(new byte[] {0}, bytes, sequence, sequence), "two document sequences");
    refused(frameOf(new byte[] {2}, bytes), "kind 2");
  }

  @Test
  void nesting_is_bounded() throws Exception {
    assertThat(through(Message.command(nested(500)), null).body()).isNotEmpty();
    byte[] frame = frame(Message.command(nested(600)), null);
    refused(frame, "nest deeper");
  }

  @Test
  void a_document_above_16_mebibytes_and_16_kibibytes_is_refused() throws Exception {
    byte[] large = new byte[16 * 1024 * 1024 + 17 * 1024];
    ByteBuffer bytes = ByteBuffer.wrap(large).order(ByteOrder.LITTLE_ENDIAN);
    bytes
        .putInt(large.length)
        .put((byte) 5)
        .put((byte) 'b')
        .put((byte) 0)
        .putInt(large.length - 13);
    refused(frame(Message.command(new RawBsonDocument(large)), null), "limit is 16793600");
  }

  @Test
  void a_message_above_the_limit_is_not_sent() {
    MessageEncoder small = new MessageEncoder(2000);
    BsonDocument body = BsonDocument.parse("{a: '" + "x".repeat(2000) + "'}");
    assertThatExceptionOfType(MessageTooLargeException.class)
        .isThrownBy(() -> small.encode(Message.command(body), null));
    assertThatExceptionOfType(MessageTooLargeException.class)
        .isThrownBy(
            () -> small.encode(Message.command(RawBsonDocument.parse(body.toJson())), null));
  }

  @Test
  void a_document_keeps_nothing_of_the_buffer_alive() throws Exception {
    byte[] frame = frame(Message.command(BsonDocument.parse("{a: 1}")), null);
    Message received = decoder.decode(frame, 0, frame.length);
    Arrays.fill(frame, (byte) 0x55);
    assertThat(received.body()).isEqualTo(BsonDocument.parse("{a: 1}"));
  }

  private static BsonDocument nested(int depth) {
    BsonDocument document = new BsonDocument();
    for (int i = 1; i < depth; i++) {
      document = new BsonDocument("a", document);
    }
    return document;
  }

  private static byte[] frameOf(byte[]... sections) {
    int length = 20 + Arrays.stream(sections).mapToInt(section -> section.length).sum();
    ByteBuffer frame = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(length).putInt(1).putInt(0).putInt(Protocol.OP_MSG).putInt(0);
    for (byte[] section : sections) {
      frame.put(section);
    }
    return frame.array();
  }

  private void refused(byte[] frame, String why) {
    assertThatExceptionOfType(MalformedMessageException.class)
        .isThrownBy(() -> decoder.decode(frame, 0, frame.length))
        .withMessageContaining(why);
  }

  private Message through(Message message, @Nullable Compressor compressor) throws Exception {
    byte[] frame = frame(message, compressor);
    return decoder.decode(frame, 0, frame.length);
  }

  private byte[] frame(Message message, @Nullable Compressor compressor) throws Exception {
    int length = encoder.encode(message, compressor);
    return Arrays.copyOf(encoder.bytes(), length);
  }
}
