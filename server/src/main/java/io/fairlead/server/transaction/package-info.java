// SPDX-License-Identifier: Apache-2.0
/**
 * Multi-document transactions of sessions: one at a time in each, until commit, abort, a newer
 * number, the end of the session or the lifetime limit. Start at {@link
 * io.fairlead.server.transaction.Transactions}.
 *
 * <pre>
 *   startTransaction → IN_PROGRESS → commitTransaction → COMMITTED
 *                          └─ abortTransaction, any failed statement → ABORTED
 * </pre>
 */
@NullMarked
package io.fairlead.server.transaction;

import org.jspecify.annotations.NullMarked;
