// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.failpoint;

import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What a fail point does to one command. Perform it in this order: wait {@link #block}, then what
 * {@link #outcome} says.
 *
 * @param block how long to wait before anything else; zero for not at all
 * @param outcome what happens after the wait
 * @param errorLabels the labels of the reply, exactly these, even when empty; null leaves them to
 *     the server's own rules
 */
public record Effect(Duration block, Outcome outcome, @Nullable List<String> errorLabels) {
  /** No fail point is set, or none wants this command. */
  public static final Effect NONE = new Effect(Duration.ZERO, new Proceed(), null);

  /** What becomes of the command after the wait. */
  public sealed interface Outcome {}

  /** The command runs as if nothing were set. */
  public record Proceed() implements Outcome {}

  /** The connection is closed without an answer; the command does not run. */
  public record CloseConnection() implements Outcome {}

  /**
   * The command does not run and is answered by an error.
   *
   * @param code the error's number
   * @param message the error's text
   * @param extraInfo further fields of the reply, possibly none
   */
  public record Fail(int code, String message, BsonDocument extraInfo) implements Outcome {}

  /** The command runs, and its reply carries this {@code writeConcernError}. */
  public record AddWriteConcernError(BsonDocument writeConcernError) implements Outcome {}

  /** Whether the command is left alone altogether. */
  public boolean isNone() {
    return block.isZero() && outcome instanceof Proceed && errorLabels == null;
  }
}
