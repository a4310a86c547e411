// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoNamespace;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import com.mongodb.client.model.Collation;
import io.fairlead.driver.command.BsonEncoding;
import io.fairlead.driver.command.CommandBody;
import io.fairlead.driver.command.Replies;
import io.fairlead.topology.readpreference.OperationKind;
import io.fairlead.topology.retry.Retryability;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * {@code aggregate}. A pipeline that ends in {@code $out} or {@code $merge} writes: it carries the
 * write concern, follows its own rule for the read preference, and its cursor reads the collection
 * that it wrote.
 */
public final class Aggregate<T> extends CursorIterable<T> implements AggregateIterable<T> {
  private final Target target;
  private final boolean ofDatabase;
  private final BsonArray pipeline;
  private final Codec<T> codec;
  private @Nullable Boolean allowDiskUse;
  private @Nullable Boolean bypassDocumentValidation;
  private @Nullable Collation collation;
  private @Nullable BsonValue comment;
  private @Nullable Bson hint;
  private @Nullable String hintString;
  private @Nullable Bson let;
  private @Nullable TimeoutMode timeoutMode;
  private @Nullable Integer batchSize;
  private long maxTimeMillis;
  private long maxAwaitMillis;

  /**
   * A pipeline, not run before a cursor is asked for.
   *
   * @param ofDatabase whether the pipeline runs on the database, without a collection
   */
  public Aggregate(
      Target target, boolean ofDatabase, List<? extends Bson> pipeline, Codec<T> codec) {
    if (pipeline == null) {
      throw new IllegalArgumentException("pipeline can not be null");
    }
    this.target = target;
    this.ofDatabase = ofDatabase;
    this.pipeline = BsonEncoding.array(pipeline, target.documentClass(), target.scope().codecs());
    this.codec = codec;
  }

  @Override
  public MongoCursor<T> cursor() {
    Optional<BsonDocument> writing = writingStage();
    if (writing.isEmpty()) {
      return read();
    }
    MongoNamespace written = Written.by(writing.get(), target.database());
    if (timeoutMode == TimeoutMode.ITERATION) {
      throw new IllegalArgumentException(
          "Aggregations that output to a collection do not support the ITERATION value for the"
              + " timeoutMode option.");
    }
    write();
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
    if (writingStage().isEmpty()) {
      throw new IllegalStateException(
          "The last stage of the aggregation pipeline must be $out or $merge");
    }
    write();
  }

  private MongoCursor<T> read() {
    RawBsonDocument command = start().cursor(batchSize).maxTime(readMaxTime()).end();
    int size = batchSize == null ? 0 : batchSize;
    return ReplyCursor.open(
        target.scope(),
        target
            .scope()
            .operation(target.database(), command, OperationKind.READ)
            .retry(Retryability.READ)
            .afterClusterTime(true),
        target.openSession(),
        codec,
        new CursorOptions(size, maxAwaitMillis, comment, timeoutMode));
  }

  private long readMaxTime() {
    return timeoutMode == TimeoutMode.ITERATION ? 0 : target.scope().maxTime(maxTimeMillis);
  }

  private void write() {
    RawBsonDocument command =
        start()
            .cursor(null)
            .bool("bypassDocumentValidation", bypassDocumentValidation)
            .writeConcern(target.scope().writeConcernOnWire())
            .maxTime(target.scope().maxTime(maxTimeMillis))
            .end();
    Replies.requireWriteConcern(
        target.execute(
            target
                .operation(command, OperationKind.AGGREGATE_WITH_WRITE)
                .retry(Retryability.WRITE_ONCE)));
  }

  private CommandBody start() {
    CommandBody body =
        ofDatabase ? target.databaseCommand("aggregate") : target.command("aggregate");
    return body.readConcern(target.scope().readConcern())
        .array("pipeline", pipeline)
        .bool("allowDiskUse", allowDiskUse)
        .collation(collation)
        .value("comment", comment)
        .hint(hint, hintString)
        .document("let", let);
  }

  private Optional<BsonDocument> writingStage() {
    if (pipeline.isEmpty()) {
      return Optional.empty();
    }
    BsonDocument last = pipeline.get(pipeline.size() - 1).asDocument();
    return last.containsKey("$out") || last.containsKey("$merge")
        ? Optional.of(last)
        : Optional.empty();
  }

  @Override
  public AggregateIterable<T> allowDiskUse(@Nullable Boolean allowDiskUse) {
    this.allowDiskUse = allowDiskUse;
    return this;
  }

  @Override
  public AggregateIterable<T> batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  @Override
  public AggregateIterable<T> timeoutMode(TimeoutMode timeoutMode) {
    this.timeoutMode = TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }

  @Override
  public AggregateIterable<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = CommandBody.millis("maxTime", maxTime, timeUnit);
    return this;
  }

  @Override
  public AggregateIterable<T> maxAwaitTime(long maxAwaitTime, TimeUnit timeUnit) {
    this.maxAwaitMillis = CommandBody.millis("maxAwaitTime", maxAwaitTime, timeUnit);
    return this;
  }

  @Override
  public AggregateIterable<T> bypassDocumentValidation(@Nullable Boolean bypassDocumentValidation) {
    this.bypassDocumentValidation = bypassDocumentValidation;
    return this;
  }

  @Override
  public AggregateIterable<T> collation(@Nullable Collation collation) {
    this.collation = collation;
    return this;
  }

  @Override
  public AggregateIterable<T> comment(@Nullable String comment) {
    this.comment = comment == null ? null : new BsonString(comment);
    return this;
  }

  @Override
  public AggregateIterable<T> comment(@Nullable BsonValue comment) {
    this.comment = comment;
    return this;
  }

  @Override
  public AggregateIterable<T> hint(@Nullable Bson hint) {
    this.hint = hint;
    return this;
  }

  @Override
  public AggregateIterable<T> hintString(@Nullable String hint) {
    this.hintString = hint;
    return this;
  }

  @Override
  public AggregateIterable<T> let(@Nullable Bson variables) {
    this.let = variables;
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
    RawBsonDocument command = start().cursor(batchSize).maxTime(readMaxTime()).end();
    return Explain.run(target, command, OperationKind.READ, explainResultClass, verbosity);
  }
}
