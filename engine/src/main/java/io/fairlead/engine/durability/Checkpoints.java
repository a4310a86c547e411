// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes checkpoints beside the journal, one at a time, each on a thread of its own. {@link #begin}
 * is called by the journal's thread; {@link #awaitLast} when that has ended.
 */
final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  private final DataDirectory directory;
  private final Disk disk;
  private final BooleanSupplier closing;
  private volatile long lastBytes;
  private volatile @Nullable Thread underWay;

  /**
   * @param lastBytes how large the checkpoint is that was found; 0 for none
   * @param closing whether the journal is being closed, so that one under way is given up
   */
  Checkpoints(DataDirectory directory, Disk disk, long lastBytes, BooleanSupplier closing) {
    this.directory = directory;
    this.disk = disk;
    this.lastBytes = lastBytes;
    this.closing = closing;
  }

  /** How large the last one was. */
  long lastBytes() {
    return lastBytes;
  }

  boolean isUnderWay() {
    return underWay != null;
  }

  /**
   * Begins to write the content with which a journal begins; when it is written, the files before
   * that journal go.
   *
   * @param generation of that journal
   * @param sequence of the last frame before it
   */
  void begin(long generation, long sequence, Content content) {
    Thread beside =
        Thread.ofPlatform()
            .name("fairlead-checkpoint-" + directory.path().getFileName())
            .daemon()
            .unstarted(() -> write(generation, sequence, content));
    underWay = beside;
    beside.start();
  }

  private void write(long generation, long sequence, Content content) {
    try {
      long bytes = Checkpoint.write(directory, disk, generation, sequence, content, closing);
      if (bytes >= 0) {
        lastBytes = bytes;
        directory.forgetBefore(disk, generation);
      }
    } catch (IOException | RuntimeException failed) {
      LOG.warn(
          "{}: no checkpoint could be written; the journals before it are kept",
          directory.path(),
          failed);
    } finally {
      underWay = null;
    }
  }

  /** Waits until none is under way. */
  void awaitLast() {
    Thread beside = underWay;
    if (beside != null) {
      Journal.join(beside);
    }
  }
}
