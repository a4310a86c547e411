// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.error;

/**
 * The refusal of everything about search indexes. Search is a service beside MongoDB; a server
 * without it refuses as every server outside of Atlas does.
 */
public final class SearchNotEnabled {
  private static final int CODE = 31082;

  private SearchNotEnabled() {}

  /** The error, 31082 SearchNotEnabled. */
  public static EngineException refusal() {
    return new EngineException(
        CODE,
        "Using Atlas Search Database Commands and the $listSearchIndexes aggregation stage requires"
            + " additional configuration, which this server does not have.");
  }
}
