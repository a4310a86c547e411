// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.client.model.Collation;
import io.fairlead.driver.command.BsonEncoding;
import io.fairlead.driver.command.RawFields;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Updates or replaces.
 *
 * @param change the update document, the pipeline, or the replacement
 * @param replaces whether {@code change} is a replacement
 * @param hint a document or a string; null: none
 */
record Update(
    BsonDocument filter,
    BsonValue change,
    boolean replaces,
    boolean multi,
    boolean upsert,
    @Nullable Collation collation,
    @Nullable List<BsonDocument> arrayFilters,
    @Nullable BsonValue hint,
    @Nullable BsonDocument sort)
    implements Statement {
  private static final Set<String> REFERENCES = Set.of("$db", "$ref", "$id");

  @Override
  public Kind kind() {
    return Kind.UPDATE;
  }

  @Override
  public @Nullable String needsAcknowledgement() {
    if (collation != null) {
      return "collation";
    }
    return arrayFilters == null ? null : "array filters";
  }

  @Override
  public @Nullable BsonValue write(BsonBinaryWriter writer, BasicOutputBuffer buffer) {
    writer.writeStartDocument();
    writer.writeName("q");
    BsonEncoding.write(writer, filter);
    writeChange(writer, buffer, "u");
    if (multi) {
      writer.writeBoolean("multi", true);
    }
    writeOptions(writer);
    writer.writeEndDocument();
    return null;
  }

  @Override
  public @Nullable BsonValue writeOperation(
      BsonBinaryWriter writer, BasicOutputBuffer buffer, int namespace) {
    writer.writeStartDocument();
    writer.writeInt32("update", namespace);
    writer.writeName("filter");
    BsonEncoding.write(writer, filter);
    writeChange(writer, buffer, "updateMods");
    writer.writeBoolean("multi", multi);
    writeOptions(writer);
    writer.writeEndDocument();
    return null;
  }

  private void writeOptions(BsonBinaryWriter writer) {
    if (upsert) {
      writer.writeBoolean("upsert", true);
    }
    if (collation != null) {
      writer.writeName("collation");
      BsonEncoding.write(writer, collation.asDocument());
    }
    if (arrayFilters != null) {
      writer.writeStartArray("arrayFilters");
      arrayFilters.forEach(each -> BsonEncoding.write(writer, each));
      writer.writeEndArray();
    }
    if (hint != null) {
      writer.writeName("hint");
      BsonEncoding.write(writer, hint);
    }
    if (sort != null) {
      writer.writeName("sort");
      BsonEncoding.write(writer, sort);
    }
  }

  private void writeChange(BsonBinaryWriter writer, BasicOutputBuffer buffer, String name) {
    if (change instanceof BsonArray pipeline) {
      requirePipeline(pipeline);
      writer.writeStartArray(name);
      pipeline.forEach(stage -> BsonEncoding.write(writer, stage));
      writer.writeEndArray();
      return;
    }
    int start = Statement.valueStart(buffer, name);
    writer.writeName(name);
    BsonEncoding.write(writer, change);
    RawFields fields = RawFields.of(buffer.getInternalBuffer(), start);
    if (replaces) {
      requireReplacement(fields);
    } else {
      requireOperators(fields);
    }
  }

  static void requirePipeline(BsonArray pipeline) {
    if (pipeline.isEmpty()) {
      throw new IllegalArgumentException(
          "Invalid pipeline for an update. The pipeline may not be empty.");
    }
  }

  /** Requires that an update has operators and nothing else. */
  static void requireOperators(RawFields fields) {
    boolean empty = true;
    while (fields.advance()) {
      empty = false;
      if (!fields.startsWith('$')) {
        throw new IllegalArgumentException(
            "Invalid BSON field name '"
                + fields.name()
                + "': all update operators must start with '$'");
      }
    }
    if (empty) {
      throw new IllegalArgumentException(
          "Invalid BSON document for an update. The document may not be empty.");
    }
  }

  /** Requires that a replacement has no operators. */
  static void requireReplacement(RawFields fields) {
    while (fields.advance()) {
      if (fields.startsWith('$') && !REFERENCES.contains(fields.name())) {
        throw new IllegalArgumentException(
            "Field names in a replacement document can not start with '$' but '"
                + fields.name()
                + "' does");
      }
    }
  }
}
