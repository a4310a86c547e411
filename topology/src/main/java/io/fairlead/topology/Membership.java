// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What a member says about its replica set.
 *
 * @param me the name the member has in its own configuration
 * @param hosts members that may become primary, {@code passives} those with priority 0, {@code
 *     arbiters} those without documents
 * @param primary whom the member believes to be primary
 */
public record Membership(
    @Nullable String setName,
    @Nullable Long setVersion,
    @Nullable ObjectId electionId,
    @Nullable HostAddress me,
    @Nullable HostAddress primary,
    Set<HostAddress> hosts,
    Set<HostAddress> passives,
    Set<HostAddress> arbiters) {

  /** A server that is in no replica set. */
  public static final Membership NONE =
      new Membership(null, null, null, null, null, Set.of(), Set.of(), Set.of());

  public Membership {
    hosts = Collections.unmodifiableSet(new LinkedHashSet<>(hosts));
    passives = Collections.unmodifiableSet(new LinkedHashSet<>(passives));
    arbiters = Collections.unmodifiableSet(new LinkedHashSet<>(arbiters));
  }

  /** Hosts, passives and arbiters together, in this order. */
  public Set<HostAddress> all() {
    Set<HostAddress> all = new LinkedHashSet<>(hosts);
    all.addAll(passives);
    all.addAll(arbiters);
    return all;
  }
}
