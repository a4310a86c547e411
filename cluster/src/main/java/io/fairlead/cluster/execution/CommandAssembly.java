// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.ServerApi;
import io.fairlead.cluster.Operation;
import io.fairlead.cluster.connection.Connection;
import io.fairlead.cluster.connection.Handshake;
import io.fairlead.cluster.session.ClusterClock;
import io.fairlead.cluster.session.Session;
import io.fairlead.topology.TopologyType;
import io.fairlead.topology.readpreference.EffectiveReadPreference;
import io.fairlead.wire.message.DocumentSequence;
import io.fairlead.wire.message.Message;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Makes the message of one attempt: the operation's command and what the client adds to it. What it
 * carries already is kept.
 */
final class CommandAssembly {
  private final @Nullable ServerApi serverApi;
  private final ClusterClock clock;

  CommandAssembly(@Nullable ServerApi serverApi, ClusterClock clock) {
    this.serverApi = serverApi;
    this.clock = clock;
  }

  /**
   * What one attempt adds.
   *
   * @param session null: none is sent
   * @param transactionNumber of a retryable write, the same for all its attempts; null: none
   * @param maxTimeMillis what is left for the server; null: without limit
   */
  record Additions(
      TopologyType topology,
      io.fairlead.topology.ServerType server,
      EffectiveReadPreference readPreference,
      @Nullable Session session,
      @Nullable BsonInt64 transactionNumber,
      @Nullable Long maxTimeMillis) {}

  Message assemble(
      Operation operation,
      List<DocumentSequence> sequences,
      Connection connection,
      Additions additions) {
    BsonDocument command = operation.command();
    BsonDocument extra = new BsonDocument(8);
    put(extra, command, "$db", new BsonString(operation.database()));
    Session session = additions.session();
    if (session != null) {
      put(extra, command, "lsid", session.lsid());
      if (additions.transactionNumber() != null) {
        put(extra, command, "txnNumber", additions.transactionNumber());
      }
      BsonTimestamp seen = session.operationTime();
      if (operation.afterClusterTime() && session.isCausallyConsistent() && seen != null) {
        putReadConcern(extra, command, seen);
      }
    }
    gossip(extra, command, session, connection);
    additions
        .readPreference()
        .wireDocument(additions.topology(), additions.server())
        .ifPresent(preference -> put(extra, command, "$readPreference", preference));
    if (additions.maxTimeMillis() != null) {
      put(extra, command, "maxTimeMS", new BsonInt64(additions.maxTimeMillis()));
    }
    if (serverApi != null && !command.containsKey("apiVersion")) {
      Handshake.declare(serverApi, extra);
    }
    Message message = Message.command(Appended.to(command, extra), sequences);
    return operation.acknowledged() ? message : message.withFlags(Message.MORE_TO_COME);
  }

  private static void put(BsonDocument extra, BsonDocument command, String field, BsonValue value) {
    if (!command.containsKey(field)) {
      extra.append(field, value);
    }
  }

  /**
   * A standalone that gave a cluster time does not exist; the greater of what the client and the
   * session have seen is sent.
   */
  private void gossip(
      BsonDocument extra, BsonDocument command, @Nullable Session session, Connection connection) {
    BsonDocument mine = clock.current();
    BsonDocument its = session == null ? null : session.clusterTime();
    BsonDocument greater = ClusterClock.greater(mine, its);
    if (greater != null
        && connection.description().getServerType()
            != com.mongodb.connection.ServerType.STANDALONE) {
      put(extra, command, "$clusterTime", greater);
    }
  }

  /**
   * The command's own read concern keeps its level; a write has none and gets one with the time
   * alone.
   */
  private static void putReadConcern(BsonDocument extra, BsonDocument command, BsonTimestamp seen) {
    BsonDocument concern = new BsonDocument();
    BsonValue own = command.get("readConcern");
    if (own != null && own.isDocument()) {
      concern.putAll(own.asDocument());
    }
    if (!concern.containsKey("afterClusterTime") && !concern.containsKey("atClusterTime")) {
      concern.append("afterClusterTime", seen);
      extra.append("readConcern", concern);
    }
  }
}
