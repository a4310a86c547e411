// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Figures of one collection.
 *
 * @param documents how many
 * @param documentBytes their BSON bytes together
 * @param indexBytes estimated bytes of index keys, by index name, in the order of the indexes
 */
public record CollectionStatistics(
    long documents, long documentBytes, Map<String, Long> indexBytes) {
  public CollectionStatistics {
    indexBytes = Collections.unmodifiableMap(new LinkedHashMap<>(indexBytes));
  }
}
