// SPDX-License-Identifier: Apache-2.0
package io.fairlead.cluster.execution;

import com.mongodb.MongoException;
import io.fairlead.topology.discovery.TopologyEvent;
import io.fairlead.topology.retry.Failure;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt's trouble means.
 *
 * @param connection what becomes of the connection; {@link Fate#KEEP} also when there was none
 * @param failure for the retry policy and health; null: the client's own limits ended the attempt,
 *     nobody failed
 * @param exception what the caller is told if this is the end
 * @param event what the topology is told; null: nothing
 * @param reply the reply of a command that succeeded but for its write concern; null: none
 */
record Judgement(
    Fate connection,
    @Nullable Failure failure,
    MongoException exception,
    @Nullable TopologyEvent event,
    @Nullable RawBsonDocument reply) {

  /** What becomes of a connection. */
  enum Fate {
    /** The reply was read whole; the stream is in step. */
    KEEP,
    /** A late reply would answer the next command. */
    DISCARD
  }
}
