// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** One test of a file. */
public record TestCase(
    String description,
    List<BsonDocument> runOnRequirements,
    @Nullable String skipReason,
    List<OperationSpec> operations,
    List<BsonDocument> expectEvents,
    boolean expectsLogMessages,
    boolean expectsTracing,
    List<CollectionData> outcome) {

  static TestCase parse(BsonValue value) {
    BsonDocument test = value.asDocument();
    return new TestCase(
        test.getString("description").getValue(),
        TestFile.documents(test, "runOnRequirements"),
        test.containsKey("skipReason") ? test.getString("skipReason").getValue() : null,
        test.getArray("operations").stream().map(OperationSpec::parse).toList(),
        TestFile.documents(test, "expectEvents"),
        test.containsKey("expectLogMessages"),
        test.containsKey("expectTracingMessages"),
        TestFile.documents(test, "outcome").stream().map(CollectionData::parse).toList());
  }
}
