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

  /** An operation that is known to be well-formed, or is a part of one. */
  public static OperationSpec parse(BsonValue value) {
    if (!value.isDocument()) {
      throw new InvalidFileException("an operation must be an object");
    }
    BsonDocument operation = value.asDocument();
    if (!operation.isString("name") || !operation.isString("object")) {
      throw new InvalidFileException("an operation must have a name and an object");
    }
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
