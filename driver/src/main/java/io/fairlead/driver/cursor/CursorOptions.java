// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.cursor;

import com.mongodb.client.cursor.TimeoutMode;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * How a cursor fetches its further batches.
 *
 * @param batchSize documents of one batch; zero leaves it to the server
 * @param awaitMillis how long the server waits for new documents at the end of a tailable cursor;
 *     zero: not set
 * @param comment the comment of the command that opened it; null: none
 * @param timeoutMode what the operation's timeout bounds; null: the whole life of the cursor
 */
public record CursorOptions(
    int batchSize,
    long awaitMillis,
    @Nullable BsonValue comment,
    @Nullable TimeoutMode timeoutMode) {
  /** Nothing but a batch size. */
  public static CursorOptions batches(int batchSize) {
    return new CursorOptions(batchSize, 0, null, null);
  }
}
