// SPDX-License-Identifier: Apache-2.0
/**
 * What became of the statements of retryable writes, so that a repeated {@code lsid + txnNumber +
 * stmtId} is answered from the record and not applied again. Start at {@link
 * io.fairlead.server.retryable.StatementOutcome}.
 *
 * <pre>
 *   oplog entry (lsid, txnNumber, stmtId) → SessionRecord.with(entry) → config.transactions, in the same commit
 * </pre>
 *
 * A secondary derives the same records from the entries it applies, so the record is there when it
 * becomes primary.
 */
@NullMarked
package io.fairlead.server.retryable;

import org.jspecify.annotations.NullMarked;
