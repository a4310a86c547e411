// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.discovery;

import io.fairlead.topology.HostAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where discovery begins.
 *
 * @param seeds at least one; more than one only unless {@link Connection#DIRECT} or {@link
 *     Connection#LOAD_BALANCED}
 * @param setName members of any other replica set are left out; null: take the first set that is
 *     found
 */
public record DiscoverySettings(
    Set<HostAddress> seeds, @Nullable String setName, Connection connection) {

  public enum Connection {
    /** Find out what kind of deployment the seeds belong to. */
    DISCOVER,
    /** Talk to the one seed, whatever it is. */
    DIRECT,
    /** The one seed is a load balancer, about which nothing is discovered. */
    LOAD_BALANCED
  }

  public DiscoverySettings {
    seeds = java.util.Collections.unmodifiableSet(new LinkedHashSet<>(seeds));
    if (seeds.isEmpty()) {
      throw new IllegalArgumentException("discovery needs at least one seed");
    }
    if (connection != Connection.DISCOVER && seeds.size() > 1) {
      throw new IllegalArgumentException(
          connection + " takes exactly one seed, was given " + seeds.size());
    }
    if (connection == Connection.LOAD_BALANCED && setName != null) {
      throw new IllegalArgumentException(
          "behind a load balancer no replica set name can be asked for");
    }
  }
}
