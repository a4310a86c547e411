// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.catalog;

import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonTimestamp;
import org.bson.types.ObjectId;

/** Where a collection is. */
public sealed interface Placement {

  /** The version of a collection that is not sharded: {@code {e, t, v}} of zeros. */
  BsonDocument UNSHARDED =
      new BsonDocument("e", new BsonObjectId(new ObjectId(new byte[12])))
          .append("t", new BsonTimestamp(0, 0))
          .append("v", new BsonTimestamp(0, 0));

  /** Its database does not exist. */
  record Nowhere() implements Placement {}

  /** Whole, on the primary shard of its database, if it exists. */
  record Unsharded(DatabaseEntry database) implements Placement {}

  /** In chunks. */
  record Sharded(DatabaseEntry database, RoutingTable table) implements Placement {}
}
