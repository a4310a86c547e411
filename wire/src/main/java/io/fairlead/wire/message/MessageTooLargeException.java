// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A message to be sent is larger than the peer accepts. Nothing was sent; the connection is as good
 * as before.
 */
public final class MessageTooLargeException extends WireException {

  @Serial private static final long serialVersionUID = 1L;

  public MessageTooLargeException(String message) {
    this(message, null);
  }

  public MessageTooLargeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
