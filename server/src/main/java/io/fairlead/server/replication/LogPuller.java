// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.oplog.OplogEntry;
import io.fairlead.server.replication.protocol.Event;
import io.fairlead.server.replication.protocol.OpTime;
import io.fairlead.server.replication.protocol.ReplicaState;
import io.fairlead.wire.message.WireException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bson.BSONException;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
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
  private static final Duration SHORTLY = Duration.ofMillis(100);

  /** What the puller needs of its member. */
  interface Host extends ProtocolPort {
    PeerLink linkTo(int member);

    /** Waits until the protocol knows that of the data, or it takes too long. */
    void awaitData(ReplicaState.Data data, Duration atMost) throws InterruptedException;

    /** Where the log ends. */
    OpTime lastApplied();

    /** Where this member would stand after a crash: what the others are told. */
    OpTime lastRecorded();
  }

  private final String name;
  private final Engine engine;
  private final FollowerData data;
  private final Duration timeout;
  private final Host host;
  private final PullOrders orders;
  private final Thread pulling;
  private final PositionReporter reporter;

  LogPuller(
      String name,
      Engine engine,
      FollowerData data,
      InstantSource wall,
      Duration timeout,
      Host host) {
    this.name = name;
    this.engine = engine;
    this.data = data;
    this.timeout = timeout;
    this.host = host;
    this.orders = new PullOrders(wall);
    this.pulling = Thread.ofVirtual().name("fairlead-" + name + "-pull").unstarted(this::run);
    this.reporter = new PositionReporter(name, timeout, host);
  }

  void start() {
    pulling.start();
    reporter.start();
  }

  // ---- orders, from the protocol's thread

  void follow(int member) {
    orders.follow(member);
    reporter.follow(member);
  }

  void stop() {
    orders.stop();
    reporter.stop();
  }

  /** Tells the source the positions, unless a fetch has told it, or is about to. */
  void reportSoon() {
    reporter.reportSoon();
  }

  /** Entries are applied only when they are that old. */
  void lagBehind(Duration duration) {
    orders.lagBehind(duration);
  }

  // ---- pulling

  private void run() {
    try {
      PullOrders.Order order = orders.awaitAfter(0);
      while (order != null) {
        follow(order);
        order = orders.awaitAfter(order.number());
      }
    } catch (InterruptedException e) {
      LOG.debug("[{}] stopped pulling", name); // only close() interrupts
    }
  }

  private void follow(PullOrders.Order order) throws InterruptedException {
    PeerLink source;
    try {
      source = host.linkTo(order.member());
    } catch (IllegalStateException noMember) {
      host.post(new Event.SourceFailed(order.member(), timeout));
      return;
    }
    try {
      while (orders.isCurrent(order)) {
        if (host.state().data() == ReplicaState.Data.INITIAL_SYNC) {
          copy(order, source);
        } else {
          pull(order, source);
        }
      }
    } catch (PeerRefusedException | WireException | RuntimeException failure) {
      if (orders.isCurrent(order)) {
        report(failure, order.member(), source.host());
      }
    }
  }

  private void copy(PullOrders.Order order, PeerLink source)
      throws WireException, PeerRefusedException, InterruptedException {
    Optional<InitialSync.Copy> copy =
        new InitialSync(engine, source, timeout).gather(() -> orders.isCurrent(order));
    if (copy.isPresent() && data.replaceBy(copy.get(), () -> orders.isCurrent(order))) {
      LOG.info("[{}] copied all data of {}, up to {}", name, source.host(), copy.get().end());
      enter(ReplicaState.Data.READY);
    }
  }

  /** Lets the protocol take note, so that the next round sees it. */
  private void enter(ReplicaState.Data now) throws InterruptedException {
    host.post(new Event.DataChanged(now));
    host.awaitData(now, timeout);
  }

  private void pull(PullOrders.Order order, PeerLink source)
      throws WireException, PeerRefusedException, InterruptedException {
    OpTime end = host.lastApplied();
    BsonDocument reply =
        source.call(
            new BsonDocument("_fairleadFetchOplog", new BsonInt32(1))
                .append("to", new BsonInt32(order.member()))
                .append("after", end.toDocument())
                .append("optimes", PeerMessages.optimes(reporter.toTellNow()))
                .append("committed", host.state().committed().toDocument())
                .append("awaitMillis", new BsonInt64(AWAIT.toMillis())),
            AWAIT.plus(timeout));
    if (!PeerMessages.truth(reply, "common")) {
      parted(order, source, end, OpTime.parse(reply.getDocument("end")));
    } else if (apply(order, entries(reply))) {
      host.post(new Event.CommittedHeard(OpTime.parse(reply.getDocument("committed"))));
    }
  }

  private static List<OplogEntry> entries(BsonDocument reply) {
    return reply.getArray("entries").stream()
        .map(entry -> new OplogEntry(raw(entry.asDocument())))
        .toList();
  }

  private static RawBsonDocument raw(BsonDocument document) {
    return document instanceof RawBsonDocument raw ? raw : new RawBsonDocument(document, CODEC);
  }

  /** Applies entries as they become due; false when the order was over before the last. */
  private boolean apply(PullOrders.Order order, List<OplogEntry> entries)
      throws InterruptedException {
    int from = 0;
    while (from < entries.size()) {
      int to = orders.awaitDue(order, entries, from);
      if (to == from) {
        return false;
      }
      List<OplogEntry> due = entries.subList(from, to);
      OpTime end = due.getLast().opTime();
      // after the last of them the next fetch follows at once, and tells the position
      Runnable committed = to < entries.size() ? () -> {} : () -> reporter.willTell(end);
      if (!data.apply(due, () -> orders.isCurrent(order), committed)) {
        return false;
      }
      from = to;
    }
    return true;
  }

  // ---- when the logs have parted

  private void parted(PullOrders.Order order, PeerLink source, OpTime end, OpTime theirEnd)
      throws WireException, PeerRefusedException, InterruptedException {
    if (theirEnd.compareTo(end) < 0) {
      LOG.info("[{}] sync source {} is behind ({} before {})", name, source.host(), theirEnd, end);
      host.post(new Event.SourceFailed(order.member(), SHORTLY));
      if (orders.withdraw(order)) {
        reporter.stop();
      }
      return;
    }
    OpTime common = commonPoint(order, source);
    if (!orders.isCurrent(order)) {
      return;
    }
    if (common.isNone()) {
      LOG.warn("[{}] no kept state is common with {}; copying all data anew", name, source.host());
      enter(ReplicaState.Data.INITIAL_SYNC);
      return;
    }
    LOG.warn(
        "[{}] rolls back from {} to {}, the last entry common with {}",
        name,
        end,
        common,
        source.host());
    if (data.rollBackTo(
        common,
        () -> orders.isCurrent(order),
        () -> host.post(new Event.DataChanged(ReplicaState.Data.ROLLBACK)))) {
      enter(ReplicaState.Data.READY);
    }
  }

  /** The newest of this member's rollback points that the source has; none when it has none. */
  private OpTime commonPoint(PullOrders.Order order, PeerLink source)
      throws WireException, PeerRefusedException {
    BsonArray points = new BsonArray();
    data.rollbackPoints().forEach(point -> points.add(point.toDocument()));
    return OpTime.parse(
        source
            .call(
                new BsonDocument("_fairleadFindCommonPoint", new BsonInt32(1))
                    .append("to", new BsonInt32(order.member()))
                    .append("points", points),
                timeout)
            .getDocument("point"));
  }

  // ---- what went wrong

  private void report(Exception failure, int member, String address) {
    switch (failure) {
      case PeerRefusedException refused when refused.leadershipIsChanging() -> {
        LOG.info(
            "[{}] {} neither leads nor follows now ({}); waiting for the change",
            name,
            address,
            refused.code());
        host.post(new Event.SourceRefused(member));
      }
      case PeerRefusedException refused -> {
        LOG.warn("[{}] cannot pull from {}: {}", name, address, refused.getMessage());
        host.post(new Event.SourceFailed(member, timeout));
      }
      case WireException broken -> {
        LOG.info(
            "[{}] the connection to sync source {} broke: {}", name, address, broken.getMessage());
        host.post(
            new Event.SourceFailed(member, host.state().config() == null ? timeout : SHORTLY));
      }
      case BSONException malformed -> {
        LOG.error("[{}] {} sends what is not a log", name, address, malformed);
        host.post(new Event.SourceFailed(member, timeout));
      }
      case EngineException disk when isOfTheDisk(disk) -> {
        LOG.warn(
            "[{}] cannot take in the log of {} and stays where it is: {}",
            name,
            address,
            disk.getMessage());
        host.post(new Event.SourceFailed(member, timeout));
      }
      default -> {
        LOG.error("[{}] cannot apply the log of {}; copying all data anew", name, address, failure);
        host.post(new Event.DataChanged(ReplicaState.Data.INITIAL_SYNC));
        host.post(new Event.SourceFailed(member, timeout));
      }
    }
  }

  /** Nothing was changed then, and copying all data anew would need the same disk. */
  private static boolean isOfTheDisk(EngineException refused) {
    return refused.code() == ErrorCodes.OUT_OF_DISK_SPACE
        || refused.code() == ErrorCodes.FILE_STREAM_FAILED;
  }

  /** Stops both threads and waits for them. */
  @Override
  public void close() {
    orders.close();
    reporter.close();
    pulling.interrupt();
    try {
      pulling.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
