// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.MapReduceAction;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.Replies;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonJavaScript;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * {@code mapReduce}, which MongoDB has deprecated in favour of {@code aggregate}: never tried
 * twice. Inline, its results come in one reply; told a collection's name, it writes that, and its
 * cursor reads what it wrote.
 */
@SuppressWarnings("deprecation") // so are the public interface and its action
public final class MapReduce<T> extends CursorIterable<T>
    implements com.mongodb.client.MapReduceIterable<T> {
  private final Target target;
  private final String map;
  private final String reduce;
  private final Codec<T> codec;
  private @Nullable String collectionName;
  private @Nullable String databaseName;
  private MapReduceAction action = MapReduceAction.REPLACE;
  private @Nullable String finalizeFunction;
  private @Nullable Bson scope;
  private @Nullable Bson sort;
  private @Nullable Bson filter;
  private @Nullable Boolean bypassDocumentValidation;
  private @Nullable Collation collation;
  private @Nullable Integer batchSize;
  private int limit;
  private boolean jsMode;
  private boolean verbose = true;
  private long maxTimeMillis;

  /** A job, not run before a cursor is asked for. */
  public MapReduce(Target target, String mapFunction, String reduceFunction, Codec<T> codec) {
    if (mapFunction == null || reduceFunction == null) {
      throw new IllegalArgumentException("mapFunction and reduceFunction can not be null");
    }
    this.target = target;
    this.map = mapFunction;
    this.reduce = reduceFunction;
    this.codec = codec;
  }

  @Override
  public MongoCursor<T> cursor() {
    if (collectionName == null) {
      return inline();
    }
    MongoNamespace written = write(collectionName);
    Find<T> find = new Find<>(target.of(written), null, codec);
    find.collation(collation);
    if (batchSize != null) {
      find.batchSize(batchSize);
    }
    return find.cursor();
  }

  @Override
  public MongoCursor<T> iterator() {
    return cursor();
  }

  @Override
  public void toCollection() {
    if (collectionName == null) {
      throw new IllegalStateException("The options must specify a non-inline result");
    }
    write(collectionName);
  }

  private MongoCursor<T> inline() {
    RawBsonDocument command =
        start(new BsonDocument("inline", new BsonInt32(1)))
            .readConcern(target.scope().readConcern())
            .maxTime(target.scope().maxTime(maxTimeMillis))
            .end();
    return new ArrayCursor<>(
        target.execute(target.operation(command, OperationKind.READ)), "results", codec);
  }

  private MongoNamespace write(String collection) {
    BsonDocument out = new BsonDocument(action.getValue(), new BsonString(collection));
    if (databaseName != null) {
      out.append("db", new BsonString(databaseName));
    }
    RawBsonDocument command =
        start(out)
            .bool("bypassDocumentValidation", bypassDocumentValidation)
            .writeConcern(target.scope().writeConcernOnWire())
            .maxTime(target.scope().maxTime(maxTimeMillis))
            .end();
    Replies.requireWriteConcern(
        target.execute(
            target.operation(command, OperationKind.WRITE).retry(Retryability.WRITE_ONCE)));
    return new MongoNamespace(databaseName == null ? target.database() : databaseName, collection);
  }

  private CommandBody start(BsonDocument out) {
    return target
        .command("mapReduce")
        .value("map", new BsonJavaScript(map))
        .value("reduce", new BsonJavaScript(reduce))
        .value("out", out)
        .document("query", filter)
        .document("sort", sort)
        .value("finalize", finalizeFunction == null ? null : new BsonJavaScript(finalizeFunction))
        .document("scope", scope)
        .int32("limit", limit == 0 ? null : Integer.valueOf(limit))
        .flag("jsMode", jsMode)
        .flag("verbose", verbose)
        .collation(collation);
  }

  @Override
  public MapReduce<T> collectionName(String collectionName) {
    if (collectionName == null) {
      throw new IllegalArgumentException("collectionName can not be null");
    }
    this.collectionName = collectionName;
    return this;
  }

  @Override
  public MapReduce<T> databaseName(@Nullable String databaseName) {
    this.databaseName = databaseName;
    return this;
  }

  @Override
  public MapReduce<T> action(MapReduceAction action) {
    if (action == null) {
      throw new IllegalArgumentException("action can not be null");
    }
    this.action = action;
    return this;
  }

  @Override
  public MapReduce<T> finalizeFunction(@Nullable String finalizeFunction) {
    this.finalizeFunction = finalizeFunction;
    return this;
  }

  @Override
  public MapReduce<T> scope(@Nullable Bson scope) {
    this.scope = scope;
    return this;
  }

  @Override
  public MapReduce<T> sort(@Nullable Bson sort) {
    this.sort = sort;
    return this;
  }

  @Override
  public MapReduce<T> filter(@Nullable Bson filter) {
    this.filter = filter;
    return this;
  }

  @Override
  public MapReduce<T> limit(int limit) {
    this.limit = limit;
    return this;
  }

  @Override
  public MapReduce<T> jsMode(boolean jsMode) {
    this.jsMode = jsMode;
    return this;
  }

  @Override
  public MapReduce<T> verbose(boolean verbose) {
    this.verbose = verbose;
    return this;
  }

  @Override
  public MapReduce<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = CommandBody.millis("maxTime", maxTime, timeUnit);
    return this;
  }

  @Override
  public MapReduce<T> batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  @Override
  public MapReduce<T> bypassDocumentValidation(@Nullable Boolean bypassDocumentValidation) {
    this.bypassDocumentValidation = bypassDocumentValidation;
    return this;
  }

  @Override
  public MapReduce<T> collation(@Nullable Collation collation) {
    this.collation = collation;
    return this;
  }

  @Override
  public MapReduce<T> timeoutMode(TimeoutMode timeoutMode) {
    TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }
}
