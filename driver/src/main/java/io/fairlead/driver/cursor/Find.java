// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.CursorType;
import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoQueryException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import com.mongodb.client.model.Collation;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** {@code find}: every option of the public interface travels. */
public final class Find<T> extends CursorIterable<T> implements FindIterable<T> {
  private static final BsonDocument EVERYTHING = new BsonDocument();

  private final Target target;
  private final Codec<T> codec;
  private Bson filter;
  private @Nullable Bson projection;
  private @Nullable Bson sort;
  private @Nullable Bson hint;
  private @Nullable String hintString;
  private @Nullable Bson let;
  private @Nullable Bson max;
  private @Nullable Bson min;
  private @Nullable BsonValue comment;
  private @Nullable Collation collation;
  private @Nullable Boolean allowDiskUse;
  private @Nullable TimeoutMode timeoutMode;
  private CursorType cursorType = CursorType.NonTailable;
  private int limit;
  private int skip;
  private int batchSize;
  private long maxTimeMillis;
  private long maxAwaitMillis;
  private boolean noCursorTimeout;
  private boolean partial;
  private boolean returnKey;
  private boolean showRecordId;

  /**
   * A query, not run before a cursor is asked for.
   *
   * @param filter null: every document
   */
  public Find(Target target, @Nullable Bson filter, Codec<T> codec) {
    this.target = target;
    this.filter = filter == null ? EVERYTHING : filter;
    this.codec = codec;
  }

  @Override
  public MongoCursor<T> cursor() {
    return open(limit, batchSize);
  }

  /** The first document, with one command that leaves no cursor behind. */
  @Override
  public @Nullable T first() {
    try (MongoCursor<T> cursor = open(-1, 0)) {
      return cursor.hasNext() ? cursor.next() : null;
    }
  }

  private MongoCursor<T> open(int limit, int batchSize) {
    requireTimeoutMode();
    CursorOptions options =
        new CursorOptions(
            batchSize,
            cursorType == CursorType.TailableAwait ? maxAwaitMillis : 0,
            comment,
            timeoutMode == null && cursorType.isTailable() ? TimeoutMode.ITERATION : timeoutMode);
    try {
      return ReplyCursor.open(
          target.scope(),
          target
              .scope()
              .operation(target.database(), command(limit, batchSize), OperationKind.READ)
              .retry(Retryability.READ)
              .afterClusterTime(true),
          target.openSession(),
          codec,
          options);
    } catch (MongoCommandException e) {
      throw e instanceof MongoQueryException
          ? e
          : new MongoQueryException(e.getResponse(), e.getServerAddress());
    }
  }

  private void requireTimeoutMode() {
    if (timeoutMode == TimeoutMode.CURSOR_LIFETIME && cursorType.isTailable()) {
      throw new IllegalStateException(
          "Tailable cursors only support the ITERATION value for the timeoutMode option.");
    }
  }

  private RawBsonDocument command(int limit, int batchSize) {
    CommandBody body =
        target
            .command("find")
            .readConcern(target.scope().readConcern())
            .document("filter", filter)
            .documentUnlessEmpty("sort", sort)
            .documentUnlessEmpty("projection", projection);
    if (skip > 0) {
      body.int32("skip", skip);
    }
    writeLimits(body, limit, batchSize);
    return body.flag("tailable", cursorType.isTailable())
        .flag("awaitData", cursorType == CursorType.TailableAwait)
        .flag("noCursorTimeout", noCursorTimeout)
        .flag("allowPartialResults", partial)
        .collation(collation)
        .value("comment", comment)
        .hint(hint, hintString)
        .document("let", let)
        .document("max", max)
        .document("min", min)
        .flag("returnKey", returnKey)
        .flag("showRecordId", showRecordId)
        .bool("allowDiskUse", allowDiskUse)
        .maxTime(limitsTime() ? target.scope().maxTime(maxTimeMillis) : 0)
        .end();
  }

