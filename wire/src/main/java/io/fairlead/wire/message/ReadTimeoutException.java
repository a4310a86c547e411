// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * No whole message arrived in time. What arrived of it is kept, so a later receive goes on where
 * this one stopped; a late reply must not be taken for the answer to a newer request.
 */
public final class ReadTimeoutException extends WireException {

  @Serial private static final long serialVersionUID = 1L;

  public ReadTimeoutException(String message) {
    this(message, null);
  }

  public ReadTimeoutException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
