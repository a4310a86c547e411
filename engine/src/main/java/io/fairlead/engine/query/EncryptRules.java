// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.query;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.error.ErrorCodes;
import io.fairlead.engine.value.BsonTypes;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * {@code $jsonSchema}'s keywords of client-side field level encryption. A server holds no keys: it
 * sees to it that a value is an encrypted binary, and that its header names a type that is wanted.
 */
final class EncryptRules {
  private static final Set<String> ALGORITHMS =
      Set.of("AEAD_AES_256_CBC_HMAC_SHA_512-Deterministic", "AEAD_AES_256_CBC_HMAC_SHA_512-Random");
  private static final int ENCRYPTED = 6;

  /** Kind of blob (deterministic 1, random 2), 16 bytes of the key's id, type of the value. */
  private static final int TYPE_AT = 17;

  private EncryptRules() {}

  /** The test of {@code encrypt}. */
  static JsonSchema.Test encrypted(BsonDocument options) {
    requireKnown("encrypt", options, Set.of("algorithm", "bsonType", "keyId"));
    BsonValue type = options.get("bsonType");
    Set<Integer> types = type == null ? Set.of() : JsonSchema.types("bsonType", type);
    return value ->
        value.type() == BsonTypes.BINARY
            && isEncrypted(Objects.requireNonNull(value.value()).asBinary(), types);
  }

  private static boolean isEncrypted(BsonBinary binary, Set<Integer> types) {
    if (binary.getType() != ENCRYPTED) {
      return false;
    }
    byte[] blob = binary.getData();
    return types.isEmpty()
        || (blob.length > TYPE_AT
            && (blob[0] == 1 || blob[0] == 2)
            && types.contains(blob[TYPE_AT] & 0xff));
  }

  /** Checks {@code encryptMetadata}, which asks nothing of documents. */
  static void requireMetadata(BsonDocument options) {
    if (options.isEmpty()) {
      throw JsonSchema.failed("$jsonSchema keyword 'encryptMetadata' cannot be an empty object ");
    }
    requireKnown("encryptMetadata", options, Set.of("algorithm", "keyId"));
  }

  private static void requireKnown(String keyword, BsonDocument options, Set<String> known) {
    for (Map.Entry<String, BsonValue> option : options.entrySet()) {
      String field = keyword + "." + option.getKey();
      if (!known.contains(option.getKey())) {
        throw new EngineException(40415, "BSON field '" + field + "' is an unknown field.");
      }
      switch (option.getKey()) {
        case "algorithm" -> requireAlgorithm(field, option.getValue());
        case "keyId" -> requireKey(option.getValue());
        default -> {}
      }
    }
  }

  private static void requireAlgorithm(String field, BsonValue value) {
    if (!value.isString()) {
      throw new EngineException(
          ErrorCodes.TYPE_MISMATCH,
          "BSON field '"
              + field
              + "' is the wrong type '"
              + BsonTypes.nameOf(value)
              + "', expected type 'string'");
    }
    String name = value.asString().getValue();
    if (!ALGORITHMS.contains(name)) {
      throw new EngineException(
          ErrorCodes.BAD_VALUE,
          "Enumeration value '" + name + "' for field '" + field + "' is not a valid value.");
    }
  }

  /** A JSON pointer, or UUIDs. */
  private static void requireKey(BsonValue value) {
    if (!value.isString() && !value.isArray()) {
      throw new EngineException(
          51085,
          "Expected either string or array of UUIDs for EncryptKeyId, but got "
              + BsonTypes.nameOf(value));
    }
    if (value.isArray()) {
      for (BsonValue id : value.asArray()) {
        if (!(id instanceof BsonBinary binary)
            || binary.getType() != BsonBinarySubType.UUID_STANDARD.getValue()) {
          throw new EngineException(
              51084,
              "Array elements must have type BinData with subtype UUID, found "
                  + BsonTypes.nameOf(id));
        }
      }
    }
  }

  /** Whether a filter holds a schema with one of the keywords. */
  static boolean used(BsonDocument filter) {
    return filter.entrySet().stream()
        .anyMatch(
            entry ->
                switch (entry.getKey()) {
                  case "$jsonSchema" -> schemaUses(entry.getValue());
                  case "$and", "$or", "$nor" ->
                      entry.getValue().asArray().stream()
                          .anyMatch(clause -> used(clause.asDocument()));
                  default -> false;
                });
  }

  private static boolean schemaUses(BsonValue value) {
    if (value.isArray()) {
      return value.asArray().stream().anyMatch(EncryptRules::schemaUses);
    }
    return value.isDocument()
        && value.asDocument().entrySet().stream()
            .anyMatch(
                entry ->
                    switch (entry.getKey()) {
                      case "encrypt", "encryptMetadata" -> true;
                      case "properties", "patternProperties", "dependencies" ->
                          entry.getValue().asDocument().values().stream()
                              .anyMatch(EncryptRules::schemaUses);
                      case "additionalProperties",
                          "items",
                          "additionalItems",
                          "not",
                          "allOf",
                          "anyOf",
                          "oneOf" ->
                          schemaUses(entry.getValue());
                      default -> false;
                    });
  }
}
