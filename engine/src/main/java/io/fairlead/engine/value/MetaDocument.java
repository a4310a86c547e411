// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.util.Arrays;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Documents on their way through a query with what is known of them besides their fields.
 *
 * <p>That knowledge lies in the same array, behind the document's end: a mark, then a document of
 * its own. Whoever reads or copies the document sees nothing of it; only who asks here does.
 */
public final class MetaDocument {
  private static final byte[] MARK = mark();

  private MetaDocument() {}

  private static byte[] mark() {
    UUID name = UUID.fromString("6f1c5a2e-9d47-4c1b-8a53-0b6d2f9e71c4");
    return java.nio.ByteBuffer.allocate(16)
        .putLong(name.getMostSignificantBits())
        .putLong(name.getLeastSignificantBits())
        .array();
  }

  /** The document with that knowledge; itself when there is none. */
  public static RawBsonDocument of(RawBsonDocument document, @Nullable Metadata metadata) {
    return metadata == null ? document : with(document, metadata.toDocument());
  }

  /** The document with what is known of it, and the values by which it was sorted. */
  public static RawBsonDocument sorted(RawBsonDocument document, BsonArray sortKey) {
    RawBsonDocument known = knownOf(document);
    BsonDocument all = new BsonDocument();
    if (known != null) {
      known.forEach(all::append);
    }
    return with(document, all.append("sortKey", sortKey));
  }

  /** A document that was made of another, with what was known of that one. */
  public static RawBsonDocument madeOf(RawBsonDocument source, RawBsonDocument made) {
    RawBsonDocument known = knownOf(source);
    return known == null ? made : with(made, known);
  }

  /** What {@code {$meta: name}} of a document is; null when it is not known. */
  public static @Nullable BsonValue get(RawBsonDocument document, String name) {
    RawBsonDocument known = knownOf(document);
    return known == null ? null : Values.field(known, name);
  }

  private static RawBsonDocument with(RawBsonDocument document, BsonDocument known) {
    RawBsonDocument behind =
        known instanceof RawBsonDocument raw ? raw : DocumentWriter.write(known);
    int length = RawBytes.length(document);
    int end = length + MARK.length;
    byte[] bytes = new byte[end + RawBytes.length(behind)];
    System.arraycopy(RawBytes.bytes(document), RawBytes.offset(document), bytes, 0, length);
    System.arraycopy(MARK, 0, bytes, length, MARK.length);
    System.arraycopy(
        RawBytes.bytes(behind), RawBytes.offset(behind), bytes, end, RawBytes.length(behind));
    return new RawBsonDocument(bytes, 0, length);
  }

  private static @Nullable RawBsonDocument knownOf(RawBsonDocument document) {
    byte[] bytes = RawBytes.bytes(document);
    int end = RawBytes.offset(document) + RawBytes.length(document);
    int from = end + MARK.length;
    return bytes.length > from + 4
            && Arrays.equals(bytes, end, from, MARK, 0, MARK.length)
            && from + RawBytes.int32(bytes, from) == bytes.length
        ? new RawBsonDocument(bytes, from, bytes.length - from)
        : null;
  }
}
