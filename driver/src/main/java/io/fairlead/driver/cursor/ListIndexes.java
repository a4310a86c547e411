// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.client.ListIndexesIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import io.fairlead.driver.command.CommandBody;
import java.util.concurrent.TimeUnit;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.jspecify.annotations.Nullable;

/** {@code listIndexes}. */
public final class ListIndexes<T> extends CursorIterable<T> implements ListIndexesIterable<T> {
  private final Target target;
  private final Codec<T> codec;
  private @Nullable BsonValue comment;
  private int batchSize;
  private long maxTimeMillis;

  public ListIndexes(Target target, Codec<T> codec) {
    this.target = target;
    this.codec = codec;
  }

  @Override
  public MongoCursor<T> cursor() {
    RawBsonDocument command =
        target
            .command("listIndexes")
            .cursor(ListOptions.orServers(batchSize))
            .value("comment", comment)
            .maxTime(target.scope().maxTime(maxTimeMillis))
            .end();
    return ListOptions.open(target, command, codec, batchSize, comment);
  }

  @Override
  public ListIndexes<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = CommandBody.millis("maxTime", maxTime, timeUnit);
    return this;
  }

  @Override
  public ListIndexes<T> batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  @Override
  public ListIndexes<T> comment(@Nullable String comment) {
    this.comment = comment == null ? null : new BsonString(comment);
    return this;
  }

  @Override
  public ListIndexes<T> comment(@Nullable BsonValue comment) {
    this.comment = comment;
    return this;
  }

  @Override
  public ListIndexes<T> timeoutMode(TimeoutMode timeoutMode) {
    TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }
}
