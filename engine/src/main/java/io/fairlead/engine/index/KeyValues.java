// SPDX-License-Identifier: Apache-2.0
package io.fairlead.engine.index;

import io.fairlead.engine.key.BsonBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;

/**
 * Reads values back out of the keys of an ordered index, so that a query can be answered from the
 * index alone.
 *
 * <p>Equal numbers of different kinds have one key, so a key is read as the most usual of them: a
 * whole number as the smallest integer that holds it, any other as a double. {@link #restores}
 * tells for which values that is right; an index remembers for each field whether it has met
 * another.
 */
public final class KeyValues {
  // as io.fairlead.engine.key.KeyWriter writes them
  private static final int NULL = 0x10;
  private static final int NEGATIVE = 0x19;
  private static final int ZERO = 0x1A;
  private static final int POSITIVE = 0x1B;
  private static final int STRING = 0x20;
  private static final int OBJECT_ID = 0x40;
  private static final int BOOLEAN = 0x48;
  private static final int DATE_TIME = 0x50;

  private final byte[] key;
  private int at;

  private KeyValues(byte[] key) {
    this.key = key;
  }

  /** Whether a value comes back out of its key as it went in. */
  static boolean restores(int type, byte[] bytes, int value) {
    return switch (type) {
      case BsonBytes.INT32,
          BsonBytes.STRING,
          BsonBytes.OBJECT_ID,
          BsonBytes.BOOLEAN,
          BsonBytes.DATE_TIME,
          BsonBytes.NULL ->
          true;
      case BsonBytes.INT64 -> {
        long number = BsonBytes.int64(bytes, value);
        yield number != (int) number && Math.abs(number) < 1L << 53;
      }
      case BsonBytes.DOUBLE -> {
        double number = Double.longBitsToDouble(BsonBytes.int64(bytes, value));
        yield Double.isFinite(number) && number != Math.rint(number);
      }
      default -> false;
    };
  }

  /** The values of an index entry, by the paths of the pattern, as far as they are asked for. */
  public static BsonDocument read(byte[] entry, KeyPattern pattern, List<String> wanted) {
    KeyValues values = new KeyValues(entry);
    BsonDocument document = new BsonDocument();
    int left = wanted.size();
    for (KeyPattern.Field field : pattern.fields()) {
      if (left == 0) {
        break;
      }
      boolean asked = wanted.contains(field.path());
      BsonValue value = values.next(field.descending() ? 0xFF : 0, asked);
      if (asked) {
        document.append(field.path(), value);
        left--;
      }
    }
    return document;
  }

  /** The number, a positive one, that a key has at {@code at}. */
  public static double positive(byte[] key, int at) {
    KeyValues values = new KeyValues(key);
    values.at = at + 1;
    return Double.longBitsToDouble(values.sevens(0) >>> 1);
  }

  private int take(int mask) {
    return (key[at++] & 0xFF) ^ mask;
  }

  private BsonValue next(int mask, boolean asked) {
    int place = take(mask);
    return switch (place) {
      case NULL -> BsonNull.VALUE;
      case ZERO -> new BsonInt32(0);
      case POSITIVE -> number(sevens(mask), false);
      case NEGATIVE -> number(sevens(mask ^ 0xFF), true);
      case STRING -> text(mask);
      case OBJECT_ID -> {
        byte[] id = new byte[12];
        for (int i = 0; i < id.length; i++) {
          id[i] = (byte) take(mask);
        }
        yield new BsonObjectId(new ObjectId(id));
      }
      case BOOLEAN -> BsonBoolean.valueOf(take(mask) != 0);
      case DATE_TIME -> new BsonDateTime(bits(mask) ^ Long.MIN_VALUE);
      default ->
          throw new IllegalStateException(
              "a key that cannot be read back" + (asked ? "" : " before a field that is wanted"));
    };
  }

  private long bits(int mask) {
    long bits = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      bits = (bits << Byte.SIZE) | take(mask);
    }
    return bits;
  }

  /** Bits of which each byte has seven, and whether there are more. */
  private long sevens(int mask) {
    long bits = 0;
    long next;
    int left = Long.SIZE;
    do {
      next = take(mask);
      left -= 7;
      long seven = next >>> 1;
      bits |= left >= 0 ? seven << left : seven >>> -left;
    } while ((next & 1) != 0);
    return bits;
  }

  private static BsonValue number(long bits, boolean negative) {
    if ((bits & 1) != 0) {
      throw new IllegalStateException("a key that cannot be read back");
    }
    double magnitude = Double.longBitsToDouble(bits >>> 1);
    double number = negative ? -magnitude : magnitude;
    if (number != Math.rint(number)) {
      return new BsonDouble(number);
    }
    return number == (int) number ? new BsonInt32((int) number) : new BsonInt64((long) number);
  }

  private BsonValue text(int mask) {
    byte[] text = new byte[key.length - at];
    int size = 0;
    for (int next = take(mask); next != 0; next = take(mask)) {
      text[size++] = (byte) (next == 1 ? take(mask) - 1 : next);
    }
    return new BsonString(new String(Arrays.copyOf(text, size), StandardCharsets.UTF_8));
  }
}
