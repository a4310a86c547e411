// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import java.io.Serial;

/** Thrown by a service to have its connection closed without an answer. */
public final class CloseConnectionException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  public CloseConnectionException(String reason) {
    super(reason, null, false, false);
  }
}
