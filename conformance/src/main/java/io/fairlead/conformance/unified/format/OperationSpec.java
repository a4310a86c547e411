// SPDX-License-Identifier: Apache-2.0
package io.fairlead.conformance.unified.format;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** One step of a test. */
public record OperationSpec(
    String name,
    String object,
    BsonDocument arguments,
    boolean ignoreResultAndError,
    @Nullable BsonDocument expectError,
    @Nullable BsonValue expectResult,
    @Nullable String saveResultAsEntity) {

  /** An operation of a file that {@link FormatRules} has let pass. */
  public static OperationSpec parse(BsonValue value) {
    BsonDocument operation = value.asDocument();
    return new OperationSpec(
        operation.getString("name").getValue(),
        operation.getString("object").getValue(),
        operation.getDocument("arguments", new BsonDocument()),
        operation.containsKey("ignoreResultAndError")
            && operation.getBoolean("ignoreResultAndError").getValue(),
        operation.containsKey("expectError") ? operation.getDocument("expectError") : null,
        operation.get("expectResult"),
        operation.containsKey("saveResultAsEntity")
            ? operation.getString("saveResultAsEntity").getValue()
            : null);
  }
}
