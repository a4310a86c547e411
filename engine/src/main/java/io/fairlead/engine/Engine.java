// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine;

import io.fairlead.engine.commit.CommitParticipant;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.durability.Disk;
import io.fairlead.engine.index.IndexSpec;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Databases, collections and indexes as one immutable value that commits replace. Readers take a
 * {@link Snapshot} and no lock; writers of one collection take turns; a commit is one atomic swap
 * of the whole value, over as many collections as it touched. All methods may be called from any
 * thread.
 */
public interface Engine extends AutoCloseable {
  /** An empty engine in memory. */
  static Engine open(EngineOptions options) {
    return io.fairlead.engine.state.StoreEngine.open(options);
  }

  /**
   * An engine whose content is kept in a directory: what was there is there again. The directory is
   * made when there is none.
   *
   * @throws io.fairlead.engine.durability.DataDirectoryException when it cannot be used: another
   *     process has it, it is damaged, or the disk fails
   */
  static Engine open(EngineOptions options, Path dataDirectory) {
    return io.fairlead.engine.state.StoreEngine.open(options, dataDirectory, Disk.system());
  }

  EngineOptions options();

  /** Whether its content is kept on disk. */
  boolean isDurable();

  /**
   * False while its content cannot be written to disk: writes are refused until it can. True when
   * it keeps nothing there.
   */
  boolean diskWorks();

  /**
   * Waits until everything that is committed now would survive the end of the process; at once when
   * the engine keeps nothing on disk.
   *
   * @throws io.fairlead.engine.error.EngineException 14031 OutOfDiskSpace or 39 when the disk
   *     cannot be written; 91 when the engine is closed meanwhile
   */
  void awaitDurable() throws InterruptedException;

  /**
   * As {@link #awaitDurable()}, and no longer than that.
   *
   * @return false when the time was over first
   */
  boolean awaitDurable(Duration atMost) throws InterruptedException;

  /**
   * Runs {@code action} when everything that is committed now would survive the end of the process:
   * at once, on this thread, when the engine keeps nothing on disk; else on a thread of the
   * engine's, in the order in which it was asked. It must be short.
   */
  void whenDurable(Runnable action);

  /** An operation that begins now, by the engine's clock: no variables, never interrupted. */
  OperationContext operation();

  /** The newest committed state, in constant time and without a lock. */
  Snapshot snapshot();

  /**
   * Runs {@code body} and commits what it wrote, all or nothing.
   *
   * <p>A write waits for its turn on each collection it touches, at most {@link
   * EngineOptions#lockWaitMax()}. When several collections are contended, the engine undoes the
   * body's work and runs it again a bounded number of times, so {@code body} must have no effects
   * but on its transaction. When nothing was written nothing is committed.
   *
   * @throws io.fairlead.engine.error.EngineException what {@code body} threw, after which nothing
   *     is written; or 112 WriteConflict when its turn never came
   */
  <T> T write(WriteContext context, Function<WriteTransaction, T> body);

  /**
   * Builds indexes beside the writers of their collection, then runs what creates them by {@link
   * WriteTransaction#createIndexes}: that write finds most of the work done, so that others wait
   * for it only briefly.
   *
   * @param create creates them, and does nothing else that takes long
   * @throws io.fairlead.engine.error.EngineException what creating them would throw: 11000, 67 …
   */
  <T> T withPreparedIndexes(Namespace namespace, List<IndexSpec> specs, Supplier<T> create);

  /**
   * Begins a multi-document transaction on the newest state: snapshot isolation, and 112
   * WriteConflict as soon as it touches what another has changed since. Used by one thread at a
   * time.
   */
  Transaction begin(WriteContext context);

  /**
   * Waits until a commit newer than {@code version} can be seen.
   *
   * @return the newest version; not greater than {@code version} when the time ran out
   */
  long awaitNewer(long version, Duration timeout) throws InterruptedException;

  /**
   * Sets who takes part in every commit. At most one; set it before the first write that it has to
   * see.
   *
   * @see CommitParticipant
   */
  void setCommitParticipant(CommitParticipant participant);

  /**
   * Begins writes on no content at all, beside this engine's, that nobody sees and nobody waits
   * for. Their snapshot can take the content's place: {@link #resetTo}. Used by one thread.
   */
  WriteTransaction aside();

  /**
   * Replaces the content in one commit, by an earlier state of this engine (rollback) or by what
   * was written {@link #aside()}. Writes and transactions under way end with 112. The version still
   * grows. The participant does not take part.
   *
   * @param kept which collections stay as they are now
   * @throws io.fairlead.engine.error.EngineException 14031 or 39 while the disk cannot be written,
   *     91 when the engine is closed; nothing is changed then
   */
  void resetTo(Snapshot snapshot, Predicate<Namespace> kept);

  /**
   * Ends writes under way with 91 ShutdownInProgress; open snapshots stay readable. What is
   * committed is written to disk before it returns, where the content is kept there.
   */
  @Override
  void close();
}
