// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.command;

import io.fairlead.engine.Engine;
import io.fairlead.server.ServerSettings;
import io.fairlead.server.cursor.Cursors;
import io.fairlead.server.replication.ReplicationCoordinator;
import io.fairlead.server.sessions.Sessions;
import io.fairlead.server.transaction.Transactions;
import io.fairlead.server.ttl.TtlMonitor;
import io.fairlead.wire.failpoint.FailPoints;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * What the commands of one server share.
 *
 * @param settings what the server was started with
 * @param address {@code host:port} of its listener
 * @param engine its data
 * @param coordinator the one way to write, and what reads may see
 * @param table its commands
 * @param cursors open between commands
 * @param sessions known to it
 * @param transactions under way in them
 * @param failPoints set on it
 * @param operations running on it
 * @param ttl deletes documents that have expired
 * @param counters what it has done
 * @param clients its open connections
 * @param started when it started
 */
public record ServerParts(
    ServerSettings settings,
    String address,
    Engine engine,
    ReplicationCoordinator coordinator,
    CommandTable table,
    Cursors cursors,
    Sessions sessions,
    Transactions transactions,
    FailPoints failPoints,
    Operations operations,
    TtlMonitor ttl,
    Counters counters,
    Supplier<Collection<ClientState>> clients,
    Instant started) {}
