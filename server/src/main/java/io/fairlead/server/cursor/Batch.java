// SPDX-License-Identifier: Apache-2.0
package io.fairlead.server.cursor;

import io.fairlead.server.command.Failures;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * What one command takes of a cursor: as many documents as it asked for, or as fit into a reply.
 *
 * @param documents in the cursor's order
 * @param atEnd whether the cursor had no more
 */
public record Batch(BsonArray documents, boolean atEnd) {
  /** Documents of a first batch where the command does not say. */
  public static final int FIRST_BATCH = 101;

  /** Bytes of documents in one reply: one document of the largest size fits. */
  static final int BYTES_MAX = 16 * 1024 * 1024;

  /** The largest document that a reply can carry: what is stored, and some room around it. */
  private static final int DOCUMENT_BYTES_MAX = BYTES_MAX + 16 * 1024;

  /** Takes at most that many documents, and at least one where there is one. */
  public static Batch of(ServerCursor cursor, long documentsMax) {
    BsonArray documents = new BsonArray();
    long bytes = 0;
    while (documents.size() < documentsMax) {
      RawBsonDocument document = cursor.next();
      if (document == null) {
        cursor.count(documents.size());
        return new Batch(documents, true);
      }
      int size = document.getByteBuffer().remaining();
      if (size > DOCUMENT_BYTES_MAX) {
        throw Failures.of(
            10334,
            "BSONObj size: "
                + size
                + " is invalid. Size must be between 0 and "
                + DOCUMENT_BYTES_MAX
                + "(16MB)");
      }
      bytes += size;
      if (bytes > BYTES_MAX && !documents.isEmpty()) {
        cursor.pushBack(document);
        break;
      }
      documents.add(document);
    }
    cursor.count(documents.size());
    return new Batch(documents, false);
  }

  /** The reply's {@code cursor}. */
  public BsonDocument reply(String field, String namespace, long cursorId) {
    BsonDocument cursor =
        new BsonDocument(field, documents)
            .append("id", new BsonInt64(cursorId))
            .append("ns", new BsonString(namespace));
    return new BsonDocument("cursor", cursor);
  }
}
