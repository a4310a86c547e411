// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.replication.protocol;

/** The last vote a member gave; kept across restarts, so that it never votes twice in a term. */
public record Vote(long term, int candidate) {
  public static final Vote NONE = new Vote(-1, -1);
}
