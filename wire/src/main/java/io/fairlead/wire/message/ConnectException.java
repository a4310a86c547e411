// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * No connection came about: the address has no listener, cannot be resolved, or did not answer in
 * time.
 */
public final class ConnectException extends WireException {

  @Serial private static final long serialVersionUID = 1L;

  public ConnectException(String message) {
    this(message, null);
  }

  public ConnectException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
