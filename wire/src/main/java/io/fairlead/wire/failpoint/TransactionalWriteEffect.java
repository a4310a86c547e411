// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import io.fairlead.wire.listener.CloseConnectionException;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What {@code onPrimaryTransactionalWrite} does to the commit of a retryable write.
 *
 * @param acts whether it does anything
 * @param closeConnection whether the connection is closed instead of an answer
 * @param failBeforeCommit the code with which the write fails before it is committed; null lets it
 *     commit
 */
public record TransactionalWriteEffect(
    boolean acts, boolean closeConnection, @Nullable Integer failBeforeCommit) {
  /** The write is left alone. */
  public static final TransactionalWriteEffect NONE =
      new TransactionalWriteEffect(false, false, null);

  static TransactionalWriteEffect parse(BsonDocument data) {
    boolean close = true;
    Integer code = null;
    for (var field : data.entrySet()) {
      BsonValue value = field.getValue();
      switch (field.getKey()) {
        case "closeConnection" -> {
          if (!value.isBoolean()) {
            throw FailPointException.typeMismatch("closeConnection must be a boolean");
          }
          close = value.asBoolean().getValue();
        }
        case "failBeforeCommitExceptionCode" -> {
          if (!value.isNumber()) {
            throw FailPointException.typeMismatch("failBeforeCommitExceptionCode must be a number");
          }
          code = value.asNumber().intValue();
        }
        default ->
            throw FailPointException.badValue(
                "onPrimaryTransactionalWrite has no option '" + field.getKey() + "'");
      }
    }
    return new TransactionalWriteEffect(true, close, code);
  }

  /**
   * To be called before the write is committed.
   *
   * @throws CloseConnectionException when the connection is to be closed with nothing written
   */
  public void closeBeforeCommit() {
    if (acts && failBeforeCommit != null && closeConnection) {
      throw new CloseConnectionException("onPrimaryTransactionalWrite closes the connection");
    }
  }

  /**
   * To be called when the write is committed.
   *
   * @throws CloseConnectionException when the connection is to be closed
   */
  public void closeAfterCommit() {
    if (acts && closeConnection) {
      throw new CloseConnectionException("onPrimaryTransactionalWrite closes the connection");
    }
  }
}
