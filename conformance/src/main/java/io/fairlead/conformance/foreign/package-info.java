// SPDX-License-Identifier: Apache-2.0
/**
 * Clients that were not written here, against our servers and routers. Start at {@link
 * io.fairlead.conformance.foreign.ForeignClients}.
 *
 * <pre>
 *   Deployment: an embedded replica set · an embedded sharded cluster, and how to make a primary step down
 *   ForeignClient: OfficialJavaDriver · ScriptClient (mongosh, Node, PyMongo; conformance/foreign/)  → steps, passed or failed
 *   Tools: finds or installs what a script needs, or says why it cannot
 * </pre>
 */
@NullMarked
package io.fairlead.conformance.foreign;

import org.jspecify.annotations.NullMarked;
