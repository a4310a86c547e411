// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.selection;

import io.fairlead.topology.ServerDescription;

/** What came of one attempt to choose a server. */
public sealed interface Selection {

  /**
   * This server.
   *
   * @param because in a few words, why this one
   * @param despiteEjection whether health would rather not have had it, but nobody else was left
   */
  record Chosen(ServerDescription server, String because, boolean despiteEjection)
      implements Selection {}

  /**
   * Nobody now, but the next change of the topology may help.
   *
   * @param missing what was looked for and what was seen, server by server
   */
  record NotYet(String missing) implements Selection {}

  /** Waiting can't help: the request itself, or the deployment, is at fault. */
  record Impossible(String why) implements Selection {}
}
