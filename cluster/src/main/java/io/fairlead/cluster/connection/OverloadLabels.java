// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.connection;

import io.fairlead.topology.retry.Failure;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Set;

/**
 * The labels that a client itself puts on a connection that could not be opened: a server that
 * takes none may be overloaded, so its pool is left alone and a retry waits. Not so when the name
 * is unknown, which no load explains, nor when the server did answer.
 */
public final class OverloadLabels {
  private static final Set<String> OVERLOADED =
      Set.of(Failure.SYSTEM_OVERLOADED, Failure.RETRYABLE);

  private OverloadLabels() {}

  /** The labels of this failure to open a connection. */
  public static Set<String> of(IOException opening) {
    if (opening instanceof Handshake.RefusedException) {
      return Set.of();
    }
    for (Throwable each = opening; each != null; each = each.getCause()) {
      if (each instanceof UnknownHostException) {
        return Set.of();
      }
    }
    return OVERLOADED;
  }
}
