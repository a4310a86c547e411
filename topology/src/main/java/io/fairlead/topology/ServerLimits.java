// SPDX-License-Identifier: Apache-2.0
package io.fairlead.topology;

/**
 * What a server accepts. A connection should go by its own handshake; these are the monitor's, good
 * for telling whether client and server understand each other and for planning batches before a
 * connection is there.
 */
public record ServerLimits(
    int minWireVersion,
    int maxWireVersion,
    int maxBsonObjectSize,
    int maxMessageSizeBytes,
    int maxWriteBatchSize) {

  /** What holds where a server says nothing. */
  public static final ServerLimits DEFAULT =
      new ServerLimits(0, 0, 16 * 1024 * 1024, 48_000_000, 100_000);
}
