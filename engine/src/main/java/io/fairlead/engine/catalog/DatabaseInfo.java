// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.catalog;

/**
 * One database.
 *
 * @param collections how many collections and views it has; at least 1
 * @param sizeBytes of documents, without indexes
 */
public record DatabaseInfo(String name, int collections, long sizeBytes) {}
