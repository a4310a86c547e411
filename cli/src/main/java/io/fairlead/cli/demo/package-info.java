// SPDX-License-Identifier: Apache-2.0
/**
 * {@code fairlead demo}: proves on an embedded cluster what the README says, through our driver and
 * through the official one.
 *
 * <pre>
 *   DemoCommand → Stage (the cluster, the clients, the output) → Scenario → Finding (tables, claims)
 *   traffic      clients that count their attempts per router, and load that measures itself
 *   sickrouter   a router that says hello and fails every query
 *   near         reads go to near members: windows, maxPing, tags
 *   failover     a primary dies under majority writes
 *   reread       an entity read from a lagging member is read again from the primary
 * </pre>
 *
 * A scenario measures and states claims; whether each held is data, and the exit status follows
 * from it.
 */
@NullMarked
package io.fairlead.cli.demo;

import org.jspecify.annotations.NullMarked;
