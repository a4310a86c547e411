// SPDX-License-Identifier: Apache-2.0
package io.fairlead.router.bytes;

import java.util.Set;
import org.bson.BsonDocument;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** A document with some of its fields left out and others put at its end, made from bytes. */
public final class Splice {

  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private Splice() {}

  /** The document as bytes: itself if it is. */
  public static RawBsonDocument raw(BsonDocument document) {
    return document instanceof RawBsonDocument raw ? raw : new RawBsonDocument(document, CODEC);
  }

  /**
   * A changed document, on bytes of its own.
   *
   * @param without names of top-level fields to leave out
   * @param extra fields to put at the end; their names must not remain among the others
   */
  public static RawBsonDocument of(
      RawBsonDocument document, Set<String> without, BsonDocument extra) {
    RawBsonDocument more = raw(extra);
    ByteBuf moreBytes = more.getByteBuffer();
    int moreLength = moreBytes.remaining() - 5;
    ByteBuf own = document.getByteBuffer();
    byte[] out = new byte[own.remaining() + moreLength];
    int at = 4;
    Elements elements = Elements.of(document);
    int keptFrom = -1;
    int keptTo = -1;
    while (elements.next()) {
      if (isAmong(without, elements)) {
        at = copy(elements.bytes(), keptFrom, keptTo, out, at);
        keptFrom = -1;
      } else {
        keptFrom = keptFrom < 0 ? elements.start() : keptFrom;
        keptTo = elements.end();
      }
    }
    at = copy(elements.bytes(), keptFrom, keptTo, out, at);
    System.arraycopy(moreBytes.array(), moreBytes.position() + 4, out, at, moreLength);
    at += moreLength + 1;
    putInt32(out, at);
    return new RawBsonDocument(out, 0, at);
  }

  private static int copy(byte[] from, int start, int end, byte[] out, int at) {
    if (start < 0) {
      return at;
    }
    System.arraycopy(from, start, out, at, end - start);
    return at + end - start;
  }

  private static boolean isAmong(Set<String> names, Elements elements) {
    for (String name : names) {
      if (elements.isNamed(name)) {
        return true;
      }
    }
    return false;
  }

  private static void putInt32(byte[] out, int value) {
    out[0] = (byte) value;
    out[1] = (byte) (value >> 8);
    out[2] = (byte) (value >> 16);
    out[3] = (byte) (value >> 24);
  }

  /** The document with more fields at its beginning, which it must not have yet. */
  public static RawBsonDocument prepended(RawBsonDocument document, BsonDocument first) {
    return of(raw(first), Set.of(), document);
  }

  /** The number of the cursor in a reply; 0 when it has none or is exhausted. */
  public static long cursorId(RawBsonDocument reply) {
    Elements id = findCursorId(reply);
    return id == null ? 0 : Elements.int64(id.bytes(), id.valueStart());
  }

  /** The reply with another number of its cursor, on bytes of its own. */
  public static RawBsonDocument withCursorId(RawBsonDocument reply, long cursorId) {
    Elements id = findCursorId(reply);
    if (id == null) {
      return reply;
    }
    ByteBuf bytes = reply.getByteBuffer();
    int offset = bytes.position();
    byte[] copy = new byte[bytes.remaining()];
    System.arraycopy(bytes.array(), offset, copy, 0, copy.length);
    int at = id.valueStart() - offset;
    for (int i = 0; i < 8; i++) {
      copy[at + i] = (byte) (cursorId >> (8 * i));
    }
    return new RawBsonDocument(copy);
  }

  private static @org.jspecify.annotations.Nullable Elements findCursorId(RawBsonDocument reply) {
    Elements top = Elements.of(reply);
    if (!top.find("cursor") || top.type() != Elements.DOCUMENT) {
      return null;
    }
    Elements cursor = top.inside();
    return cursor.find("id") && cursor.type() == Elements.INT64 ? cursor : null;
  }
}
