// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps an engine's content on disk. Start at {@link io.fairlead.engine.durability.Journal}.
 *
 * <pre>
 *   commits ──► newest Content ──┐                    (in memory, nothing waits here)
 *                                ▼
 *   Journal's thread: difference to what is written ──► one frame group of the JournalFile ──► force ──► waiting writers
 *                                │ when it has grown
 *                                ▼
 *   next JournalFile, and a checkpoint of the Content at the switch, written beside: Checkpoints
 *
 *   directory:  lock · format · checkpoint-N (whole content) · journal-N, journal-N+1, … (changes since)
 * </pre>
 *
 * The content is a value, so what is to be written is the difference of two values: {@link
 * io.fairlead.engine.storage.TreeDifference} finds it without anybody having kept a list. Commits
 * that come while the disk is busy share the next group. Records are written; indexes are built
 * again from them.
 */
@NullMarked
package io.fairlead.engine.durability;

import org.jspecify.annotations.NullMarked;
