// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Snapshot;
import io.fairlead.server.replication.protocol.OpTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonTimestamp;

/**
 * The state of the data after each entry that is not committed yet, and the newest committed one.
 * From here majority reads are answered, and a rollback goes back. A state costs what later commits
 * replaced; when too many are waiting to be committed, every second one of the older is let go,
 * which only makes the committed state advance in larger steps.
 *
 * <p>Any thread may call.
 */
final class CommittedViews {
  /** A state and where it stands. */
  record View(OpTime opTime, Snapshot state) {}

  private static final int WAITING_MAX = 20_000;

  /** Beyond so many states, those that wait included, committed history is let go. */
  private static final int KEPT_MAX = 200;

  /** How long the state of a snapshot read is kept, as MongoDB does by default. */
  private static final int PINNED_SECONDS = 300;

  private static final int PINNED_MAX = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final NavigableMap<OpTime, Snapshot> views = new TreeMap<>();
  private final NavigableMap<OpTime, Snapshot> pinned = new TreeMap<>();
  private OpTime committed = OpTime.NONE;

  void add(OpTime opTime, Snapshot state) {
    lock.lock();
    try {
      views.put(opTime, state);
      if (views.size() > WAITING_MAX) {
        thin();
      }
    } finally {
      lock.unlock();
    }
  }

  private void thin() {
    List<OpTime> waiting = new ArrayList<>(views.tailMap(committed, false).keySet());
    for (int i = 0; i < waiting.size() - 1; i += 2) {
      views.remove(waiting.get(i));
    }
  }

  /** The commit point is there now; what lies far behind is let go. */
  void commit(OpTime opTime) {
    lock.lock();
    try {
      OpTime reached = views.floorKey(opTime);
      if (reached != null && reached.compareTo(committed) > 0) {
        committed = reached;
        while (views.size() > KEPT_MAX && views.firstKey().compareTo(committed) < 0) {
          views.pollFirstEntry();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The newest committed state; empty before the first commit is known. */
  Optional<View> committed() {
    lock.lock();
    try {
      Snapshot state = views.get(committed);
      return state == null ? Optional.empty() : Optional.of(new View(committed, state));
    } finally {
      lock.unlock();
    }
  }

  /** Where the newest committed state stands. */
  OpTime committedOpTime() {
    return committed().map(View::opTime).orElse(OpTime.NONE);
  }

  /**
   * Keeps a state so that it can be had again for five minutes by {@link #pinnedAt}: a snapshot
   * session's first read decides what its other reads see.
   */
  void pin(View view) {
    lock.lock();
    try {
      pinned.put(view.opTime(), view.state());
      int oldest = view.opTime().timestamp().getTime() - PINNED_SECONDS;
      while (pinned.size() > PINNED_MAX || pinned.firstKey().timestamp().getTime() < oldest) {
        pinned.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The state of that very time, if a read was given it not too long ago. */
  Optional<Snapshot> pinnedAt(BsonTimestamp time) {
    lock.lock();
    try {
      return pinned.entrySet().stream()
          .filter(each -> each.getKey().timestamp().equals(time))
          .map(Map.Entry::getValue)
          .findFirst();
    } finally {
      lock.unlock();
    }
  }

  /** The newest state at or before that entry. */
  Optional<View> atOrBefore(OpTime opTime) {
    lock.lock();
    try {
      Map.Entry<OpTime, Snapshot> entry = views.floorEntry(opTime);
      return entry == null
          ? Optional.empty()
          : Optional.of(new View(entry.getKey(), entry.getValue()));
    } finally {
      lock.unlock();
    }
  }

  /** The newest committed state at or before that time. */
  Optional<View> committedAt(long timestamp) {
    lock.lock();
    try {
      for (Map.Entry<OpTime, Snapshot> entry :
          views.headMap(committed, true).descendingMap().entrySet()) {
        if (Long.compareUnsigned(entry.getKey().timestamp().getValue(), timestamp) <= 0) {
          return Optional.of(new View(entry.getKey(), entry.getValue()));
        }
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Where a rollback may go back to, newest first: every kept state from the commit point on. */
  List<OpTime> rollbackPoints() {
    lock.lock();
    try {
      return new ArrayList<>(views.tailMap(committed, true).descendingKeySet());
    } finally {
      lock.unlock();
    }
  }

  /** After a rollback: what came later never was. */
  void forgetAfter(OpTime opTime) {
    lock.lock();
    try {
      views.tailMap(opTime, false).clear();
    } finally {
      lock.unlock();
    }
  }

  /** After a new copy of the data: nothing from before counts. */
  void clear() {
    lock.lock();
    try {
      views.clear();
      pinned.clear();
      committed = OpTime.NONE;
    } finally {
      lock.unlock();
    }
  }
}
