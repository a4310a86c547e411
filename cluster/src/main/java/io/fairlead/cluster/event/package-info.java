// SPDX-License-Identifier: Apache-2.0
/**
 * The public driver's listeners, fed. Events of pools, servers and the deployment go through one
 * {@link io.fairlead.cluster.event.EventQueue}, which keeps their order; events of commands are
 * delivered by the thread that runs the command ({@link io.fairlead.cluster.event.CommandEvents}).
 * A listener that throws is logged and cannot stop anything.
 */
@NullMarked
package io.fairlead.cluster.event;

import org.jspecify.annotations.NullMarked;
