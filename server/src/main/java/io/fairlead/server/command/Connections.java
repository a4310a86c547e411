// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.wire.listener.ClientConnection;
import io.fairlead.wire.listener.ConnectionService;
import io.fairlead.wire.listener.ServiceFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open connections of a server, of all its listeners. */
public final class Connections {
  private final Set<ClientState> open = ConcurrentHashMap.newKeySet();

  /** A snapshot of the clients that are connected. */
  public Collection<ClientState> all() {
    return List.copyOf(open);
  }

  /** The commands that are running now. */
  List<Operation> running() {
    List<Operation> running = new ArrayList<>();
    for (ClientState client : open) {
      Operation operation = client.running();
      if (operation != null) {
        running.add(operation);
      }
    }
    return running;
  }

  /** What serves each connection from now on. */
  public ServiceFactory servedBy(Dispatcher dispatcher, Counters counters, InstantSource clock) {
    return connection -> open(connection, dispatcher, counters, clock);
  }

  private ConnectionService open(
      ClientConnection connection, Dispatcher dispatcher, Counters counters, InstantSource clock) {
    ClientState client = new ClientState(connection, clock.instant());
    open.add(client);
    counters.connectionsAccepted.increment();
    return new ConnectionHandler(dispatcher, client, open::remove);
  }
}
