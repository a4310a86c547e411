// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.monitor;

import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.topology.TopologyVersion;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * The hello that is said on a connection after its handshake: by its legacy name where the server
 * knows no other.
 */
final class HelloCommand {
  private HelloCommand() {}

  static BsonDocument polled(Connection connection, MonitorOptions options) {
    boolean known = connection.handshake().helloOk();
    BsonDocument command = new BsonDocument(known ? "hello" : "isMaster", new BsonInt32(1));
    if (!known) {
      command.append("helloOk", BsonBoolean.TRUE);
    }
    command.append("$db", new BsonString("admin"));
    if (options.serverApi() != null) {
      Handshake.declare(options.serverApi(), command);
    }
    return command;
  }

  static BsonDocument streamed(
      Connection connection, MonitorOptions options, TopologyVersion seen) {
    return polled(connection, options)
        .append("topologyVersion", seen.toDocument())
        .append("maxAwaitTimeMS", new BsonInt64(options.heartbeat().toMillis()));
  }
}
