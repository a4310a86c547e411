// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.operation;

import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** What a test's operations may use besides its entities. */
public interface Surroundings {
  /** A client of the runner itself, with primary reads and majority writes. */
  MongoClient internal();

  /** Runs an administrative command on a certain server. */
  void runOn(ServerAddress server, BsonDocument command);

  /**
   * Notes a fail point, so that it is off after the test.
   *
   * @param server where it was set; null: where the internal client writes
   */
  void failPointSet(String name, @Nullable ServerAddress server);
}
