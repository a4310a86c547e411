// SPDX-License-Identifier: Apache-2.0
/**
 * The ordered map that everything is stored in: a persistent B+tree. Start at {@link
 * io.fairlead.engine.storage.Tree}.
 *
 * <pre>
 *   Tree (immutable) ── edit() ──► TreeEditor (one thread, copies what it touches) ── tree() ──► Tree
 *    ├── cursor() ──► TreeCursor (both directions)
 *    └── Node (leaf or branch): Keys, which are numbers (Words) where they are short
 * </pre>
 *
 * Knows nothing of BSON: keys are bytes in unsigned order, values are whatever the caller keeps.
 */
@NullMarked
package io.fairlead.engine.storage;

import org.jspecify.annotations.NullMarked;
