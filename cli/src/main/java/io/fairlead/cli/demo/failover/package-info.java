// SPDX-License-Identifier: Apache-2.0
/**
 * A primary dies while writers insert and increment with {@code w: majority}: nothing acknowledged
 * is lost, nothing happens twice.
 */
@NullMarked
package io.fairlead.cli.demo.failover;

import org.jspecify.annotations.NullMarked;