  /** A negative limit, or a negative batch size, asks for one batch and no cursor. */
  private static void writeLimits(CommandBody body, int limit, int batchSize) {
    boolean shorter = limit >= 0 && batchSize < 0 && -batchSize < limit;
    int effectiveLimit = shorter ? -batchSize : Math.abs(limit);
    if (effectiveLimit != 0) {
      body.int32("limit", effectiveLimit);
    }
    if (limit >= 0 && batchSize != 0 && !shorter) {
      int size = Math.abs(batchSize);
      // a batch exactly as long as the limit would leave a cursor open that has nothing more to
      // give
      body.int32("batchSize", size == limit && size < Integer.MAX_VALUE ? size + 1 : size);
    }
    body.flag("singleBatch", limit < 0 || batchSize < 0);
  }

  private boolean limitsTime() {
    return cursorType != CursorType.Tailable && timeoutMode != TimeoutMode.ITERATION;
  }

  @Override
  public FindIterable<T> filter(@Nullable Bson filter) {
    this.filter = filter == null ? EVERYTHING : filter;
    return this;
  }

  @Override
  public FindIterable<T> limit(int limit) {
    this.limit = limit;
    return this;
  }

  @Override
  public FindIterable<T> skip(int skip) {
    this.skip = skip;
    return this;
  }

  @Override
  public FindIterable<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = CommandBody.millis("maxTime", maxTime, timeUnit);
    return this;
  }

  @Override
  public FindIterable<T> maxAwaitTime(long maxAwaitTime, TimeUnit timeUnit) {
    this.maxAwaitMillis = CommandBody.millis("maxAwaitTime", maxAwaitTime, timeUnit);
    return this;
  }

  @Override
  public FindIterable<T> projection(@Nullable Bson projection) {
    this.projection = projection;
    return this;
  }

  @Override
  public FindIterable<T> sort(@Nullable Bson sort) {
    this.sort = sort;
    return this;
  }

  @Override
  public FindIterable<T> noCursorTimeout(boolean noCursorTimeout) {
    this.noCursorTimeout = noCursorTimeout;
    return this;
  }

  @Override
  public FindIterable<T> partial(boolean partial) {
    this.partial = partial;
    return this;
  }

  @Override
  public FindIterable<T> cursorType(CursorType cursorType) {
    if (cursorType == null) {
      throw new IllegalArgumentException("cursorType can not be null");
    }
    this.cursorType = cursorType;
    return this;
  }

  @Override
  public FindIterable<T> batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  @Override
  public FindIterable<T> collation(@Nullable Collation collation) {
    this.collation = collation;
    return this;
  }

  @Override
  public FindIterable<T> comment(@Nullable String comment) {
    this.comment = comment == null ? null : new BsonString(comment);
    return this;
  }

  @Override
  public FindIterable<T> comment(@Nullable BsonValue comment) {
    this.comment = comment;
    return this;
  }

  @Override
  public FindIterable<T> hint(@Nullable Bson hint) {
    this.hint = hint;
    return this;
  }

  @Override
  public FindIterable<T> hintString(@Nullable String hint) {
    this.hintString = hint;
    return this;
  }

  @Override
  public FindIterable<T> let(@Nullable Bson variables) {
    this.let = variables;
    return this;
  }

  @Override
  public FindIterable<T> max(@Nullable Bson max) {
    this.max = max;
    return this;
  }

  @Override
  public FindIterable<T> min(@Nullable Bson min) {
    this.min = min;
    return this;
  }

  @Override
  public FindIterable<T> returnKey(boolean returnKey) {
    this.returnKey = returnKey;
    return this;
  }

  @Override
  public FindIterable<T> showRecordId(boolean showRecordId) {
    this.showRecordId = showRecordId;
    return this;
  }

  @Override
  public FindIterable<T> allowDiskUse(@Nullable Boolean allowDiskUse) {
    this.allowDiskUse = allowDiskUse;
    return this;
  }

  @Override
  public FindIterable<T> timeoutMode(TimeoutMode timeoutMode) {
    this.timeoutMode = TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }

  @Override
  public Document explain() {
    return explain(Document.class, null);
  }

  @Override
  public Document explain(ExplainVerbosity verbosity) {
    return explain(Document.class, verbosity);
  }

  @Override
  public <E> E explain(Class<E> explainResultClass) {
    return explain(explainResultClass, null);
  }

  @Override
  public <E> E explain(Class<E> explainResultClass, @Nullable ExplainVerbosity verbosity) {
    return Explain.run(
        target, command(limit, batchSize), OperationKind.READ, explainResultClass, verbosity);
  }
}
