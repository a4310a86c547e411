// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.command;

import io.fairlead.engine.Namespace;
import io.fairlead.engine.error.EngineException;
import io.fairlead.router.bytes.Splice;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * One operation of a {@code bulkWrite}, as a statement of the insert, update or delete that it is.
 */
record BulkWriteOperation(WriteCommand.Kind kind, Namespace namespace, RawBsonDocument statement) {

  private static final Map<String, String> UPDATE_FIELDS =
      Map.of(
          "filter", "q",
          "updateMods", "u",
          "multi", "multi",
          "upsert", "upsert",
          "arrayFilters", "arrayFilters",
          "hint", "hint",
          "collation", "collation",
          "constants", "c",
          "sort", "sort");
  private static final Map<String, String> DELETE_FIELDS =
      Map.of("filter", "q", "hint", "hint", "collation", "collation");

  /**
   * Reads one operation.
   *
   * @throws EngineException 2 when its kind or namespace is not known, 40414 when a field is
   *     missing, 40415 when one is unknown
   */
  static BulkWriteOperation parse(RawBsonDocument operation, List<Namespace> namespaces) {
    String kind = operation.isEmpty() ? "" : operation.getFirstKey();
    return switch (kind) {
      case "insert" ->
          new BulkWriteOperation(
              WriteCommand.Kind.INSERT,
              namespace(operation, kind, namespaces),
              inserted(operation));
      case "update" ->
          new BulkWriteOperation(
              WriteCommand.Kind.UPDATE,
              namespace(operation, kind, namespaces),
              Splice.raw(updated(operation)));
      case "delete" ->
          new BulkWriteOperation(
              WriteCommand.Kind.DELETE,
              namespace(operation, kind, namespaces),
              Splice.raw(deleted(operation)));
      default ->
          throw new EngineException(
              2, "Unrecognized bulkWrite op type, please specify an insert, update or delete");
    };
  }

  private static Namespace namespace(
      BsonDocument operation, String kind, List<Namespace> namespaces) {
    long index = operation.get(kind) instanceof BsonNumber number ? number.longValue() : -1;
    if (index < 0 || index >= namespaces.size()) {
      throw new EngineException(2, "BulkWrite ops entry has an invalid nsInfo index: " + index);
    }
    return namespaces.get((int) index);
  }

  private static RawBsonDocument inserted(BsonDocument operation) {
    BsonDocument document = null;
    for (Map.Entry<String, BsonValue> field : operation.entrySet()) {
      switch (field.getKey()) {
        case "insert" -> {}
        case "document" -> document = asDocument("document", field.getValue());
        default -> throw unknown(field.getKey());
      }
    }
    if (document == null) {
      throw missing("document");
    }
    return Splice.raw(document);
  }

  private static BsonDocument updated(BsonDocument operation) {
    BsonDocument update = translated(operation, "update", UPDATE_FIELDS);
    if (!update.containsKey("u")) {
      throw missing("updateMods");
    }
    return update;
  }

  private static BsonDocument deleted(BsonDocument operation) {
    BsonValue multi = operation.get("multi");
    boolean all = multi != null && flag(multi);
    return translated(operation, "delete", DELETE_FIELDS)
        .append("limit", new BsonInt32(all ? 0 : 1));
  }

  private static boolean flag(BsonValue multi) {
    if (multi.isNumber()) {
      return multi.asNumber().doubleValue() != 0;
    }
    if (!multi.isBoolean()) {
      throw new EngineException(
          14,
          "BSON field 'bulkWrite.ops.multi' is the wrong type '"
              + multi.getBsonType()
              + "', expected 'bool'");
    }
    return multi.asBoolean().getValue();
  }

  /** The operation's fields by the names that they have in a statement. */
  private static BsonDocument translated(
      BsonDocument operation, String kind, Map<String, String> names) {
    BsonDocument statement = new BsonDocument();
    for (Map.Entry<String, BsonValue> field : operation.entrySet()) {
      String name = names.get(field.getKey());
      if (name != null) {
        statement.append(
            name, name.equals("q") ? asDocument("filter", field.getValue()) : field.getValue());
      } else if (!field.getKey().equals(kind)
          && !(kind.equals("delete") && field.getKey().equals("multi"))) {
        throw unknown(field.getKey());
      }
    }
    if (!statement.containsKey("q")) {
      throw missing("filter");
    }
    return statement;
  }

  private static BsonDocument asDocument(String field, BsonValue value) {
    if (!value.isDocument()) {
      throw new EngineException(
          14,
          "BSON field 'bulkWrite.ops."
              + field
              + "' is the wrong type '"
              + value.getBsonType()
              + "', expected 'object'");
    }
    return value.asDocument();
  }

  private static EngineException missing(String field) {
    return new EngineException(
        40414, "BSON field 'bulkWrite.ops." + field + "' is missing but a required field");
  }

  private static EngineException unknown(String field) {
    return new EngineException(
        40415, "BSON field 'bulkWrite.ops." + field + "' is an unknown field.");
  }
}
