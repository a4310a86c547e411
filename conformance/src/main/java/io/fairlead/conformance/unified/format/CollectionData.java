// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What a collection holds before or after a test. */
public record CollectionData(
    String database,
    String collection,
    @Nullable BsonDocument createOptions,
    List<BsonDocument> documents) {

  static CollectionData parse(BsonValue value) {
    BsonDocument data = value.asDocument();
    return new CollectionData(
        data.getString("databaseName").getValue(),
        data.getString("collectionName").getValue(),
        data.containsKey("createOptions") ? data.getDocument("createOptions") : null,
        data.getArray("documents").stream().map(BsonValue::asDocument).toList());
  }
}
