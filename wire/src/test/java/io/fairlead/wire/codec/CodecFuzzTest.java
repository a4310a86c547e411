// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.fairlead.wire.message.Compressor;
import io.fairlead.wire.message.MalformedMessageException;
import io.fairlead.wire.message.Message;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Mutated and random frames: either a message comes out, all of whose documents can be read to the
 * end, or {@link MalformedMessageException}.
 */
final class CodecFuzzTest {

  private static final int ROUNDS = 30_000;
  private static final long SEED = 20_261_129;

  @Test
  void nothing_but_messages_and_its_own_error_comes_out_of_the_decoder() throws Exception {
    Random random = new Random(SEED);
    Frames frames = new Frames();
    MessageDecoder decoder = new MessageDecoder(48_000_000);
    int messages = 0;
    int refusals = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] frame = frames.mutated(random);
      try {
        readWhole(decoder.decode(frame, 0, frame.length));
        messages++;
      } catch (MalformedMessageException expected) {
        refusals++;
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError wrong) {
        fail(
            "round "
                + round
                + " of seed "
                + SEED
                + ": "
                + java.util.HexFormat.of().formatHex(frame),
            wrong);
      }
    }
    assertThat(messages).isGreaterThan(ROUNDS / 50);
    assertThat(refusals).isGreaterThan(ROUNDS / 10);
  }

  @Test
  void an_announced_size_alone_takes_no_memory() throws Exception {
    byte[] frame = new Frames().compressed(Compressor.ZLIB);
    LittleEndian.putInt32(frame, 20, 47_000_000);
    MessageDecoder decoder = new MessageDecoder(48_000_000);
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100; i++) {
      try {
        decoder.decode(frame, 0, frame.length);
        fail("a lie was believed");
      } catch (MalformedMessageException expected) {
        // as it should be
      }
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L * 200_000);
  }

  private static void readWhole(Message message) {
    assertThat(message.commandWithSequences().toString()).isNotNull();
  }
}
