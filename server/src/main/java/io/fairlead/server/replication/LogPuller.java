// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.write.WriteContext;
import io.fairlead.engine.write.WriteTransaction;
import io.fairlead.server.oplog.EntryApplier;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.server.retryable.RetryableWrites;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BSONException;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the log of the sync source: a virtual thread pulls and applies; a {@link
 * PositionReporter} tells the source how far. When the logs have parted, this one goes back to the
 * last common entry whose state is kept, else it copies everything.
 *
 * <p>Whom to follow is the protocol's decision, given by {@link #follow} and {@link #stop}. A
 * source that fails is reported and not asked again until the protocol names one; nothing here
 * retries by itself.
 */
final class LogPuller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogPuller.class);
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();
  private static final Duration AWAIT = Duration.ofMillis(500);

  /** What the puller needs of its member. */
  interface Host extends ProtocolPort {
    PeerLink linkTo(int member);

    /** Waits until the protocol knows that of the data, or it takes too long. */
    void awaitData(ReplicaState.Data data, Duration atMost) throws InterruptedException;

    /** Where the log ends. */
    OpTime lastApplied();

    /** Where this member would stand after a crash: what the others are told. */
    OpTime lastRecorded();

    /** Keeps the log within its size; within a transaction that writes to it. */
    void trimLog(WriteTransaction transaction);

    /** The log ends there now, and this is the state after it. */
    void applied(OpTime end);

    /** Everything after that entry never was. */
    void rolledBackTo(OpTime end);

    /** All data is a fresh copy that ends there. */
    void replaced(OpTime end);
  }

  private record Assignment(int member, long number) {}

  private final String name;
  private final Engine engine;
  private final Oplog oplog;
  private final RetryableWrites records;
  private final CommittedViews views;
  private final InstantSource wall;
  private final Duration timeout;
  private final Host host;
  private final Thread pulling;
  private final PositionReporter reporter;

  /** Held while the data is changed; taken before {@link #lock} where both are. */
  private final ReentrantLock applying = new ReentrantLock();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // under lock
  private @Nullable Assignment assignment;
  private long assignments;
  private Duration lag = Duration.ZERO;
  private boolean closed;

  LogPuller(
      String name,
      Engine engine,
      Oplog oplog,
      RetryableWrites records,
      CommittedViews views,
      InstantSource wall,
      Duration timeout,
      Host host) {
    this.name = name;
    this.engine = engine;
    this.oplog = oplog;
    this.records = records;
    this.views = views;
    this.wall = wall;
    this.timeout = timeout;
    this.host = host;
    this.pulling = Thread.ofVirtual().name("fairlead-" + name + "-pull").unstarted(this::pull);
    this.reporter = new PositionReporter(name, timeout, host);
  }

  void start() {
    pulling.start();
    reporter.start();
  }

  // ---- orders, from the protocol's thread

  void follow(int member) {
    change(() -> assignment = new Assignment(member, ++assignments));
    reporter.follow(member);
  }

  void stop() {
    change(() -> assignment = null);
    reporter.stop();
  }

  /** Tells the source the positions, unless a fetch has told it, or is about to. */
  void reportSoon() {
    reporter.reportSoon();
  }

  /** Entries are applied only when they are that old. */
  void lagBehind(Duration duration) {
    change(() -> lag = duration);
  }

  private void change(Runnable what) {
    lock.lock();
    try {
      what.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Runs {@code what} while nothing that was pulled is being applied. */
  void whileNotApplying(Runnable what) {
    applying.lock();
    try {
      what.run();
    } finally {
      applying.unlock();
    }
  }

  // ---- pulling

  private void pull() {
    long done = 0;
    try {
      while (true) {
        Assignment now = awaitAssignment(done);
        if (now == null) {
          return;
        }
        done = now.number;
        follow(now);
      }
    } catch (InterruptedException e) {
      LOG.debug("[{}] stopped pulling", name); // only close() interrupts
    }
  }

  private @Nullable Assignment awaitAssignment(long done) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && (assignment == null || assignment.number == done)) {
        changed.await();
      }
      return closed ? null : assignment;
    } finally {
      lock.unlock();
    }
  }

  private boolean isCurrent(Assignment given) {
    lock.lock();
    try {
      return !closed && given.equals(assignment);
    } finally {
      lock.unlock();
    }
  }

  private void follow(Assignment source) throws InterruptedException {
    PeerLink link;
    try {
      link = host.linkTo(source.member);
    } catch (IllegalStateException noMember) {
      host.post(new Event.SourceFailed(source.member, timeout));
      return;
    }
    try {
      while (isCurrent(source)) {
        if (host.state().data() == ReplicaState.Data.INITIAL_SYNC) {
          copy(source, link);
        } else {
          pullOnce(source, link);
        }
      }
    } catch (PeerRefusedException refused) {
      if (!isCurrent(source)) {
        return;
      }
      if (refused.leadershipIsChanging()) {
        LOG.info(
            "[{}] {} neither leads nor follows now ({}); waiting for the change",
            name,
            link.host(),
            refused.code());
        host.post(new Event.SourceRefused(source.member));
      } else {
        LOG.warn("[{}] cannot pull from {}: {}", name, link.host(), refused.getMessage());
        host.post(new Event.SourceFailed(source.member, timeout));
      }
    } catch (WireException broken) {
      if (isCurrent(source)) {
        LOG.info(
            "[{}] the connection to sync source {} broke: {}",
            name,
            link.host(),
            broken.getMessage());
        host.post(
            new Event.SourceFailed(
                source.member, host.state().config() == null ? timeout : Duration.ofMillis(100)));
      }
    } catch (BSONException malformed) {
      if (isCurrent(source)) {
        LOG.error("[{}] {} sends what is not a log", name, link.host(), malformed);
        host.post(new Event.SourceFailed(source.member, timeout));
      }
    } catch (RuntimeException cannotApply) {
      if (isCurrent(source) && isOfTheDisk(cannotApply)) {
        LOG.warn(
            "[{}] cannot take in the log of {} and stays where it is: {}",
            name,
            link.host(),
            cannotApply.getMessage());
        host.post(new Event.SourceFailed(source.member, timeout));
      } else if (isCurrent(source)) {
        LOG.error(
            "[{}] cannot apply the log of {}; copying all data anew",
            name,
            link.host(),
            cannotApply);
        host.post(new Event.DataChanged(ReplicaState.Data.INITIAL_SYNC));
        host.post(new Event.SourceFailed(source.member, timeout));
      }
    }
  }

  /** Nothing was changed then, and copying all data anew would need the same disk. */
  private static boolean isOfTheDisk(RuntimeException failure) {
    return failure instanceof EngineException refused
        && (refused.code() == ErrorCodes.OUT_OF_DISK_SPACE
            || refused.code() == ErrorCodes.FILE_STREAM_FAILED);
  }

  private void copy(Assignment source, PeerLink link)
      throws WireException, PeerRefusedException, InterruptedException {
    InitialSync sync = new InitialSync(engine, link, timeout);
    InitialSync.Copy copy = sync.gather();
    applying.lock();
    try {
      if (!isCurrent(source)) {
        return;
      }
      OpTime end = sync.install(copy);
      host.replaced(end);
      LOG.info("[{}] copied all data of {}, up to {}", name, link.host(), end);
    } finally {
      applying.unlock();
    }
    enter(ReplicaState.Data.READY);
  }

  /** Lets the protocol take note, so that the next round sees it. */
  private void enter(ReplicaState.Data data) throws InterruptedException {
    host.post(new Event.DataChanged(data));
    host.awaitData(data, timeout);
  }

  private void pullOnce(Assignment source, PeerLink link)
      throws WireException, PeerRefusedException, InterruptedException {
    OpTime end = host.lastApplied();
    Map<Integer, OpTime> positions = reporter.toTellNow();
    BsonDocument reply =
        link.call(
            new BsonDocument("_fairleadFetchOplog", new BsonInt32(1))
                .append("to", new BsonInt32(source.member))
                .append("after", end.toDocument())
                .append("optimes", PeerMessages.optimes(positions))
                .append("committed", host.state().committed().toDocument())
                .append("awaitMillis", new BsonInt64(AWAIT.toMillis())),
            AWAIT.plus(timeout));
    if (!PeerMessages.truth(reply, "common")) {
      parted(source, link, end, OpTime.parse(reply.getDocument("end")));
      return;
    }
    List<OplogEntry> entries = new ArrayList<>();
    for (BsonValue entry : reply.getArray("entries")) {
      entries.add(new OplogEntry(raw(entry.asDocument())));
    }
    int from = 0;
    while (from < entries.size()) {
      int to = awaitDue(source, entries, from);
      if (to == from) {
        return;
      }
      if (!apply(source, entries.subList(from, to), to == entries.size())) {
        return;
      }
      from = to;
    }
    host.post(new Event.CommittedHeard(OpTime.parse(reply.getDocument("committed"))));
  }

  private static RawBsonDocument raw(BsonDocument document) {
    return document instanceof RawBsonDocument raw ? raw : new RawBsonDocument(document, CODEC);
  }

  /**
   * Waits until the entry at {@code from} is old enough; the end of those that are, or {@code from}
   * when it is over.
   */
  private int awaitDue(Assignment source, List<OplogEntry> entries, int from)
      throws InterruptedException {
    lock.lock();
    try {
      while (!closed && source.equals(assignment)) {
        if (lag.isZero()) {
          return entries.size();
        }
        long before = wall.millis() - lag.toMillis();
        int to = from;
        while (to < entries.size() && entries.get(to).wallMillis() <= before) {
          to++;
        }
        if (to > from) {
          return to;
        }
        changed.await(entries.get(from).wallMillis() - before, TimeUnit.MILLISECONDS);
      }
      return from;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies entries.
   *
   * @param last whether the next fetch follows at once and tells the position
   */
  private boolean apply(Assignment source, List<OplogEntry> entries, boolean last) {
    applying.lock();
    try {
      if (!isCurrent(source)) {
        return false;
      }
      engine.write(
          WriteContext.unreplicated(),
          transaction -> {
            EntryApplier applier = new EntryApplier(transaction);
            for (OplogEntry entry : entries) {
              applier.apply(entry);
              transaction.insert(Oplog.NAMESPACE, entry.document());
            }
            records.derive(transaction, entries, this::image);
            host.trimLog(transaction);
            return true;
          });
      OpTime end = entries.getLast().opTime();
      if (last) {
        reporter.willTell(end);
      }
      host.applied(end);
      return true;
    } finally {
      applying.unlock();
    }
  }

  private @Nullable BsonDocument image(long timestamp) {
    return oplog
        .at(engine.snapshot(), new BsonTimestamp(timestamp))
        .map(OplogEntry::object)
        .orElse(null);
  }

  // ---- rollback

  private void parted(Assignment source, PeerLink link, OpTime end, OpTime theirEnd)
      throws WireException, PeerRefusedException, InterruptedException {
    if (theirEnd.compareTo(end) < 0) {
      LOG.info("[{}] sync source {} is behind ({} before {})", name, link.host(), theirEnd, end);
      host.post(new Event.SourceFailed(source.member, Duration.ofMillis(100)));
      stop(source);
      return;
    }
    BsonArray points = new BsonArray();
    views.rollbackPoints().forEach(point -> points.add(point.toDocument()));
    OpTime common =
        OpTime.parse(
            link.call(
                    new BsonDocument("_fairleadFindCommonPoint", new BsonInt32(1))
                        .append("to", new BsonInt32(source.member))
                        .append("points", points),
                    timeout)
                .getDocument("point"));
    applying.lock();
    try {
      if (!isCurrent(source)) {
        return;
      }
      if (common.isNone()) {
        LOG.warn("[{}] no kept state is common with {}; copying all data anew", name, link.host());
        enter(ReplicaState.Data.INITIAL_SYNC);
        return;
      }
      LOG.warn(
          "[{}] rolls back from {} to {}, the last entry common with {}",
          name,
          end,
          common,
          link.host());
      host.post(new Event.DataChanged(ReplicaState.Data.ROLLBACK));
      engine.resetTo(views.atOrBefore(common).orElseThrow().state(), StoredState.COLLECTIONS);
      host.rolledBackTo(common);
    } finally {
      applying.unlock();
    }
    enter(ReplicaState.Data.READY);
  }

  private void stop(Assignment source) {
    change(
        () -> {
          if (source.equals(assignment)) {
            assignment = null;
            reporter.stop();
          }
        });
  }

  /** Stops both threads and waits for them. */
  @Override
  public void close() {
    change(() -> closed = true);
    reporter.close();
    pulling.interrupt();
    try {
      pulling.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
