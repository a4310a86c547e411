// SPDX-License-Identifier: Apache-2.0
/**
 * The replicated log, {@code local.oplog.rs}: entries in MongoDB's format, written in the very
 * commit whose changes they describe.
 */
@NullMarked
package io.fairlead.server.oplog;

import org.jspecify.annotations.NullMarked;
