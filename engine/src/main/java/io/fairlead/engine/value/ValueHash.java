// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.value;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.bson.BsonDocument;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a value in a hashed index or shard key: the first 8 bytes, as a little-endian number,
 * of the MD5 of a seed of 0, the value's canonical type and its bytes. Numbers of all types hash by
 * their whole part, so equal numbers have equal hashes. A missing value hashes as null.
 */
public final class ValueHash {

  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  /** What stands behind the last field of a document or array. */
  private static final byte[] END = int32(0);

  private ValueHash() {}

  /** The hash of a value; null for a missing one. */
  public static long of(@Nullable BsonValue value) {
    MessageDigest digest = md5();
    digest.update(int32(0));
    add(digest, value == null ? org.bson.BsonNull.VALUE : value);
    return ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static void add(MessageDigest digest, BsonValue value) {
    digest.update(int32(canonicalType(value.getBsonType())));
    switch (value.getBsonType()) {
      case DOUBLE, INT32, INT64, DECIMAL128 -> digest.update(int64(Numbers.toLong(value)));
      case DOCUMENT -> addFields(digest, value.asDocument());
      case ARRAY -> {
        for (int i = 0; i < value.asArray().size(); i++) {
          addField(digest, Integer.toString(i), value.asArray().get(i));
        }
        digest.update(END);
      }
      case JAVASCRIPT_WITH_SCOPE -> {
        BsonJavaScriptWithScope code = value.asJavaScriptWithScope();
        digest.update(code.getCode().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        addFields(digest, code.getScope());
      }
      default -> digest.update(bytesOf(value));
    }
  }

  private static void addFields(MessageDigest digest, BsonDocument document) {
    document.forEach((name, field) -> addField(digest, name, field));
    digest.update(END);
  }

  private static void addField(MessageDigest digest, String name, BsonValue value) {
    digest.update(int32(canonicalType(value.getBsonType())));
    digest.update(name.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    switch (value.getBsonType()) {
      case DOUBLE, INT32, INT64, DECIMAL128 -> digest.update(int64(Numbers.toLong(value)));
      case DOCUMENT -> addFields(digest, value.asDocument());
      case ARRAY -> {
        for (int i = 0; i < value.asArray().size(); i++) {
          addField(digest, Integer.toString(i), value.asArray().get(i));
        }
        digest.update(END);
      }
      default -> digest.update(bytesOf(value));
    }
  }

  /** The value's bytes as they stand in a document. */
  private static byte[] bytesOf(BsonValue value) {
    RawBsonDocument holder = new RawBsonDocument(new BsonDocument("", value), CODEC);
    byte[] bytes = new byte[holder.getByteBuffer().remaining() - 7];
    holder.getByteBuffer().position(6).get(bytes);
    return bytes;
  }

  private static int canonicalType(BsonType type) {
    return switch (type) {
      case MIN_KEY -> -1;
      case END_OF_DOCUMENT, UNDEFINED -> 0;
      case NULL -> 5;
      case DOUBLE, INT32, INT64, DECIMAL128 -> 10;
      case STRING, SYMBOL -> 15;
      case DOCUMENT -> 20;
      case ARRAY -> 25;
      case BINARY -> 30;
      case OBJECT_ID -> 35;
      case BOOLEAN -> 40;
      case DATE_TIME -> 45;
      case TIMESTAMP -> 47;
      case REGULAR_EXPRESSION -> 50;
      case DB_POINTER -> 55;
      case JAVASCRIPT -> 60;
      case JAVASCRIPT_WITH_SCOPE -> 65;
      case MAX_KEY -> 127;
    };
  }

  private static byte[] int32(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  private static byte[] int64(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has MD5", impossible);
    }
  }
}
