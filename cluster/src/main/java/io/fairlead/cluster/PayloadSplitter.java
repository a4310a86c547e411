// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster;

import io.fairlead.topology.ServerDescription;
import io.fairlead.wire.message.DocumentSequence;
import java.util.List;

/**
 * Cuts an operation's documents to what the selected server takes.
 *
 * <p>Called once for an operation, when its first server is known; a retry sends the same documents
 * again.
 */
@FunctionalInterface
public interface PayloadSplitter {
  /**
   * Cuts for one server.
   *
   * @param server the selected server, with its {@code maxWriteBatchSize}, {@code
   *     maxMessageSizeBytes} and {@code maxBsonObjectSize}
   * @return what goes with the command; neither empty nor larger than the server takes
   */
  List<DocumentSequence> sequencesFor(ServerDescription server);
}
