// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.engine.Snapshot;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/**
 * A state that a read sees.
 *
 * @param atClusterTime its time, at which later reads may see it again; null unless the read asked
 *     for level {@code snapshot}
 */
public record ReadView(Snapshot state, @Nullable BsonTimestamp atClusterTime) {}
