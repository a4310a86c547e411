// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.durability;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes every commit of an engine to disk, behind the commits: its own thread takes the newest
 * content, writes how it differs from what is written, forces that, and lets everybody go on who
 * waited for it. Commits that came meanwhile share the next group. Without anybody waiting it
 * writes at least every 100 ms.
 *
 * <p>When the disk is full or fails, whoever waits gets an error, further writes are refused before
 * they change anything, and what was half written is cut off; it is tried again every second, and
 * from the first success on writes are let in. What was committed in memory and not written until
 * then is written with it.
 *
 * <p>A journal that has grown to 32 MiB and twice the last checkpoint is followed by the next file;
 * the content at that moment is written as a checkpoint, and then the older files go.
 */
public final class Journal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final long WRITE_EVERY_NANOS = Duration.ofMillis(100).toNanos();
  private static final long RETRY_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long BYTES_MIN = 32L * 1024 * 1024;

  private final DataDirectory directory;
  private final JournalFile file;
  private final Checkpoints checkpoints;
  private final Content recovered;
  private final long bytesMin;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition progress = lock.newCondition();
  private final Deque<Runnable> after = new ArrayDeque<>();
  private int waiting;
  private long failures;
  private boolean closing;
  private boolean ended;
  private volatile long durable;
  private volatile @Nullable IOException failure;
  private Supplier<Content> newest;

  private Journal(DataDirectory directory, Disk disk, Recovery.Found found, long bytesMin)
      throws IOException {
    this.directory = directory;
    this.recovered = found.content();
    this.newest = () -> recovered;
    this.durable = recovered.version();
    this.file = new JournalFile(directory, disk, found);
    this.checkpoints = new Checkpoints(directory, disk, found.checkpointBytes(), this::isClosing);
    this.bytesMin = bytesMin;
    this.thread =
        Thread.ofPlatform()
            .name("fairlead-journal-" + directory.path().getFileName())
            .daemon()
            .unstarted(this::run);
  }

  /**
   * Takes a directory and reads what is in it.
   *
   * @throws DataDirectoryException when it cannot be used
   */
  public static Journal open(Path path, Disk disk) {
    return open(path, disk, BYTES_MIN);
  }

  /**
   * As {@link #open(Path, Disk)}.
   *
   * @param bytesMin how large a journal is at least before another follows
   */
  static Journal open(Path path, Disk disk, long bytesMin) {
    try {
      DataDirectory directory = DataDirectory.open(path, disk);
      try {
        return new Journal(directory, disk, new Recovery(directory, disk).run(), bytesMin);
      } catch (IOException | RuntimeException unusable) {
        directory.close();
        throw unusable;
      }
    } catch (IOException failed) {
      throw DataDirectoryException.of(path, failed);
    }
  }

  /**
   * Whether anything was ever kept in a directory; does not open it.
   *
   * @throws DataDirectoryException when it cannot be read
   */
  public static boolean holdsSomething(Path path) {
    try {
      return DataDirectory.holdsSomething(path);
    } catch (IOException failed) {
      throw DataDirectoryException.of(path, failed);
    }
  }

  /** What was in the directory. */
  public Content recovered() {
    return recovered;
  }

  /** Begins to write. */
  public void start(Supplier<Content> itsNewest) {
    newest = itsNewest;
    thread.start();
  }

  /** The newest version that would survive the end of the process. */
  public long durable() {
    return durable;
  }

  /** Whether the disk can be written, as far as the last attempt says. */
  public boolean works() {
    return failure == null;
  }

  /**
   * Before a commit.
   *
   * @throws EngineException 14031 or 39 while the disk cannot be written
   */
  public void requireWorking() {
    IOException failed = failure;
    if (failed != null) {
      throw refused(failed, "nothing was written");
    }
  }

  /**
   * Waits until that version is on disk. A write that cannot be recorded within the time it takes
   * the disk to fail is an error.
   *
   * @throws EngineException 14031 or 39 when the disk cannot be written: the version may or may not
   *     survive the end of the process; 91 when the engine is closed meanwhile
   */
  public void await(long version) throws InterruptedException {
    await(version, Long.MAX_VALUE);
  }

  /**
   * As {@link #await(long)}, and no longer than that.
   *
   * @return false when the time was over first
   */
  public boolean await(long version, Duration atMost) throws InterruptedException {
    return await(version, atMost.toNanos());
  }

  private boolean await(long version, long nanos) throws InterruptedException {
    if (durable >= version) {
      return true;
    }
    long left = nanos;
    lock.lockInterruptibly();
    try {
      long seen = failures;
      waiting++;
      work.signal();
      try {
        while (durable < version) {
          IOException failed = failure;
          if (failed != null && failures != seen) {
            throw refused(failed, "the write is not recorded yet");
          }
          if (ended) {
            throw new EngineException(91, "the engine is closed");
          }
          if (left <= 0) {
            return false;
          }
          left = progress.awaitNanos(left);
        }
        return true;
      } finally {
        waiting--;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Runs something, on the journal's thread, when all that is committed now is on disk. */
  public void whenDurable(Runnable action) {
    lock.lock();
    try {
      after.add(action);
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  private static EngineException refused(IOException failed, String what) {
    String message = DiskFaults.told(failed);
    String lower = message.toLowerCase(Locale.ROOT);
    boolean full = lower.contains("no space left") || lower.contains("quota");
    return new EngineException(
        full ? ErrorCodes.OUT_OF_DISK_SPACE : ErrorCodes.FILE_STREAM_FAILED,
        "the journal cannot be written, " + what + ": " + message);
  }

  // ---- the journal's thread

  private void run() {
    boolean stop = false;
    while (!stop) {
      List<Runnable> actions = new ArrayList<>();
      stop = awaitWork(actions);
      Content now = newest.get();
      try {
        if (file.append(now) && isTooLong()) {
          followOn(now);
        }
        succeeded(now.version());
      } catch (IOException failed) {
        failed(failed, actions);
        continue;
      } catch (RuntimeException | Error broken) {
        // Whoever waits must hear of it, and no write may be let in that nobody records.
        failed(new IOException("the journal failed: " + broken, broken), actions);
        continue;
      }
      actions.forEach(Journal::perform);
    }
    ended();
  }

  /** Waits until there is something to do or it is time; true when this is the last turn. */
  private boolean awaitWork(List<Runnable> actions) {
    lock.lock();
    try {
      long left = failure == null ? WRITE_EVERY_NANOS : RETRY_EVERY_NANOS;
      while (left > 0 && !closing && (failure != null || (waiting == 0 && after.isEmpty()))) {
        left = work.awaitNanos(left);
      }
      actions.addAll(after);
      after.clear();
      return closing;
    } catch (InterruptedException nobodyInterrupts) {
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isTooLong() {
    return file.bytes() > Math.max(bytesMin, 2 * checkpoints.lastBytes())
        && !checkpoints.isUnderWay();
  }

  private void followOn(Content now) {
    try {
      file.next();
      checkpoints.begin(file.generation(), file.sequence(), now);
    } catch (IOException failed) {
      LOG.warn("{}: no further journal could be begun", directory.path(), failed);
    }
  }

  private void succeeded(long version) {
    lock.lock();
    try {
      if (failure != null) {
        LOG.warn("{}: the journal can be written again", directory.path());
        failure = null;
      }
      durable = version;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void failed(IOException failed, List<Runnable> actions) {
    if (failure == null) {
      LOG.error(
          "{}: the journal cannot be written; writes are refused until it can",
          directory.path(),
          failed);
    }
    file.cutOff();
    lock.lock();
    try {
      failure = failed;
      failures++;
      for (int i = actions.size() - 1; i >= 0; i--) {
        after.addFirst(actions.get(i));
      }
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static void perform(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException failure) {
      LOG.error("what waited for the journal failed", failure);
    }
  }

  private boolean isClosing() {
    lock.lock();
    try {
      return closing;
    } finally {
      lock.unlock();
    }
  }

  // ---- the end

  private void ended() {
    lock.lock();
    try {
      ended = true;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Writes what there is, ends the threads and lets the directory go. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closing) {
        return;
      }
      closing = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
    join(thread);
    if (failure != null) {
      LOG.error(
          "{}: closed while the disk could not be written; commits after version {} are not on it",
          directory.path(),
          durable,
          failure);
    }
    checkpoints.awaitLast();
    try {
      file.close();
      directory.close();
    } catch (IOException failed) {
      LOG.warn("{}: the journal did not close cleanly", directory.path(), failed);
    }
  }

  static void join(Thread ending) {
    boolean interrupted = false;
    while (ending.isAlive()) {
      try {
        ending.join();
      } catch (InterruptedException e) {
        interrupted = true; // the directory must not be let go while it is written
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
