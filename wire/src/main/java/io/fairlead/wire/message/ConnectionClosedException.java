// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The connection is gone: closed by this side, by the peer, or broken underway. What was sent
 * before may or may not have arrived.
 */
public final class ConnectionClosedException extends WireException {

  @Serial private static final long serialVersionUID = 1L;

  public ConnectionClosedException(String message) {
    this(message, null);
  }

  public ConnectionClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
