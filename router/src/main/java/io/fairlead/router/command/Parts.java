// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.router.RouterSettings;
import io.fairlead.router.catalog.Catalog;
import io.fairlead.router.catalog.ConfigStore;
import io.fairlead.router.cursor.Cursors;
import io.fairlead.router.shard.ShardTeller;
import io.fairlead.router.shard.Shards;
import io.fairlead.router.shard.VersionedRun;
import io.fairlead.router.status.LiveRouting;
import io.fairlead.router.status.ReadCounts;
import io.fairlead.wire.failpoint.FailPoints;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.IntSupplier;
import org.bson.types.ObjectId;

/** What all commands of one router share. */
public record Parts(
    RouterSettings settings,
    ConfigStore config,
    Catalog catalog,
    Shards shards,
    ShardTeller teller,
    VersionedRun versioned,
    Cursors cursors,
    FailPoints failPoints,
    LiveRouting live,
    ReadCounts reads,
    InstantSource clock,
    ObjectId processId,
    Instant started,
    IntSupplier connections) {}
