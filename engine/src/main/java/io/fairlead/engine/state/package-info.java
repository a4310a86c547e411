// SPDX-License-Identifier: Apache-2.0
/**
 * The engine's state as one value, and the one place where a commit replaces it.
 *
 * <pre>
 *   StoreEngine ── Root: everything that is stored; replaced by commit and resetTo alone
 *     │              └── StoreSnapshot: what readers see of one; Explains tells how
 *     ├── WriteSession: the collections as one writer changes them, through an Access
 *     │     ├── DocumentWrites, TimeSeriesWrites   documents of one collection: which, says Selection
 *     │     ├── CatalogWrites                      which collections and views there are
 *     │     └── IndexWrites                        their indexes; IndexBuilds prepared them beside writers
 *     └── StoreTransaction: a session on the root on which it began, with Claims on what it writes
 * </pre>
 *
 * An Access says on which root a session works and whose turn it is: LockedAccess of a single write
 * (Turns), ClaimingAccess of a transaction, OwnedAccess of a commit's participant, AsideAccess of
 * what is written beside everything.
 */
@NullMarked
package io.fairlead.engine.state;

import org.jspecify.annotations.NullMarked;
