// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.io.Serial;

/**
 * A message with a document that nests deeper than readers may be asked to follow. The message was
 * read to its end, so that its sender can be answered and the connection goes on.
 */
public final class NestedTooDeepException extends MalformedMessageException {

  @Serial private static final long serialVersionUID = 1L;

  private final transient Message head;

  /**
   * Makes the exception.
   *
   * @param head the message without what was in it, to be answered
   */
  public NestedTooDeepException(String message, Message head) {
    super(message);
    this.head = head;
  }

  /** The message without what was in it. */
  public Message head() {
    return head;
  }
}
