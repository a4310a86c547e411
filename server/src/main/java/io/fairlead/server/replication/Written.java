// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication;

import io.fairlead.server.replication.protocol.OpTime;

/**
 * What a write gave back, and where it stands in the log.
 *
 * @param opTime of its last log entry; of the last entry in the log when it changed nothing, so
 *     that waiting for it also waits for what the write has seen
 */
public record Written<T>(T value, OpTime opTime) {}
