// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A message could not be carried. The kind says what that means for the connection it was on. */
public abstract sealed class WireException extends IOException
    permits ConnectException,
        ConnectionClosedException,
        MalformedMessageException,
        MessageTooLargeException,
        ReadTimeoutException {

  @Serial private static final long serialVersionUID = 1L;

  WireException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
