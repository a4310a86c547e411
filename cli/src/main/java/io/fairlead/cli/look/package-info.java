// SPDX-License-Identifier: Apache-2.0
/**
 * {@code fairlead topology} and {@code fairlead select}: what selection sees, and what it would do
 * with one read or write.
 */
@NullMarked
package io.fairlead.cli.look;

import org.jspecify.annotations.NullMarked;
