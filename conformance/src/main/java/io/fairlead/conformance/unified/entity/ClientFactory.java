// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.entity;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;

/** Whose client is judged. */
@FunctionalInterface
public interface ClientFactory {
  MongoClient create(MongoClientSettings settings);
}
