// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoCursorNotFoundException;
import com.mongodb.MongoException;
import com.mongodb.MongoQueryException;
import com.mongodb.ServerAddress;
import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import io.fairlead.cluster.CommandResult;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.session.Session;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.RawFields;
import io.fairlead.driver.command.Replies;
import io.fairlead.driver.command.Scope;
import io.fairlead.topology.HostAddress;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.RawBsonDocument;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's cursor: decodes each document out of the reply that brought it, when it is asked for,
 * and fetches the next batch from the same server in the same session. The server's side is gone
 * when the cursor is exhausted, closed or lost; an implicit session goes back at that moment.
 *
 * <p>For one thread at a time, but {@link #close} may come from any: a fetch that is under way ends
 * first, and its cursor is killed after it.
 */
public final class ReplyCursor<T> implements MongoCursor<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyCursor.class);
  private static final int CURSOR_NOT_FOUND = 43;

  private final Scope scope;
  private final Decoder<T> decoder;
  private final CursorOptions options;
  private final CursorTimeout timeout;
  private final Session session;
  private final boolean ownsSession;
  private final HostAddress server;
  private final ServerAddress address;
  private final String database;
  private final String collection;

  private RawFields batch;
  private boolean batchHasNext;

  private final ReentrantLock lock = new ReentrantLock();
  private long id;
  private boolean fetching;
  private boolean closed;

  private ReplyCursor(
      Scope scope,
      Decoder<T> decoder,
      CursorOptions options,
      CursorTimeout timeout,
      Session session,
      boolean ownsSession,
      CommandResult first) {
    this.scope = scope;
    this.decoder = decoder;
    this.options = options;
    this.timeout = timeout;
    this.session = session;
    this.ownsSession = ownsSession;
    this.server = first.server();
    this.address = Replies.address(first.server());
    Opened opened = Opened.read(first.reply(), "firstBatch");
    this.id = opened.id;
    int dot = opened.namespace.indexOf('.');
    this.database = opened.namespace.substring(0, dot);
    this.collection = opened.namespace.substring(dot + 1);
    this.batch = opened.batch;
    this.batchHasNext = batch.advance();
    if (id == 0) {
      releaseSession();
    }
  }

  /**
   * Runs a command that answers with a cursor.
   *
   * @param command the command; its session is set here
   * @param given the application's session; null: an implicit one lives as long as the cursor
   * @throws MongoQueryException if the server refuses a find
   */
  public static <T> ReplyCursor<T> open(
      Scope scope,
      Operation.Builder command,
      @Nullable Session given,
      Decoder<T> decoder,
      CursorOptions options) {
    CursorTimeout timeout = CursorTimeout.start(scope.timeout(), options.timeoutMode());
    Session session = given == null ? scope.deployment().implicitSession() : given;
    boolean opened = false;
    try {
      CommandResult first = scope.deployment().execute(command.session(session).build());
      ReplyCursor<T> cursor =
          new ReplyCursor<>(scope, decoder, options, timeout, session, given == null, first);
      opened = true;
      return cursor;
    } finally {
      if (!opened && given == null) {
        session.close();
      }
    }
  }

  /**
   * The cursor in the answer to a command that was run already.
   *
   * @param session the one in which it was run, and which stays open as long as the cursor
   */
  public static <T> ReplyCursor<T> of(
      Scope scope,
      CommandResult answer,
      Session session,
      Decoder<T> decoder,
      CursorOptions options) {
    CursorTimeout timeout = CursorTimeout.start(scope.timeout(), options.timeoutMode());
    return new ReplyCursor<>(scope, decoder, options, timeout, session, false, answer);
  }

  @Override
  public boolean hasNext() {
    requireOpen();
    while (!batchHasNext) {
      if (!fetch()) {
        return false;
      }
      requireOpen();
    }
    return true;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the cursor is exhausted");
    }
    return decodeNext();
  }

  @Override
  public @Nullable T tryNext() {
    requireOpen();
    if (!batchHasNext && (!fetch() || !batchHasNext)) {
      return null;
    }
    return decodeNext();
  }

  @Override
  public int available() {
    requireOpen();
    return batchHasNext ? 1 + batch.remaining() : 0;
  }

  @Override
  public @Nullable ServerCursor getServerCursor() {
    requireOpen();
    lock.lock();
    try {
      return id == 0 ? null : new ServerCursor(id, address);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ServerAddress getServerAddress() {
    requireOpen();
    return address;
  }

  @Override
  public void remove() {
    throw new UnsupportedOperationException("a document is not removed through its cursor");
  }

  @Override
  public void close() {
    long toKill;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      if (fetching) {
        // whoever fetches sees it afterwards: only then is it known whether the server still holds
        // the cursor
        return;
      }
      toKill = id;
      id = 0;
    } finally {
      lock.unlock();
    }
    kill(toKill);
    releaseSession();
  }

  private T decodeNext() {
    T document = batch.decode(decoder);
    batchHasNext = batch.advance();
    return document;
  }

  /** Fetches one batch, perhaps an empty one; false when the cursor is exhausted. */
  private boolean fetch() {
    long cursorId;
    lock.lock();
    try {
      if (id == 0) {
        return false;
      }
      cursorId = id;
      fetching = true;
    } finally {
      lock.unlock();
    }
    long left = cursorId;
    try {
      Opened opened = Opened.read(getMore(cursorId).reply(), "nextBatch");
      left = opened.id;
      batch = opened.batch;
      batchHasNext = batch.advance();
      return true;
    } catch (MongoCommandException e) {
      // the server has answered: an error of a getMore ends the cursor there
      left = 0;
      throw e.getErrorCode() == CURSOR_NOT_FOUND
          ? new MongoCursorNotFoundException(cursorId, e.getResponse(), e.getServerAddress())
          : new MongoQueryException(e.getResponse(), e.getServerAddress());
    } finally {
      afterFetch(left);
    }
  }

  private void afterFetch(long left) {
    boolean closedMeanwhile;
    lock.lock();
    try {
      fetching = false;
      closedMeanwhile = closed;
      id = closedMeanwhile ? 0 : left;
    } finally {
      lock.unlock();
    }
    if (closedMeanwhile) {
      kill(left);
    }
    if (closedMeanwhile || left == 0) {
      releaseSession();
    }
  }

  private CommandResult getMore(long cursorId) {
    CommandBody body =
        CommandBody.of("getMore", cursorId, scope.codecs()).string("collection", collection);
    if (options.batchSize() != 0) {
      body.int32("batchSize", Math.abs(options.batchSize()));
    }
    body.maxTime(options.awaitMillis());
    body.value("comment", options.comment());
    return scope.deployment().execute(pinned(body.end()).timeout(timeout.forNextCommand()).build());
  }

  private void kill(long cursorId) {
    if (cursorId == 0) {
      return;
    }
    RawBsonDocument body =
        CommandBody.of("killCursors", collection, RawBsonDocument.class, scope.codecs())
            .int64s("cursors", cursorId)
            .end();
    try {
      scope.deployment().execute(pinned(body).build());
    } catch (MongoException e) {
      // the server forgets an idle cursor by itself; the caller has asked for nothing that failed
      LOG.debug(
          "cursor {} of {}.{} could not be killed on {}",
          cursorId,
          database,
          collection,
          server,
          e);
    }
  }

  private Operation.Builder pinned(RawBsonDocument body) {
    // the choice of a server was made when the cursor was opened; the server needs no preference to
    // find it again
    return scope
        .operation(database, body, OperationKind.RUN_COMMAND)
        .retry(Retryability.READ_ONCE)
        .session(session)
        .pinnedTo(server);
  }

  private void releaseSession() {
    if (ownsSession) {
      session.close();
    }
  }

  private void requireOpen() {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("Cursor has been closed");
      }
    } finally {
      lock.unlock();
    }
  }

  /** The cursor part of a reply. */
  private record Opened(long id, String namespace, RawFields batch) {
    static Opened read(RawBsonDocument reply, String batchName) {
      RawFields fields = RawFields.of(reply);
      if (!fields.find("cursor")) {
        throw new MongoException("the reply has no cursor: " + reply.toJson());
      }
      RawFields cursor = fields.nested();
      long id = 0;
      String namespace = null;
      RawFields batch = null;
      while (cursor.advance()) {
        if (cursor.named("id")) {
          id = cursor.number();
        } else if (cursor.named("ns")) {
          namespace = cursor.string();
        } else if (cursor.named(batchName)) {
          batch = cursor.nested();
        }
      }
      if (namespace == null || batch == null) {
        throw new MongoException(
            "the reply's cursor lacks ns or " + batchName + ": " + reply.toJson());
      }
      return new Opened(id, namespace, batch);
    }
  }
}
