// SPDX-License-Identifier: Apache-2.0
/**
 * Cursors with numbers of the router's own ({@link io.fairlead.router.cursor.Cursors}): one that is
 * open on a single shard and only passed through, or one that merges those of several ({@link
 * io.fairlead.router.cursor.MergedCursor}).
 */
@NullMarked
package io.fairlead.router.cursor;

import org.jspecify.annotations.NullMarked;
