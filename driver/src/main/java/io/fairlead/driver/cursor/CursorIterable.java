// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.Function;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoIterable;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What every iterable does once it can open a cursor. Each call of it runs the command anew. */
abstract class CursorIterable<T> implements MongoIterable<T> {
  @Override
  public abstract MongoCursor<T> cursor();

  @Override
  public MongoCursor<T> iterator() {
    return cursor();
  }

  @Override
  public @Nullable T first() {
    try (MongoCursor<T> cursor = cursor()) {
      return cursor.hasNext() ? cursor.next() : null;
    }
  }

  @Override
  public <U> MongoIterable<U> map(Function<T, U> mapper) {
    return new MappedIterable<>(this, mapper);
  }

  @Override
  public void forEach(Consumer<? super T> action) {
    try (MongoCursor<T> cursor = cursor()) {
      while (cursor.hasNext()) {
        action.accept(cursor.next());
      }
    }
  }

  @Override
  public <A extends Collection<? super T>> A into(A target) {
    forEach(target::add);
    return target;
  }
}
