// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.message;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that arrived are not a message: a length that cannot be, an unknown kind, a broken
 * document, a wrong checksum. The stream is out of step and its connection is closed, except after
 * a {@link NestedTooDeepException}.
 */
public sealed class MalformedMessageException extends WireException permits NestedTooDeepException {

  @Serial private static final long serialVersionUID = 1L;

  public MalformedMessageException(String message) {
    this(message, null);
  }

  public MalformedMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
