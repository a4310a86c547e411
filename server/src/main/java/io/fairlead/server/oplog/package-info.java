// SPDX-License-Identifier: Apache-2.0
/**
 * The replicated log, {@code local.oplog.rs}, in MongoDB's format.
 *
 * <pre>
 *   primary     engine commit → {@link io.fairlead.server.oplog.OplogWriter} → entries and retryable-write records, in the same commit
 *   secondary   pulled entries → {@link io.fairlead.server.oplog.EntryApplier} → the same changes, the same entries, one commit per batch
 *   both        {@link io.fairlead.server.oplog.Oplog} reads, {@link io.fairlead.server.oplog.LogClock} counts
 * </pre>
 */
@NullMarked
package io.fairlead.server.oplog;

import org.jspecify.annotations.NullMarked;
