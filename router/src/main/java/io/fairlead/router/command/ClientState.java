// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.wire.listener.ClientConnection;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What a client said of itself. Used by its connection's thread. */
final class ClientState {

  private final ClientConnection connection;
  private @Nullable String applicationName;
  private boolean greeted;

  ClientState(ClientConnection connection) {
    this.connection = connection;
  }

  long connectionId() {
    return connection.id();
  }

  @Nullable String applicationName() {
    return applicationName;
  }

  void greet(@Nullable BsonValue client) {
    if (greeted || !(client instanceof BsonDocument document)) {
      return;
    }
    greeted = true;
    if (document.get("application") instanceof BsonDocument application
        && application.get("name") instanceof BsonString name) {
      applicationName = name.getValue();
    }
  }
}
