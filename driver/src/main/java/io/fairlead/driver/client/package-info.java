// SPDX-License-Identifier: Apache-2.0
/**
 * The public interfaces: client, database, collection. They hold what was set on them and start
 * operations; nothing is decided here. A collection is what it reads, what it writes, its indexes,
 * and last what was set on it: {@link io.fairlead.driver.client.CollectionReads} up to {@link
 * io.fairlead.driver.client.FairleadCollection}.
 */
@NullMarked
package io.fairlead.driver.client;

import org.jspecify.annotations.NullMarked;
