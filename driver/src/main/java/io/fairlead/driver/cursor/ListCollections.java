// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import io.fairlead.driver.command.BsonEncoding;
import io.fairlead.driver.command.CommandBody;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** {@code listCollections}. */
public final class ListCollections<T> extends CursorIterable<T>
    implements ListCollectionsIterable<T> {
  private final Target target;
  private final Codec<T> codec;
  private final boolean namesOnly;
  private @Nullable Bson filter;
  private @Nullable BsonValue comment;
  private boolean authorizedCollections;
  private int batchSize;
  private long maxTimeMillis;

  /**
   * The collections of a database.
   *
   * @param namesOnly whether only the names are asked for, which the server can tell without a look
   *     at each collection
   */
  public ListCollections(Target target, Codec<T> codec, boolean namesOnly) {
    this.target = target;
    this.codec = codec;
    this.namesOnly = namesOnly;
  }

  @Override
  public MongoCursor<T> cursor() {
    BsonDocument filtering =
        BsonEncoding.document(filter, target.documentClass(), target.scope().codecs());
    RawBsonDocument command =
        target
            .databaseCommand("listCollections")
            .cursor(ListOptions.orServers(batchSize))
            .value("filter", filtering)
            .flag("nameOnly", namesOnly && byNameOnly(filtering))
            .flag("authorizedCollections", authorizedCollections)
            .value("comment", comment)
            .maxTime(target.scope().maxTime(maxTimeMillis))
            .end();
    return ListOptions.open(target, command, codec, batchSize, comment);
  }

  /** A server that looks at names only has nothing else to filter by. */
  private static boolean byNameOnly(@Nullable BsonDocument filter) {
    return filter == null || Set.of("name").containsAll(filter.keySet());
  }

  void authorizedCollections(boolean only) {
    this.authorizedCollections = only;
  }

  @Override
  public ListCollections<T> filter(@Nullable Bson filter) {
    this.filter = filter;
    return this;
  }

  @Override
  public ListCollections<T> maxTime(long maxTime, TimeUnit timeUnit) {
    this.maxTimeMillis = CommandBody.millis("maxTime", maxTime, timeUnit);
    return this;
  }

  @Override
  public ListCollections<T> batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  @Override
  public ListCollections<T> comment(@Nullable String comment) {
    this.comment = comment == null ? null : new BsonString(comment);
    return this;
  }

  @Override
  public ListCollections<T> comment(@Nullable BsonValue comment) {
    this.comment = comment;
    return this;
  }

  @Override
  public ListCollections<T> timeoutMode(TimeoutMode timeoutMode) {
    TimeoutModes.require(timeoutMode, target.scope());
    return this;
  }
}
