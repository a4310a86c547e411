// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.Function;
import com.mongodb.ServerAddress;
import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoIterable;
import org.jspecify.annotations.Nullable;

/** Another iterable's documents, each as a function sees it. */
public final class MappedIterable<S, T> extends CursorIterable<T> {
  private final MongoIterable<S> source;
  private final Function<S, T> mapper;

  public MappedIterable(MongoIterable<S> source, Function<S, T> mapper) {
    if (mapper == null) {
      throw new IllegalArgumentException("mapper can not be null");
    }
    this.source = source;
    this.mapper = mapper;
  }

  @Override
  public MongoCursor<T> cursor() {
    return new MappedCursor<>(source.cursor(), mapper);
  }

  @Override
  public @Nullable T first() {
    S first = source.first();
    return first == null ? null : mapper.apply(first);
  }

  @Override
  public MappedIterable<S, T> batchSize(int batchSize) {
    source.batchSize(batchSize);
    return this;
  }

  private record MappedCursor<S, T>(MongoCursor<S> source, Function<S, T> mapper)
      implements MongoCursor<T> {
    @Override
    public void close() {
      source.close();
    }

    @Override
    public boolean hasNext() {
      return source.hasNext();
    }

    @Override
    public T next() {
      return mapper.apply(source.next());
    }

    @Override
    public int available() {
      return source.available();
    }

    @Override
    public @Nullable T tryNext() {
      S next = source.tryNext();
      return next == null ? null : mapper.apply(next);
    }

    @Override
    public @Nullable ServerCursor getServerCursor() {
      return source.getServerCursor();
    }

    @Override
    public ServerAddress getServerAddress() {
      return source.getServerAddress();
    }
  }
}
