// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.client.ListDatabasesIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import io.fairlead.driver.command.CommandBody;
import java.util.concurrent.TimeUnit;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * {@code listDatabases}: all of them come in one reply, so batch size and timeout mode have nothing
 * to say.
 */
public final class ListDatabases<T> extends CursorIterable<T> implements ListDatabasesIterable<T> {
  private final Target target;
  private final Codec<T> codec;
  private @Nullable Bson filter;
  private @Nullable Boolean nameOnly;
  private @Nullable Boolean authorizedDatabases;
  private @Nullable BsonValue comment;
  private long maxTimeMillis;

  public ListDatabases(Target target, Codec<T> codec) {
    this.target = target;
    this.codec = codec;
  }

  @Override
  public MongoCursor<T> cursor() {
    RawBsonDocument command =
        target
            .databaseCommand("listDatabases")
            .document("filter", filter)
            .bool("nameOnly", nameOnly)
            .bool("authorizedDatabases", authorizedDatabases)
            .value("comment", comment)
            .maxTime(target.scope().maxTime(maxTimeMillis))
            .end();
    return new ArrayCursor<>(
        target
            .scope()
            .deployment()
            .execute(
                ListOptions.operation(target, "admin", command)
                    .session(target.openSession())
                    .build()),
        "databases",
        codec);
  }

  @Override
  public ListDatabases<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = CommandBody.millis("maxTime", maxTime, timeUnit);
    return this;
  }

  @Override
  public ListDatabases<T> batchSize(int batchSize) {
    return this;
  }

  @Override
  public ListDatabases<T> filter(@Nullable Bson filter) {
    this.filter = filter;
    return this;
  }

  @Override
  public ListDatabases<T> nameOnly(@Nullable Boolean nameOnly) {
    this.nameOnly = nameOnly;
    return this;
  }

  @Override
  public ListDatabases<T> authorizedDatabasesOnly(@Nullable Boolean authorizedDatabasesOnly) {
    this.authorizedDatabases = authorizedDatabasesOnly;
    return this;
  }

  @Override
  public ListDatabases<T> comment(@Nullable String comment) {
    this.comment = comment == null ? null : new BsonString(comment);
    return this;
  }

  @Override
  public ListDatabases<T> comment(@Nullable BsonValue comment) {
    this.comment = comment;
    return this;
  }

  @Override
  public ListDatabases<T> timeoutMode(TimeoutMode timeoutMode) {
    TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }
}
