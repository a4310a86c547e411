// SPDX-License-Identifier: Apache-2.0
/**
 * Commands as bytes and their replies read in place. Start at {@link
 * io.fairlead.driver.command.Scope}, which starts every operation; {@link
 * io.fairlead.driver.command.CommandBody} writes it, {@link io.fairlead.driver.command.RawFields}
 * reads the answer. Knows no collection.
 */
@NullMarked
package io.fairlead.driver.command;

import org.jspecify.annotations.NullMarked;
