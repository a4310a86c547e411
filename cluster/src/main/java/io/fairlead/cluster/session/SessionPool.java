// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.session;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;

/**
 * The session ids of one client: last in, first out, so that few are in use and the rest expire. An
 * id is not lent when it has less than a minute left of the deployment's logical session timeout,
 * nor after a network error met it. Any thread may call.
 */
public final class SessionPool {
  private static final Duration SPARE = Duration.ofMinutes(1);

  private final ConcurrentLinkedDeque<ServerSession> idle = new ConcurrentLinkedDeque<>();
  private final LongSupplier nanoTime;
  private final Supplier<Optional<Duration>> timeout;

  /**
   * @param nanoTime monotonic time
   * @param timeout the deployment's logical session timeout; empty where sessions are not supported
   *     or not yet known to be
   */
  public SessionPool(LongSupplier nanoTime, Supplier<Optional<Duration>> timeout) {
    this.nanoTime = nanoTime;
    this.timeout = timeout;
  }

  /**
   * A session that the application started.
   *
   * @param causallyConsistent whether its reads wait for what it has seen
   */
  public Session explicit(boolean causallyConsistent) {
    return new Session(this, true, causallyConsistent);
  }

  /** A session of the client's own, for one operation or one cursor; it must be closed. */
  public Session implicit() {
    return new Session(this, false, false);
  }

  /** Empties the pool: the ids in it, for {@code endSessions}. */
  public List<BsonDocument> drain() {
    List<BsonDocument> ids = new ArrayList<>();
    for (ServerSession session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
      ids.add(session.lsid());
    }
    return ids;
  }

  ServerSession take() {
    long now = nanoTime.getAsLong();
    for (ServerSession session = idle.pollFirst(); session != null; session = idle.pollFirst()) {
      if (!isAboutToExpire(session, now)) {
        return session;
      }
    }
    return new ServerSession(newId(), now);
  }

  void giveBack(ServerSession session) {
    long now = nanoTime.getAsLong();
    for (ServerSession oldest = idle.peekLast(); oldest != null; oldest = idle.peekLast()) {
      if (!isAboutToExpire(oldest, now) || !idle.removeLastOccurrence(oldest)) {
        break;
      }
    }
    if (!session.isDirty() && !isAboutToExpire(session, now)) {
      idle.addFirst(session);
    }
  }

  long nanoTime() {
    return nanoTime.getAsLong();
  }

  private boolean isAboutToExpire(ServerSession session, long now) {
    Optional<Duration> limit = timeout.get();
    return limit.isPresent() && now - session.lastUsedNanos() > limit.get().minus(SPARE).toNanos();
  }

  private static BsonDocument newId() {
    UUID id = UUID.randomUUID();
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array();
    return new BsonDocument("id", new BsonBinary(BsonBinarySubType.UUID_STANDARD, bytes));
  }
}
