// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.collection;

import static io.fairlead.engine.error.ErrorCodes.BAD_VALUE;
import static io.fairlead.engine.error.ErrorCodes.DOLLAR_PREFIXED_FIELD_NAME;
import static io.fairlead.engine.error.ErrorCodes.INVALID_ID_FIELD;
import static io.fairlead.engine.error.ErrorCodes.OVERFLOW;

import io.fairlead.engine.error.EngineException;
import io.fairlead.engine.key.BsonBytes;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * What a document must be to be stored, and how it is made so: an {@code _id} of a permitted kind,
 * in front.
 */
public final class Documents {
  /** The greatest size of a stored document in bytes: 16 MiB. */
  public static final int BYTES_MAX = 16 * 1024 * 1024;

  /** How many levels of documents and arrays a stored document may have, itself included. */
  private static final int NESTING_MAX = 180;

  /** Bytes of the least nested document: its type, the end of its name, its length and its end. */
  private static final int NESTED_BYTES_MIN = 7;

  private static final byte[] ID = {'_', 'i', 'd'};

  private Documents() {}

  /**
   * The document as it is stored: {@code _id} first, a new one when it has none.
   *
   * @throws EngineException 2 when it is too large or its {@code _id} is of a kind that cannot be
   *     one, 52 when its {@code _id} has a field that begins with a dollar
   */
  public static byte[] toInsert(byte[] document, Supplier<ObjectId> newId) {
    return toInsert(document, newId, BAD_VALUE);
  }

  /** As {@link #toInsert} for a document that an upsert made: a bad {@code _id} is 53. */
  public static byte[] toUpsert(byte[] document, Supplier<ObjectId> newId) {
    return toInsert(document, newId, INVALID_ID_FIELD);
  }

  private static byte[] toInsert(byte[] document, Supplier<ObjectId> newId, int badId) {
    if (document.length > BYTES_MAX) {
      throw new EngineException(
          BAD_VALUE,
          "object to insert too large. size in bytes: "
              + document.length
              + ", max size: "
              + BYTES_MAX);
    }
    checkNesting(document, "insert");
    int id = BsonBytes.find(document, 0, ID);
    if (id < 0) {
      return withId(document, newId.get());
    }
    checkId(document, id, badId);
    return id == 4 ? document : idFirst(document, id);
  }

  /** Checks the size of a document that an update made. */
  public static byte[] checkUpdated(byte[] document) {
    if (document.length > BYTES_MAX) {
      throw new EngineException(
          17419, "Resulting document after update is larger than " + BYTES_MAX);
    }
    checkNesting(document, "update");
    return document;
  }

  private static void checkNesting(byte[] document, String what) {
    if (document.length > NESTING_MAX * NESTED_BYTES_MIN
        && nesting(document, 0, NESTING_MAX) > NESTING_MAX) {
      throw new EngineException(
          OVERFLOW,
          "cannot " + what + " document because it exceeds " + NESTING_MAX + " levels of nesting");
    }
  }

  /** How many levels of documents and arrays there are; stops beyond {@code most}. */
  private static int nesting(byte[] document, int at, int most) {
    int deepest = 0;
    int element = BsonBytes.firstElement(at);
    while (document[element] != 0 && deepest <= most) {
      int type = BsonBytes.type(document, element);
      int value = BsonBytes.value(document, element);
      if (type == BsonBytes.DOCUMENT || type == BsonBytes.ARRAY) {
        deepest = Math.max(deepest, nesting(document, value, most - 1));
      }
      element = BsonBytes.after(document, type, value);
    }
    return deepest + 1;
  }

  /** Where the {@code _id} element of a stored document begins, or -1. */
  public static int id(byte[] document) {
    return BsonBytes.find(document, 0, ID);
  }

  private static void checkId(byte[] document, int id, int bad) {
    int type = BsonBytes.type(document, id);
    switch (type) {
      case BsonBytes.ARRAY -> throw new EngineException(bad, "can't use an array for _id");
      case BsonBytes.REGULAR_EXPRESSION ->
          throw new EngineException(bad, "can't use a regex for _id");
      case BsonBytes.UNDEFINED -> throw new EngineException(bad, "can't use an undefined for _id");
      case BsonBytes.DOCUMENT -> {
        int element = BsonBytes.firstElement(BsonBytes.value(document, id));
        while (document[element] != 0) {
          if (document[element + 1] == '$') {
            String name = BsonBytes.name(document, element);
            if (!name.equals("$ref") && !name.equals("$id") && !name.equals("$db")) {
              throw new EngineException(
                  DOLLAR_PREFIXED_FIELD_NAME,
                  "_id fields may not contain '$'-prefixed fields: "
                      + name
                      + " is not valid for storage.");
            }
          }
          element =
              BsonBytes.after(
                  document, BsonBytes.type(document, element), BsonBytes.value(document, element));
        }
      }
      default -> {}
    }
  }

  private static byte[] withId(byte[] document, ObjectId id) {
    int element = 1 + 4 + 12;
    byte[] result = new byte[document.length + element];
    writeLength(result);
    result[4] = BsonBytes.OBJECT_ID;
    result[5] = '_';
    result[6] = 'i';
    result[7] = 'd';
    System.arraycopy(id.toByteArray(), 0, result, 9, 12);
    System.arraycopy(document, 4, result, 4 + element, document.length - 4);
    return result;
  }

  private static byte[] idFirst(byte[] document, int id) {
    int end =
        BsonBytes.after(document, BsonBytes.type(document, id), BsonBytes.value(document, id));
    byte[] result = new byte[document.length];
    writeLength(result);
    System.arraycopy(document, id, result, 4, end - id);
    System.arraycopy(document, 4, result, 4 + end - id, id - 4);
    System.arraycopy(document, end, result, end, document.length - end);
    return result;
  }

  private static void writeLength(byte[] document) {
    for (int i = 0; i < 4; i++) {
      document[i] = (byte) (document.length >>> (8 * i));
    }
  }
}
