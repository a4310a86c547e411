// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.ServerAddress;
import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The answer about something that does not exist: nothing. */
record EmptyCursor<T>(ServerAddress server) implements MongoCursor<T> {
  @Override
  public boolean hasNext() {
    return false;
  }

  @Override
  public T next() {
    throw new NoSuchElementException("the cursor is exhausted");
  }

  @Override
  public @Nullable T tryNext() {
    return null;
  }

  @Override
  public int available() {
    return 0;
  }

  @Override
  public @Nullable ServerCursor getServerCursor() {
    return null;
  }

  @Override
  public ServerAddress getServerAddress() {
    return server;
  }

  @Override
  public void close() {
    // nothing is open
  }
}
