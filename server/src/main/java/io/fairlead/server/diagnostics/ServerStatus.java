// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.diagnostics;

import io.fairlead.server.command.ClientState;
import io.fairlead.server.command.CommandContext;
import io.fairlead.server.command.Counters;
import io.fairlead.server.command.ServerParts;
import io.fairlead.server.handshake.BuildInfo;
import java.time.Duration;
import java.time.Instant;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** {@code serverStatus}: what is counted, and nothing that is not. */
final class ServerStatus {
  private ServerStatus() {}

  static BsonDocument run(CommandContext context) {
    ServerParts server = context.server();
    Counters counters = server.counters();
    Instant now = server.settings().clock().instant();
    Duration up = Duration.between(server.started(), now);
    BsonDocument reply =
        new BsonDocument("host", new BsonString(server.address()))
            .append("version", new BsonString(BuildInfo.VERSION))
            .append("process", new BsonString("mongod"))
            .append("pid", new BsonInt64(ProcessHandle.current().pid()))
            .append("uptime", new BsonDouble(up.toSeconds()))
            .append("uptimeMillis", new BsonInt64(up.toMillis()))
            .append("localTime", new BsonDateTime(now.toEpochMilli()))
            .append("asserts", asserts(counters))
            .append("connections", connections(server))
            .append("opcounters", counters.operations())
            .append("metrics", metrics(server))
            .append("logicalSessionRecordCache", sessions(server))
            .append("mem", memory())
            .append(
                "storageEngine",
                new BsonDocument("name", new BsonString("fairlead"))
                    .append("persistent", BsonBoolean.FALSE));
    if (server.coordinator().isReplicaSetMember()) {
      reply.append("repl", server.coordinator().hello().fields());
    }
    return reply;
  }

  private static BsonDocument asserts(Counters counters) {
    return new BsonDocument("regular", Counters.count(counters.internalErrors))
        .append("user", Counters.count(counters.userAssertions));
  }

  private static BsonDocument connections(ServerParts server) {
    int current = server.clients().get().size();
    int max = server.settings().connectionsMax();
    return new BsonDocument("current", new BsonInt32(current))
        .append("available", new BsonInt32(Math.max(0, max - current)))
        .append("totalCreated", Counters.count(server.counters().connectionsAccepted))
        .append("active", new BsonInt32(server.operations().all().size()))
        .append(
            "internal",
            new BsonInt32(
                (int) server.clients().get().stream().filter(ClientState::isInternal).count()));
  }

  private static BsonDocument metrics(ServerParts server) {
    BsonDocument commands = new BsonDocument();
    server
        .counters()
        .byCommand()
        .forEach(
            (name, times) ->
                commands.append(name, new BsonDocument("total", new BsonInt64(times))));
    BsonDocument open = new BsonDocument("total", new BsonInt64(server.cursors().count()));
    BsonDocument cursor =
        new BsonDocument("timedOut", new BsonInt64(server.cursors().timedOut()))
            .append("open", open);
    BsonDocument ttl =
        new BsonDocument("deletedDocuments", new BsonInt64(server.ttl().deletedDocuments()))
            .append("passes", new BsonInt64(server.ttl().passes()));
    return new BsonDocument("commands", commands).append("cursor", cursor).append("ttl", ttl);
  }

  private static BsonDocument sessions(ServerParts server) {
    return new BsonDocument("activeSessionsCount", new BsonInt32(server.sessions().count()));
  }

  private static BsonDocument memory() {
    Runtime runtime = Runtime.getRuntime();
    long mebibytes = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    return new BsonDocument("bits", new BsonInt32(64)).append("jvmUsed", new BsonInt64(mebibytes));
  }
}
