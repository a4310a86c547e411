// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Engine;
import io.fairlead.engine.Namespace;
import io.fairlead.engine.Snapshot;
import io.fairlead.engine.catalog.CollectionInfo;
import io.fairlead.engine.catalog.DatabaseInfo;
import io.fairlead.engine.cursor.DocumentCursor;
import io.fairlead.engine.cursor.FindRequest;
import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.server.oplog.Oplog;
import io.fairlead.server.replication.protocol.OpTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * What this member gives to those that pull from it: its log, and copies of all its data. A copy is
 * read from one snapshot, however long it takes; only a few are kept at a time, the oldest gives
 * way.
 *
 * <p>Any thread may call.
 */
final class LogSource {
  static final long BATCH_BYTES = 8L << 20;
  private static final int COPIES_MAX = 8;

  private final Engine engine;
  private final Oplog oplog;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, Copy> copies = new LinkedHashMap<>();
  private long lastCopy;

  private static final class Copy {
    final ReentrantLock lock = new ReentrantLock();
    final Snapshot snapshot;
    final Map<Namespace, DocumentCursor> cursors = new HashMap<>();

    Copy(Snapshot snapshot) {
      this.snapshot = snapshot;
    }
  }

  LogSource(Engine engine, Oplog oplog) {
    this.engine = engine;
    this.oplog = oplog;
  }

  /**
   * What comes after {@code end}, the last entry of another member's log; empty when that entry is
   * not in this one.
   */
  Optional<List<RawBsonDocument>> after(OpTime end) {
    return oplog.after(engine.snapshot(), end, BATCH_BYTES);
  }

  /** The first of {@code points} that is in this log; {@link OpTime#NONE} when none is. */
  OpTime common(List<OpTime> points) {
    Snapshot snapshot = engine.snapshot();
    return points.stream()
        .filter(point -> oplog.contains(snapshot, point))
        .findFirst()
        .orElse(OpTime.NONE);
  }

  /** Begins a copy: what there is, and where in the log. */
  BsonDocument beginCopy() {
    Snapshot snapshot = engine.snapshot();
    RawBsonDocument last =
        oplog
            .last(snapshot)
            .orElseThrow(
                () ->
                    new EngineException(
                        ErrorCodes.NOT_PRIMARY_OR_SECONDARY, "this member has no log to copy yet"))
            .document();
    BsonArray collections = new BsonArray();
    for (DatabaseInfo database : snapshot.databases()) {
      if (!database.name().equals("local")) {
        snapshot
            .collections(database.name())
            .forEach(info -> collections.add(describe(snapshot, info)));
      }
    }
    return new BsonDocument("copy", new BsonInt64(keep(snapshot)))
        .append("lastEntry", last)
        .append("collections", collections);
  }

  private static BsonDocument describe(Snapshot snapshot, CollectionInfo info) {
    BsonArray indexes = new BsonArray();
    boolean view = info.options().declared().containsKey("viewOn");
    if (!view) {
      snapshot.indexes(info.namespace()).forEach(indexes::add);
    }
    return new BsonDocument("ns", new BsonString(info.namespace().toString()))
        .append("uuid", new BsonBinary(info.uuid()))
        .append("options", info.options().declared())
        .append("indexes", indexes)
        .append("view", BsonBoolean.valueOf(view));
  }

  private long keep(Snapshot snapshot) {
    lock.lock();
    try {
      if (copies.size() >= COPIES_MAX) {
        Iterator<Copy> oldest = copies.values().iterator();
        oldest.next();
        oldest.remove();
      }
      copies.put(++lastCopy, new Copy(snapshot));
      return lastCopy;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next documents of a collection; fewer than asked for, perhaps none, at the end: {@code
   * done}.
   */
  BsonDocument documents(long copyNumber, Namespace namespace) {
    Copy copy = find(copyNumber);
    copy.lock.lock();
    try {
      DocumentCursor cursor =
          copy.cursors.computeIfAbsent(
              namespace, name -> copy.snapshot.find(name, FindRequest.all(), engine.operation()));
      List<BsonValue> documents = new ArrayList<>();
      long bytes = 0;
      RawBsonDocument document = cursor.next();
      while (document != null) {
        documents.add(document);
        bytes += document.getByteBuffer().remaining();
        if (bytes >= BATCH_BYTES) {
          break;
        }
        document = cursor.next();
      }
      return new BsonDocument("documents", new BsonArray(documents))
          .append("done", BsonBoolean.valueOf(document == null));
    } finally {
      copy.lock.unlock();
    }
  }

  private Copy find(long copyNumber) {
    lock.lock();
    try {
      Copy copy = copies.get(copyNumber);
      if (copy == null) {
        throw new EngineException(
            ErrorCodes.CURSOR_NOT_FOUND, "copy " + copyNumber + " is not kept any more");
      }
      return copy;
    } finally {
      lock.unlock();
    }
  }

  void endCopy(long copyNumber) {
    lock.lock();
    try {
      copies.remove(copyNumber);
    } finally {
      lock.unlock();
    }
  }
}
