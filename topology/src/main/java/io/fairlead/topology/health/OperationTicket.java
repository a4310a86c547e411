// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology.health;

import io.fairlead.topology.HostAddress;

/**
 * One operation on its way: taken from {@link Health#begin} and given back to {@link Health#end},
 * once.
 */
public final class OperationTicket {
  final HostAddress server;
  final String command;
  final long startNanos;
  final boolean trial;
  final boolean despiteEjection;
  boolean countedAsSlow;

  OperationTicket(
      HostAddress server, String command, long startNanos, boolean trial, boolean despiteEjection) {
    this.server = server;
    this.command = command;
    this.startNanos = startNanos;
    this.trial = trial;
    this.despiteEjection = despiteEjection;
  }

  public HostAddress server() {
    return server;
  }

  /** Whether this operation decides about an ejected server's return. */
  public boolean isTrial() {
    return trial;
  }
}
