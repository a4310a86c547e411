// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.context.OperationContext;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf a write is made.
 *
 * @param session the retryable write it belongs to; null for a write that is not retryable
 * @param image which image of the changed document the record keeps, for {@code findAndModify}
 * @param bypassValidation whether documents that a validator refuses are written all the same
 * @param operation the operation's time, variables and interruption; null for none of its own
 */
public record WriteOrigin(
    @Nullable RetryableWrite session,
    Image image,
    boolean bypassValidation,
    @Nullable OperationContext operation) {

  /** A write that is not retryable. */
  public static final WriteOrigin PLAIN = new WriteOrigin(null, Image.NONE, false, null);

  /** A statement of a retryable write whose answer needs no image. */
  public static WriteOrigin retryable(BsonDocument lsid, long txnNumber) {
    return retryable(lsid, txnNumber, Image.NONE);
  }

  /** A retryable {@code findAndModify}, which answers with that image. */
  public static WriteOrigin retryable(BsonDocument lsid, long txnNumber, Image image) {
    return new WriteOrigin(new RetryableWrite(lsid, txnNumber), image, false, null);
  }

  public WriteOrigin withBypassValidation(boolean value) {
    return new WriteOrigin(session, image, value, operation);
  }

  public WriteOrigin withOperation(@Nullable OperationContext value) {
    return new WriteOrigin(session, image, bypassValidation, value);
  }

  /** Which version of the changed document is kept beside the record of a statement. */
  public enum Image {
    NONE,
    BEFORE,
    AFTER
  }

  /**
   * A session's retryable write.
   *
   * @param lsid the logical session id as the client sent it, {@code {id: UUID}}
   * @param txnNumber grows with every write of the session
   */
  public record RetryableWrite(BsonDocument lsid, long txnNumber) {}
}
