// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.cursor;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.context.OperationContext;
import io.fairlead.engine.cursor.DocumentCursor;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonBinary;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A result that is read batch by batch. One command at a time works with it ({@link #isInUse});
 * being killed meanwhile, it closes when that command lets go of it.
 */
public final class ServerCursor {
  /** How a cursor behaves at the end of what there is. */
  public enum Kind {
    /** It is exhausted there. */
    ORDINARY,
    /** It stays open and may find more later. */
    TAILABLE,
    /** As tailable, and a getMore waits a while for more. */
    TAILABLE_AWAIT
  }

  /** Opens a cursor's source; the interruption is that of whichever command is reading. */
  @FunctionalInterface
  public interface Opening {
    DocumentCursor open(OperationContext.Interrupt interruption);
  }

  /** Of a cursor that was never kept: a reply with this id has everything. */
  static final long NO_ID = 0;

  private volatile long id = NO_ID;
  private final Namespace namespace;
  private final Kind kind;
  private final @Nullable BsonBinary session;
  private final boolean immortal;
  private final DocumentCursor source;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile OperationContext.Interrupt current;
  private @Nullable RawBsonDocument pushedBack;
  private boolean inUse = true;
  private boolean killed;
  private long lastUseNanos;
  private long returned;

  ServerCursor(
      Namespace namespace,
      Kind kind,
      @Nullable BsonBinary session,
      boolean immortal,
      OperationContext.Interrupt first,
      Opening opening) {
    this.namespace = namespace;
    this.kind = kind;
    this.session = session;
    this.immortal = immortal;
    this.current = first;
    this.source = opening.open(() -> this.current.check());
  }

  /** By which later commands find it; {@link #NO_ID} before it is kept. */
  public long id() {
    return id;
  }

  void name(long freshId) {
    id = freshId;
  }

  public Namespace namespace() {
    return namespace;
  }

  public Kind kind() {
    return kind;
  }

  /** The session in which it was created, or null. */
  public @Nullable BsonBinary session() {
    return session;
  }

  /** Whether it was opened with {@code noCursorTimeout}. */
  public boolean isImmortal() {
    return immortal;
  }

  /** How many documents it has given out. */
  public long returned() {
    return returned;
  }

  /** The next document, or null at the end of what there is now. */
  @Nullable RawBsonDocument next() {
    RawBsonDocument document = pushedBack;
    if (document != null) {
      pushedBack = null;
      return document;
    }
    return source.next();
  }

  /** Takes back the document that {@link #next} has just given, because the batch is full. */
  void pushBack(RawBsonDocument document) {
    pushedBack = document;
  }

  void count(int documents) {
    returned += documents;
  }

  /** Whether the command may have it; false while another has it. */
  boolean checkOut(OperationContext.Interrupt interruption) {
    lock.lock();
    try {
      if (inUse) {
        return false;
      }
      inUse = true;
      current = interruption;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives it back; false where it was killed meanwhile and is closed now. */
  boolean checkIn(long nowNanos) {
    boolean close;
    lock.lock();
    try {
      inUse = false;
      lastUseNanos = nowNanos;
      close = killed;
    } finally {
      lock.unlock();
    }
    if (close) {
      source.close();
    }
    return !close;
  }

  /** Closes it now, or when the command that has it lets go. */
  void kill() {
    boolean close;
    lock.lock();
    try {
      close = !inUse && !killed;
      killed = true;
    } finally {
      lock.unlock();
    }
    if (close) {
      source.close();
    }
  }

  /** Closes the source; for the command that has it. */
  void close() {
    source.close();
  }

  boolean isInUse() {
    lock.lock();
    try {
      return inUse;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is idle since at least that long. */
  boolean isIdle(long nowNanos, long timeoutNanos) {
    lock.lock();
    try {
      return !inUse && nowNanos - lastUseNanos >= timeoutNanos;
    } finally {
      lock.unlock();
    }
  }
}
