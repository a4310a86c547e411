// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.ServerCursor;
import com.mongodb.client.MongoCursor;
import io.fairlead.cluster.CommandResult;
import io.fairlead.driver.command.RawFields;
import io.fairlead.driver.command.Replies;
import java.util.NoSuchElementException;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/**
 * The values of one array of one reply, decoded as they are asked for. The server keeps nothing of
 * it.
 */
final class ArrayCursor<T> implements MongoCursor<T> {
  private final Decoder<T> decoder;
  private final ServerAddress address;
  private final RawFields values;
  private boolean hasNext;
  private boolean closed;

  /**
   * @throws MongoException if the reply has no such array
   */
  ArrayCursor(CommandResult result, String field, Decoder<T> decoder) {
    RawFields reply = RawFields.of(result.reply());
    if (!reply.find(field)) {
      throw new MongoException("the reply has no " + field + ": " + result.reply().toJson());
    }
    this.decoder = decoder;
    this.address = Replies.address(result.server());
    this.values = reply.nested();
    this.hasNext = values.advance();
  }

  @Override
  public boolean hasNext() {
    requireOpen();
    return hasNext;
  }

  @Override
  public T next() {
    requireOpen();
    if (!hasNext) {
      throw new NoSuchElementException("the cursor is exhausted");
    }
    T value = values.decode(decoder);
    hasNext = values.advance();
    return value;
  }

  @Override
  public @Nullable T tryNext() {
    return hasNext() ? next() : null;
  }

  @Override
  public int available() {
    requireOpen();
    return hasNext ? 1 + values.remaining() : 0;
  }

  @Override
  public @Nullable ServerCursor getServerCursor() {
    requireOpen();
    return null;
  }

  @Override
  public ServerAddress getServerAddress() {
    requireOpen();
    return address;
  }

  @Override
  public void close() {
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("Cursor has been closed");
    }
  }
}
