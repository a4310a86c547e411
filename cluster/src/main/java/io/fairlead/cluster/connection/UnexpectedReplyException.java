// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import java.io.IOException;

/**
 * A reply that answers something else than what was asked: the connection is out of step and must
 * not be used again.
 */
public final class UnexpectedReplyException extends IOException {
  private static final long serialVersionUID = 1;

  UnexpectedReplyException(String message) {
    super(message);
  }
}
