// SPDX-License-Identifier: Apache-2.0
/**
 * The public interfaces: client, database, collection. They hold what was set on them and start
 * operations; nothing is decided here.
 */
@NullMarked
package io.fairlead.driver.client;

import org.jspecify.annotations.NullMarked;
