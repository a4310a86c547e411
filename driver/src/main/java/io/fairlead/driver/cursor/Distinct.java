// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.client.DistinctIterable;
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
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * {@code distinct}: its values come in one reply, so batch size and timeout mode have nothing to
 * say.
 */
public final class Distinct<T> extends CursorIterable<T> implements DistinctIterable<T> {
  private static final BsonDocument EVERYTHING = new BsonDocument();

  private final Target target;
  private final String field;
  private final Codec<T> codec;
  private Bson filter;
  private @Nullable Collation collation;
  private @Nullable BsonValue comment;
  private @Nullable Bson hint;
  private @Nullable String hintString;
  private long maxTimeMillis;

  public Distinct(Target target, String field, @Nullable Bson filter, Codec<T> codec) {
    if (field == null) {
      throw new IllegalArgumentException("fieldName can not be null");
    }
    this.target = target;
    this.field = field;
    this.filter = filter == null ? EVERYTHING : filter;
    this.codec = codec;
  }

  @Override
  public MongoCursor<T> cursor() {
    RawBsonDocument command =
        target
            .command("distinct")
            .readConcern(target.scope().readConcern())
            .string("key", field)
            .document("query", filter)
            .collation(collation)
            .value("comment", comment)
            .hint(hint, hintString)
            .maxTime(target.scope().maxTime(maxTimeMillis))
            .end();
    return new ArrayCursor<>(
        target.execute(target.operation(command, OperationKind.READ).retry(Retryability.READ)),
        "values",
        codec);
  }

  @Override
  public DistinctIterable<T> filter(@Nullable Bson filter) {
    this.filter = filter == null ? EVERYTHING : filter;
    return this;
  }

  @Override
  public DistinctIterable<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = CommandBody.millis("maxTime", maxTime, timeUnit);
    return this;
  }

  @Override
  public DistinctIterable<T> batchSize(int batchSize) {
    return this;
  }

  @Override
  public DistinctIterable<T> collation(@Nullable Collation collation) {
    this.collation = collation;
    return this;
  }

  @Override
  public DistinctIterable<T> comment(@Nullable String comment) {
    this.comment = comment == null ? null : new BsonString(comment);
    return this;
  }

  @Override
  public DistinctIterable<T> comment(@Nullable BsonValue comment) {
    this.comment = comment;
    return this;
  }

  @Override
  public DistinctIterable<T> hint(@Nullable Bson hint) {
    this.hint = hint;
    return this;
  }

  @Override
  public DistinctIterable<T> hintString(@Nullable String hint) {
    this.hintString = hint;
    return this;
  }

  @Override
  public DistinctIterable<T> timeoutMode(TimeoutMode timeoutMode) {
    TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }
}
