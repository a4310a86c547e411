// SPDX-License-Identifier: Apache-2.0
/**
 * The client core: one deployment, its servers watched, and commands run on the right one. Start at
 * {@link io.fairlead.cluster.Cluster}; what is to be run is an {@link
 * io.fairlead.cluster.Operation}.
 *
 * <pre>
 *   monitor     one loop per server says hello and tells the topology what it heard
 *   deployment  the topology's shell: publishes descriptions, performs actions, wakes those who wait for a server
 *   pool        connections of one server (Connection Monitoring And Pooling)
 *   connection  one handshaken connection, its description, one command at a time
 *   execution   the retry loop: select → check out → send → judge → again, elsewhere
 *   session     logical sessions and gossiped cluster time
 *   event       the public driver's listeners, in order
 *   settings    MongoClientSettings read whole, what is not supported refused by name
 * </pre>
 *
 * Order of locks, where two nest: deployment before pool. Neither is held across I/O, waiting for a
 * peer, or a listener.
 */
@NullMarked
package io.fairlead.cluster;

import org.jspecify.annotations.NullMarked;
