// SPDX-License-Identifier: Apache-2.0
/**
 * What a router answers. {@link io.fairlead.router.command.RouterConnection} takes a request, lets
 * the fail point have it, finds its command in the {@link io.fairlead.router.command.CommandTable},
 * and makes a reply of whatever comes out. A command that is not in the table is refused by name.
 *
 * <p>A command that one shard can answer is passed on as bytes. The others ask several and put
 * together what comes; a pipeline's second half runs here, and what its stages read of other
 * collections is a {@link io.fairlead.router.command.RoutedPipeline} again.
 */
@NullMarked
package io.fairlead.router.command;

import org.jspecify.annotations.NullMarked;
