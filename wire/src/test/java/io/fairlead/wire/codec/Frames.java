// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import io.fairlead.wire.message.MessageTooLargeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Valid frames of every kind, and what a hostile or broken peer makes of them. */
public final class Frames {

  private static final String EVERY_TYPE =
      """
      {double: 1.5, string: 'text', document: {a: {b: [1, 2, {c: 3}]}}, array: [], binary: {$binary: {base64: 'AAEC', subType: '00'}},
       old: {$binary: {base64: 'AAEC', subType: '02'}}, undefined: {$undefined: true}, id: {$oid: '0123456789abcdef01234567'}, bool: true,
       date: {$date: 0}, null: null, regex: /a/i, pointer: DBPointer('c', '0123456789abcdef01234567'), code: {$code: 'x'},
       symbol: {$symbol: 's'}, scoped: {$code: 'x', $scope: {a: 1}}, int32: 1, timestamp: {$timestamp: {t: 1, i: 2}}, int64: {$numberLong: '5'},
       decimal: {$numberDecimal: '1.5'}, min: {$minKey: 1}, max: {$maxKey: 1}}
      """;

  private final MessageEncoder encoder = new MessageEncoder(48_000_000);
  private final List<byte[]> valid = new ArrayList<>();

  public Frames() throws MessageTooLargeException {
    Message plain = command();
    valid.add(frame(plain, null));
    valid.add(frame(plain.withFlags(Message.CHECKSUM_PRESENT), null));
    valid.add(
        frame(
            Message.legacyCommand(
                BsonDocument.parse("{isMaster: 1, $db: 'admin', client: " + EVERY_TYPE + "}")),
            null));
    valid.add(
        frame(
            Message.legacyCommand(
                BsonDocument.parse(
                    "{$query: {ping: 1}, $readPreference: {mode: 'nearest'}, $db: 'admin'}")),
            null));
    valid.add(
        frame(
            Message.reply(Message.legacyCommand(new BsonDocument()), BsonDocument.parse("{ok: 1}")),
            null));
    for (Compressor compressor : Compressor.available()) {
      valid.add(frame(plain, compressor));
    }
  }

  private static Message command() {
    return Message.command(
        BsonDocument.parse("{insert: 'c', $db: 'd', comment: " + EVERY_TYPE + "}"),
        List.of(
            new DocumentSequence(
                "documents",
                List.of(RawBsonDocument.parse(EVERY_TYPE), RawBsonDocument.parse("{a: 1}"))),
            new DocumentSequence("empty", List.of())));
  }

  /** A well-formed frame. */
  public byte[] compressed(Compressor compressor) throws MessageTooLargeException {
    return frame(command(), compressor);
  }

  /**
   * A frame with a few bytes flipped, overwritten, removed or put in, its length mostly put right
   * again; now and then just noise.
   */
  public byte[] mutated(Random random) {
    if (random.nextInt(20) == 0) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      return noise;
    }
    byte[] frame = valid.get(random.nextInt(valid.size())).clone();
    int mutations = 1 + random.nextInt(3);
    for (int i = 0; i < mutations; i++) {
      frame = mutatedOnce(frame, random);
    }
    if (frame.length >= 16 && random.nextInt(10) > 0) {
      LittleEndian.putInt32(frame, 0, frame.length);
    }
    return frame;
  }

  private static byte[] mutatedOnce(byte[] frame, Random random) {
    if (frame.length < 24) {
      return frame;
    }
    int at = random.nextInt(8) == 0 ? random.nextInt(20) : 16 + random.nextInt(frame.length - 16);
    switch (random.nextInt(6)) {
      case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> frame[at] = (byte) random.nextInt();
      case 2 ->
          LittleEndian.putInt32(
              frame,
              Math.min(at, frame.length - 4),
              new int[] {-1, 0, 4, 5, Integer.MAX_VALUE, Integer.MIN_VALUE}[random.nextInt(6)]);
      case 3 -> LittleEndian.putInt32(frame, Math.min(at, frame.length - 4), random.nextInt(100));
      case 4 -> {
        return Arrays.copyOf(frame, at);
      }
      default -> {
        byte[] longer = new byte[frame.length + 3];
        System.arraycopy(frame, 0, longer, 0, at);
        System.arraycopy(frame, at, longer, at + 3, frame.length - at);
        return longer;
      }
    }
    return frame;
  }

  private byte[] frame(Message message, @Nullable Compressor compressor)
      throws MessageTooLargeException {
    int length = encoder.encode(message, compressor);
    return Arrays.copyOf(encoder.bytes(), length);
  }
}
