// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

import java.time.Instant;
import org.bson.BsonDocument;

/**
 * How often an index has been used.
 *
 * @param index as listIndexes reports it
 * @param operations how many operations have read it
 * @param since when counting began: when the index was made, changed, or loaded from disk
 */
public record IndexAccesses(BsonDocument index, long operations, Instant since) {}
