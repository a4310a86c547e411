// SPDX-License-Identifier: Apache-2.0
package io.fairlead.driver.write;

import com.mongodb.client.model.Collation;
import io.fairlead.driver.command.BsonEncoding;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes one document or all that match.
 *
 * @param hint a document or a string; null: none
 */
record Delete(
    BsonDocument filter, boolean multi, @Nullable Collation collation, @Nullable BsonValue hint)
    implements Statement {
  @Override
  public Kind kind() {
    return Kind.DELETE;
  }

  @Override
  public @Nullable String needsAcknowledgement() {
    return collation == null ? null : "collation";
  }

  @Override
  public @Nullable BsonValue write(BsonBinaryWriter writer, BasicOutputBuffer buffer) {
    writer.writeStartDocument();
    writer.writeName("q");
    BsonEncoding.write(writer, filter);
    writer.writeInt32("limit", multi ? 0 : 1);
    writeOptions(writer);
    writer.writeEndDocument();
    return null;
  }

  @Override
  public @Nullable BsonValue writeOperation(
      BsonBinaryWriter writer, BasicOutputBuffer buffer, int namespace) {
    writer.writeStartDocument();
    writer.writeInt32("delete", namespace);
    writer.writeName("filter");
    BsonEncoding.write(writer, filter);
    writer.writeBoolean("multi", multi);
    writeOptions(writer);
    writer.writeEndDocument();
    return null;
  }

  private void writeOptions(BsonBinaryWriter writer) {
    if (collation != null) {
      writer.writeName("collation");
      BsonEncoding.write(writer, collation.asDocument());
    }
    if (hint != null) {
      writer.writeName("hint");
      BsonEncoding.write(writer, hint);
    }
  }
}
