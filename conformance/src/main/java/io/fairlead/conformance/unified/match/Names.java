// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.match;

import org.bson.BsonDocument;
import org.bson.BsonValue;

/** What expectations may refer to by name. */
public interface Names {
  /**
   * The value of that name.
   *
   * @throws TestFailure when there is none
   */
  BsonValue value(String name);

  /**
   * The logical id of the session of that name.
   *
   * @throws TestFailure when there is none
   */
  BsonDocument sessionId(String name);
}
