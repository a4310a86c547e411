// SPDX-License-Identifier: Apache-2.0
/**
 * What a router answers. {@link io.fairlead.router.command.RouterConnection} takes a request, lets
 * the fail point have it, finds its command in the {@link io.fairlead.router.command.CommandTable},
 * and makes a reply of whatever comes out. A command that is not in the table is refused by name.
 */
@NullMarked
package io.fairlead.router.command;

import org.jspecify.annotations.NullMarked;
