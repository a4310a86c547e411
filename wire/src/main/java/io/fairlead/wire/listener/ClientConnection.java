// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

import io.fairlead.wire.message.Compressor;
import org.jspecify.annotations.Nullable;

/** One accepted connection, as its service and the owner of the listener see it. */
public interface ClientConnection {

  /** A number of its own among the connections of its listener, from 1 up. */
  long id();

  /** The client, as {@code host:port}. */
  String peer();

  /** Whether the client is in this JVM. */
  boolean inProcess();

  /**
   * The compressor of the last request, with which its reply is compressed as well; null for none.
   */
  @Nullable Compressor compressor();

  /** Closes the connection, interrupting a request in progress. May come from any thread. */
  void close();
}
