// SPDX-License-Identifier: Apache-2.0
package io.fairlead.wire.listener;

/** Makes the service of each accepted connection. */
@FunctionalInterface
public interface ServiceFactory {

  /** Called on the connection's own thread before its first request is read. */
  ConnectionService open(ClientConnection connection);
}
