// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.ListSearchIndexesIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import com.mongodb.client.model.Collation;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.jspecify.annotations.Nullable;

/** The search indexes of a collection: an aggregation with {@code $listSearchIndexes}. */
public final class ListSearchIndexes<T> extends CursorIterable<T>
    implements ListSearchIndexesIterable<T> {
  private final Target target;
  private final Codec<T> codec;
  private @Nullable String name;
  private @Nullable Boolean allowDiskUse;
  private @Nullable Integer batchSize;
  private @Nullable Collation collation;
  private @Nullable BsonValue comment;
  private @Nullable TimeoutMode timeoutMode;
  private long maxTimeMillis;

  public ListSearchIndexes(Target target, Codec<T> codec) {
    this.target = target;
    this.codec = codec;
  }

  @Override
  public MongoCursor<T> cursor() {
    return aggregation().cursor();
  }

  private Aggregate<T> aggregation() {
    BsonDocument which =
        name == null ? new BsonDocument() : new BsonDocument("name", new BsonString(name));
    Aggregate<T> aggregate =
        new Aggregate<>(
            target.withoutReadConcern(),
            false,
            List.of(new BsonDocument("$listSearchIndexes", which)),
            codec);
    aggregate.allowDiskUse(allowDiskUse).collation(collation).comment(comment);
    aggregate.maxTime(maxTimeMillis, TimeUnit.MILLISECONDS);
    if (batchSize != null) {
      aggregate.batchSize(batchSize);
    }
    if (timeoutMode != null) {
      aggregate.timeoutMode(timeoutMode);
    }
    return aggregate;
  }

  @Override
  public ListSearchIndexes<T> name(String indexName) {
    this.name = indexName;
    return this;
  }

  @Override
  public ListSearchIndexes<T> allowDiskUse(@Nullable Boolean allowDiskUse) {
    this.allowDiskUse = allowDiskUse;
    return this;
  }

  @Override
  public ListSearchIndexes<T> batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  @Override
  public ListSearchIndexes<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = timeUnit.toMillis(maxTime);
    return this;
  }

  @Override
  public ListSearchIndexes<T> collation(@Nullable Collation collation) {
    this.collation = collation;
    return this;
  }

  @Override
  public ListSearchIndexes<T> comment(@Nullable String comment) {
    this.comment = comment == null ? null : new BsonString(comment);
    return this;
  }

  @Override
  public ListSearchIndexes<T> comment(@Nullable BsonValue comment) {
    this.comment = comment;
    return this;
  }

  @Override
  public ListSearchIndexes<T> timeoutMode(TimeoutMode timeoutMode) {
    this.timeoutMode = TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }

  @Override
  public Document explain() {
    return aggregation().explain();
  }

  @Override
  public Document explain(ExplainVerbosity verbosity) {
    return aggregation().explain(verbosity);
  }

  @Override
  public <E> E explain(Class<E> explainResultClass) {
    return aggregation().explain(explainResultClass);
  }

  @Override
  public <E> E explain(Class<E> explainResultClass, ExplainVerbosity verbosity) {
    return aggregation().explain(explainResultClass, verbosity);
  }
}
